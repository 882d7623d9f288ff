import Synchronization
import Wire

/// Reports the daemon's progress of one request under the token that the client gave it.
final class ProgressReport: Sendable {
  private struct State {
    var last = 0.0
    var isOpen = true
  }

  private let token: JSONValue
  private let output: Output
  private let permissions: Permissions
  private let state = Mutex(State())

  init(_ token: JSONValue, _ output: Output, _ permissions: Permissions) {
    (self.token, self.output, self.permissions) = (token, output, permissions)
  }

  /// Reports a value that is larger than the one before.
  func report(_ value: JSONValue) {
    guard let percentage = value["percentage"]?.doubleValue else { return }
    var params: JSONObject = ["progressToken": token, "progress": .number(percentage), "total": 100]
    let message = value["message"]?.stringValue.map(HiddenScalars.replaced)
    if let message, permissions.allows(.files) || !Redaction.namesFile(message) {
      params["message"] = .string(message)
      // It may name an item.
      params["_meta"] = ["commonplace/untrusted": true]
    }
    let notification = MessageBytes.notification(method: "notifications/progress", params: .object(params))
    // Written under the lock, so that nothing follows `end`.
    state.withLock { state in
      guard state.isOpen, percentage > state.last else { return }
      state.last = percentage
      output.send(notification)
    }
  }

  /// Ends the reports, before the answer is written.
  func end() { state.withLock { $0.isOpen = false } }
}
