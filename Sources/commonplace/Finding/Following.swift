import Client
import Wire

/// Follows the changes of a library across daemons: after a restart the new daemon is asked for the missed changes.
struct Following {
  private let collections: JSONValue?
  private var epoch: String?
  /// The clock of the last reported commit; nil before the first daemon has returned its clock.
  private var clock: Int64?

  /// - Parameter collections: the collections to follow; nil for all.
  init(collections: [String]?) {
    self.collections = collections.map { .array($0.map(JSONValue.string)) }
  }

  /// Subscribes, and returns the changes since the last notification, as the params of the notifications that would
  /// have been sent.
  mutating func begin(_ conversation: Conversation) async throws -> [JSONValue] {
    let start = try await conversation.client.call("changes/subscribe", params())["since"]?.integerValue
    var missed: [JSONValue] = []
    // Changes after `start` are notified without a request.
    while let known = clock, let start, known < start || epoch != conversation.epoch {
      let delta = try await conversation.client.call("changes/since", params(["clock": .integer(known)]))
      let isOutdated = delta["clock"]?.integerValue != known || delta["epoch"]?.stringValue != epoch
      move(to: delta)
      missed.append(delta)
      guard isOutdated else { break }
    }
    clock = clock ?? start
    epoch = conversation.epoch
    return missed.filter { $0["reset"] != nil || $0["changes"]?.arrayValue?.isEmpty == false }
  }

  /// Whether it was already reported, among the missed changes.
  mutating func isKnown(_ notification: ServerNotification) -> Bool {
    guard notification.method == Self.didCommit, let committed = notification.params["clock"]?.integerValue else {
      return false
    }
    if let clock, committed <= clock { return true }
    move(to: notification.params)
    return false
  }

  private mutating func move(to delta: JSONValue) {
    clock = delta["clock"]?.integerValue ?? clock
    epoch = delta["epoch"]?.stringValue ?? epoch
  }

  private func params(_ more: JSONObject = [:]) -> JSONValue {
    var params = more
    if let collections { params["collections"] = collections }
    if !more.isEmpty, let epoch { params["epoch"] = .string(epoch) }
    return .object(params)
  }

  static let didCommit = "changes/didCommit"
}
