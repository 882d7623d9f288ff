/// A body with tasks in it, below its own task in a Markdown list: a backslash keeps them from being tasks themselves, as
/// it does wherever Markdown is shown. The task's comment says so, and so nobody's own backslash is taken for one.
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
