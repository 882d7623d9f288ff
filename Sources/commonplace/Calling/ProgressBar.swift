import Synchronization
import Wire

/// A line on the terminal that shows how far a long request is, and goes when it is done.
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
      // Nothing is drawn for a request that is over as soon as it has begun.
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

  /// One line that fits; a terminal that wraps it could not be cleared. It is never at its end: what is done has no bar,
  /// and one that is full while something is still being done says what is not so.
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
