import Link
import Synchronization
import Wire

/// A client of the daemon: for the command line and for tests.
///
/// Messages are sent in the order of the calls, wherever the replies are awaited.
package final class Client: Sendable {
  private let session: Confined<Session>
  private let record: Record
  private let lastID = Atomic<Int64>(0)
  private let whenFailed: FailureObserver?

  /// Called with the method of a request that failed, by the task that waits for the reply.
  package typealias FailureObserver = @Sendable (_ method: String, _ error: RemoteError) -> Void

  /// Called on the connection's loop with the method and params of a request of the daemon; returns its result, or nil
  /// for an error.
  package typealias Answering = @Sendable (_ method: String, _ params: JSONValue) -> JSONValue?

  /// The server's notifications, in order. One reader; it ends when the connection ends, and throws
  /// `ClientError.overflow` when more than `notificationLimit` were not read.
  package let notifications: AsyncThrowingStream<ServerNotification, any Error>

  package static let notificationLimit = 4096
  /// The bytes of unsent messages beyond which nothing more is accepted.
  package static let unsentLimit = 64 << 20

  /// Connects to the daemon's socket. With `record`, `received` stores everything that arrives.
  ///
  /// `cancellationGrace` is how long a cancelled request still waits for its reply.
  ///
  /// - Throws: `UnixSocket.Failure`, such as when no process listens there.
  package static func connect(
    socket path: String, framing: Framing = .headers, on loops: Loops = .shared, record: Bool = false,
    cancellationGrace: Duration = .seconds(10), whenFailed: FailureObserver? = nil, answering: Answering? = nil
  ) async throws -> Client {
    try await connect(
      try UnixSocket.connect(path), framing: framing, on: loops, record: record, cancellationGrace: cancellationGrace,
      whenFailed: whenFailed, answering: answering)
  }

  /// Takes over a socket that is connected to the daemon.
  ///
  /// - Throws: the error of opening the connection.
  package static func connect(
    _ descriptor: Int32, framing: Framing = .headers, on loops: Loops = .shared, record: Bool = false,
    cancellationGrace: Duration = .seconds(10), whenFailed: FailureObserver? = nil, answering: Answering? = nil
  ) async throws -> Client {
    let log = Record(isEnabled: record)
    let (stream, notifications) = Session.makeStream()
    let session = try await Connection.open(socket: descriptor, on: loops, settings: settings(framing)) {
      Session(
        $0, record: log, notifications: notifications, cancellationGrace: cancellationGrace, answering: answering)
    }
    return Client(session: session, record: log, notifications: stream, whenFailed: whenFailed)
  }

  /// Connects over two pipes, which belong to the client from then on.
  ///
  /// - Throws: the error of opening the connection.
  package static func connect(
    input: Int32, output: Int32, framing: Framing = .headers, on loops: Loops = .shared, record: Bool = false,
    cancellationGrace: Duration = .seconds(10)
  ) async throws -> Client {
    let log = Record(isEnabled: record)
    let (stream, notifications) = Session.makeStream()
    let session = try await Connection.open(input: input, output: output, on: loops, settings: settings(framing)) {
      Session($0, record: log, notifications: notifications, cancellationGrace: cancellationGrace)
    }
    return Client(session: session, record: log, notifications: stream)
  }

  private init(
    session: Confined<Session>, record: Record, notifications: AsyncThrowingStream<ServerNotification, any Error>,
    whenFailed: FailureObserver? = nil
  ) {
    self.session = session
    self.whenFailed = whenFailed
    self.record = record
    self.notifications = notifications
  }

  /// A server may be busy for as long as it likes, so nothing is closed for being slow; replies may be long.
  private static func settings(_ framing: Framing) -> Connection.Settings {
    var settings = Connection.Settings { ($0.text.key, $0.data) }
    settings.framing = framing
    settings.stallLimit = nil
    settings.frameLimit = nil
    settings.limits.frame = 256 << 20
    return settings
  }

  // MARK: Asking

  /// Sends a request and waits for its result. With `onProgress`, a `workDoneToken` is added to the params, and the
  /// closure receives the `value` of each progress notification, in order, on the connection's loop.
  ///
  /// - Throws: the errors of `PendingReply.value()`.
  package func call(
    _ method: String, _ params: JSONValue = .null, onProgress: (@Sendable (JSONValue) -> Void)? = nil
  ) async throws -> JSONValue {
    try await send(method, params, onProgress: onProgress).value()
  }

  /// Sends a request and returns at once, so that many can be pending in a fixed order.
  @discardableResult
  package func send(
    _ method: String, _ params: JSONValue = .null, onProgress: (@Sendable (JSONValue) -> Void)? = nil
  ) -> PendingReply {
    let number = lastID.add(1, ordering: .relaxed).newValue
    let id = RequestID.integer(number)
    let pending = PendingReply(
      id: id, cancel: { [session] id in session.execute { $0.cancel(id) } },
      whenFailed: { [whenFailed] error in whenFailed?(method, error) })
    var params = params
    var progress: Session.Progress?
    if let onProgress {
      let token = RequestID.string("progress-\(number)")
      guard let object = params.isNull ? JSONObject() : params.objectValue else {
        pending.answer(.failure(ClientError.paramsNotObject))
        return pending
      }
      var withToken = object
      withToken["workDoneToken"] = token.json
      params = .object(withToken)
      progress = Session.Progress(token: token, handler: onProgress)
    }
    let bytes = MessageBytes.request(id: id, method: method, params: params)
    session.execute { [progress] in $0.send(request: bytes, pending: pending, progress: progress) }
    return pending
  }

  package func notify(_ method: String, _ params: JSONValue = .null) {
    let bytes = MessageBytes.notification(method: method, params: params)
    session.execute { $0.send(bytes) }
  }

  /// Sends bytes unchanged, including frames, so that a test can send invalid ones.
  package func sendRaw(_ bytes: [UInt8]) {
    session.execute { $0.send(raw: bytes) }
  }

  // MARK: Hearing

  /// Everything that arrived, in order; empty unless `record` was requested.
  package var received: [Frame] { record.frames }

  /// The first frame at or after `start` of `received` that fits, as soon as it arrives; for a client that records.
  ///
  /// - Throws: `ClientError.closed` if the connection ends before, and `CancellationError`.
  package func firstReceived(
    from start: Int = 0, where fits: @escaping @Sendable (Frame) -> Bool
  ) async throws -> Frame {
    try await record.first(from: start, where: fits)
  }

  // MARK: Ending

  /// Closes our side only; replies still arrive.
  package func closeInput() {
    session.execute { $0.connection.closeOutput() }
  }

  /// Closes, and returns when the connection has ended, or at once in a cancelled task. Requests without a reply
  /// fail. Safe to call twice.
  package func close() async {
    session.execute { $0.connection.close() }
    _ = try? await closed()
  }

  /// Waits until the connection has ended, and returns the reason.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  @discardableResult
  package func closed() async throws -> CloseReason {
    try await record.closed()
  }
}

/// A notification from the server.
package struct ServerNotification: Sendable, Equatable {
  package var method: String
  package var params: JSONValue
}
