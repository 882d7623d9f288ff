/// Text in XML that is written.
package enum XMLText {
  /// For an element or an attribute, without the characters that are invalid in XML.
  package static func escaped(_ text: String) -> String {
    let allowed = text.unicodeScalars.filter {
      $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF || $0 == "\t"
    }
    return FeedText.escaped(String(String.UnicodeScalarView(allowed)))
  }

  /// The same for a text of several lines.
  package static func escaped(lines text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(separator: "\n")
  }
}
