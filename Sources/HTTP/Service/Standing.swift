import Synchronization

/// Who waits for a call. May rise while the call waits: a person joins what was asked for by nobody.
final class Standing: Sendable {
  private let level: Mutex<HTTPRequest.Urgency>

  init(_ urgency: HTTPRequest.Urgency) {
    level = Mutex(urgency)
  }

  var urgency: HTTPRequest.Urgency { level.withLock(\.self) }

  func raise(to urgency: HTTPRequest.Urgency) {
    level.withLock { $0 = max($0, urgency) }
  }
}
