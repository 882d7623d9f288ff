import Contract
import Wire

/// The result of a write.
package struct WriteOutcome: Sendable {
  /// The reply's bytes, without `clock`.
  package var output: [UInt8]
  /// The clock up to which the client must be notified before it gets its reply.
  package var clock: Int64
  /// Whether the library changed.
  package var changed: Bool
}

/// How a write stands to the writes of clients.
package enum WritePriority: Sendable {
  case usual
  /// It waits for a turn between the writes of clients (`WriteTurns`).
  case yielding
  /// The same, and its commit is not synced: the next synced commit makes it durable too. For writes that change no
  /// item, and that are done again if a power failure takes them back.
  case repeatable
}

/// A write in the queue.
package struct WriteJob: Sendable {
  package var caller: any Caller
  package var label: String
  package var token: WriteToken
  /// Whether it may touch thousands of pages.
  package var isLong: Bool
  package var priority: WritePriority
  /// Runs on the writer's thread. It may run twice: again, alone, if its group could not be committed.
  package var body: @Sendable (Transaction) throws -> [UInt8]
  /// Sends the reply of a write that was committed alone, on the writer's thread; returns false if `completion` must do
  /// it.
  package var reply: (@Sendable (WriteOutcome) -> Bool)?
  /// Called once, on the writer's thread, after the commit or the failure, unless `reply` has sent the reply.
  package var completion: @Sendable (Result<WriteOutcome, any Error>) -> Void

  package init(
    caller: any Caller, label: String, token: WriteToken = WriteToken(), isLong: Bool = false,
    priority: WritePriority = .usual,
    body: @escaping @Sendable (Transaction) throws -> [UInt8],
    reply: (@Sendable (WriteOutcome) -> Bool)? = nil,
    completion: @escaping @Sendable (Result<WriteOutcome, any Error>) -> Void
  ) {
    self.caller = caller
    self.label = label
    self.token = token
    self.isLong = isLong
    self.priority = priority
    self.body = body
    self.reply = reply
    self.completion = completion
  }
}
