import Wire

/// A stored text as an editor shows it in lines.
///
/// Editors cannot hold NUL in a text, and disagree whether a CR without LF ends a line. Both are shown as U+FFFD, and
/// such a text is not written back.
package enum ShownLines {
  /// Whether the text is shown as it is stored.
  package static func isFaithful(_ text: String) -> Bool {
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0 || previous == carriageReturn && byte != lineFeed { return false }
      previous = byte
    }
    return previous != carriageReturn
  }

  package static func shown(_ text: String) -> String {
    if isFaithful(text) { return text }
    var shown = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (place, scalar) in scalars.enumerated() {
      let isLone = scalar == "\r" && (place + 1 == scalars.count || scalars[place + 1] != "\n")
      shown.append(isLone || scalar == "\0" ? "\u{FFFD}" : scalar)
    }
    return String(shown)
  }

  private static let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
}
