import Contract
import Wire

extension ObjectShape.Field {
  /// Whether its text is one line, such as titles, days, numbers and passwords; texts in paragraphs and JSON are not.
  ///
  /// This is derived from the maximum length of the text, and from the name of a title, since a diary accepts very
  /// long ones.
  var isLine: Bool {
    switch shape {
    case .string:
      limits.form != nil || sameBytes(name, "title") || (limits.maximumLength ?? 0) <= Self.longestLine
    case .boolean, .integer, .number, .text, .choice: true
    case .array(let element):
      switch element {
      case .string, .boolean, .integer, .number, .text, .choice: true
      default: false
      }
    case .any, .null, .dictionary, .object, .recursion: false
    }
  }

  /// Addresses and links are the longest.
  private static let longestLine = 8_192
}

extension String {
  /// The content of a file with one line, without the line end and the byte order mark that editors add. Of several
  /// line ends only the last is removed: empty lines are intended.
  var asLine: String {
    var line = self[...]
    if line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
    // Both are one character.
    if line.last == "\n" || line.last == "\r\n" { line.removeLast() }
    return String(line)
  }
}
