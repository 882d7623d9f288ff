import Synchronization
import Wire

/// A line on the terminal that shows the progress of a long request, and disappears when it is done.
///
///     Adding a document  [##########··········]  48 %  3.1 of 6.4 MB
final class ProgressBar: Sendable {
  private struct State {
    var title = ""
    var isShown = false
  }

  private let state = Mutex(State())

  /// The `value` of a `$/progress`.
  func show(_ value: JSONValue) {
    state.withLock { state in
      if let title = value["title"]?.stringValue { state.title = title }
      // A request that ends at once shows no bar.
      guard value["kind"] == "report" else { return }
      let line = Self.line(
        title: state.title, percentage: value["percentage"]?.integerValue.map(Int.init),
        message: value["message"]?.stringValue, width: Terminal.width)
      Terminal.write("\r\u{1B}[K" + line, to: 2)
      state.isShown = true
    }
  }

  func clear() {
    state.withLock { state in
      if state.isShown { Terminal.write("\r\u{1B}[K", to: 2) }
      state.isShown = false
    }
  }

  /// One line that fits; a terminal that wraps it could not be cleared. It is never full: a finished request has no
  /// bar, so a full bar would be wrong.
  static func line(title: String, percentage: Int?, message: String?, width: Int) -> String {
    var parts = [title]
    if let percentage {
      let percentage = min(99, max(0, percentage))
      let full = percentage / 5
      let digits = String(percentage)
      parts.append("[" + String(repeating: "#", count: full) + String(repeating: "·", count: 20 - full) + "]")
      parts.append(String(repeating: " ", count: 3 - digits.count) + digits + " %")
    }
    if let message { parts.append(message) }
    let line = parts.filter { !$0.isEmpty }.joined(separator: "  ")
    return TextWidth.cut(line, to: max(10, width - 1))
  }
}
