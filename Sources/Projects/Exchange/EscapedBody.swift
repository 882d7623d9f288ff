/// A body with tasks in it, below its own task in a Markdown list. A backslash keeps them from being tasks, as in
/// Markdown in general. The task's comment states that the body is escaped, so that other backslashes are left alone.
///
///     - [ ] Shopping <!-- commonplace body:escaped id:0192 … -->
///       - \[ ] milk
enum EscapedBody {
  static let key = "body"
  static let value = "escaped"

  static func escaped(_ line: String) -> String {
    guard let match = line.wholeMatch(of: /([ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)(\\*\[.*)/) else { return line }
    return "\(match.output.1)\\\(match.output.2)"
  }

  static func unescaped(_ line: String) -> String {
    guard let match = line.wholeMatch(of: /([ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)\\(\\*\[.*)/) else { return line }
    return "\(match.output.1)\(match.output.2)"
  }
}
