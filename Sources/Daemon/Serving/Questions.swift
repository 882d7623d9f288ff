import Wire

/// The daemon's own requests to one client that it has not answered. Confined to the client's loop.
struct Questions {
  /// The most of them; a client that answers none costs no more.
  static let most = 32

  private var waiting: [RequestID: @Sendable (JSONValue?) -> Void] = [:]
  private var count = 0

  /// Returns the id for a new request; nil if too many are unanswered.
  mutating func add(_ answer: @escaping @Sendable (JSONValue?) -> Void) -> RequestID? {
    guard waiting.count < Self.most else { return nil }
    count += 1
    let id = RequestID.string("commonplace-\(count)")
    waiting[id] = answer
    return id
  }

  /// - Parameter result: nil for an error.
  mutating func answer(_ id: RequestID?, _ result: JSONValue?) {
    guard let id, let answer = waiting.removeValue(forKey: id) else { return }
    answer(result)
  }

  /// The client has disconnected.
  mutating func end() {
    let waiting = waiting
    self.waiting = [:]
    for answer in waiting.values { answer(nil) }
  }
}
