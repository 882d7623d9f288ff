import Kit
import Wire

/// A line of a text with its line end. Together the lines are the text, byte for byte.
///
/// Lines end at LF or CRLF, which is checked byte by byte: to Swift a CRLF is one character that a search for LF does
/// not find.
package struct TextLine: Sendable, Equatable {
  package var text: String
  package var end: String

  package var whole: String { text + end }

  /// The number of lines in bytes; the last one need not have a line end.
  package static func count(in bytes: [UInt8]) -> Int {
    bytes.count { $0 == 0x0A } + (bytes.last == 0x0A || bytes.isEmpty ? 0 : 1)
  }

  /// - Throws: `WrongFormat` for bytes that are no text.
  package static func lines(ofFile bytes: [UInt8]) throws(WrongFormat) -> [TextLine] {
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
      throw WrongFormat(reason: "notUTF8")
    }
    if text.utf8.contains(0) { throw WrongFormat(reason: "hasNUL") }
    return lines(of: text)
  }

  package static func lines(of text: String) -> [TextLine] {
    var lines: [TextLine] = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      guard let feed = rest.firstIndex(of: 0x0A) else {
        lines.append(TextLine(text: String(Substring(rest)), end: ""))
        break
      }
      let line = rest[..<feed]
      let hasReturn = line.last == 0x0D
      lines.append(
        TextLine(text: String(Substring(hasReturn ? line.dropLast() : line)), end: hasReturn ? "\r\n" : "\n"))
      rest = rest[rest.index(after: feed)...]
    }
    return lines
  }
}

extension TextLine {
  /// Removes byte order marks from its beginning, and returns them: concatenated files have them in the middle. They
  /// stay in place between the tasks.
  package mutating func takeByteOrderMark() -> String {
    let marks = text.unicodeScalars.prefix { $0 == "\u{FEFF}" }
    if marks.isEmpty { return "" }
    text = String(text.unicodeScalars[marks.endIndex...])
    return String(marks)
  }
}
