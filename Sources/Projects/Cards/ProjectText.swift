import Contract
import Exchange
import Wire

/// What texts of a card may contain, and when two are the same.
enum ProjectText {
  /// - Throws: `invalidParams` for a title with a line end or a control character.
  static func requireOneLine(_ text: JSONValue, field: String) throws(RPCError) {
    let wrong = (text.stringValue ?? "").unicodeScalars.filter(\.isLineEndOrControl)
    if wrong.isEmpty { return }
    let breaks = wrong.contains { Character($0).isNewline }
    throw .invalidParams(field: field, reason: breaks ? Text("projects.oneLine") : Text("projects.noControl"))
  }

  /// A title has one line and no character that breaks it. White space around it is removed, and so is a byte order
  /// mark before it, as in texts that were files once.
  static func title(_ text: String) -> String {
    let text = text.drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    guard text.unicodeScalars.contains(where: breaksLine) else { return trimmed(text) }
    return trimmed(text.split { $0.unicodeScalars.contains(where: breaksLine) }.joined(separator: " "))
  }

  /// A text with NUL is not cleaned but refused as a whole.
  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool { scalar != "\0" && scalar.isLineEndOrControl }

  static func trimmed(_ text: some StringProtocol) -> String {
    let front = text.drop(while: \.isWhitespace)
    let end = front.lastIndex { !$0.isWhitespace }.map { front.index(after: $0) }
    return String(front[..<(end ?? front.startIndex)])
  }

  /// Whether two texts are equal but for their line ends.
  static func isSame(_ left: String, _ right: String) -> Bool {
    sameBytes(left, right) || sameBytes(unified(left), unified(right))
  }

  /// Whether the texts of two lists are equal.
  static func areSame(_ left: [String], _ right: [String]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy(sameBytes)
  }

  private static func unified(_ text: String) -> String {
    TextLine.lines(of: text).map { $0.text + ($0.end.isEmpty ? "" : "\n") }.joined()
  }
}
