import Contract
import Wire

extension ObjectShape.Field {
  /// Whether its text is one line, as titles, days, numbers and passwords are; what somebody writes in paragraphs is not,
  /// and neither is JSON.
  ///
  /// Nothing says so but the length that a text may have, and the name of a title, of which a diary takes very long ones.
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
  /// What a file of one line says: editors end it with a line end, and some begin it with a mark of the byte order, that
  /// belong to no title. Of several line ends only the last goes: an empty line was written by somebody.
  var asLine: String {
    var line = self[...]
    if line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
    // Both are one character.
    if line.last == "\n" || line.last == "\r\n" { line.removeLast() }
    return String(line)
  }
}
