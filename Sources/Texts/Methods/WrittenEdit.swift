import Contract
import Display
import Kit
import Store
import Wire

/// A position of LSP in a reply of ours.
struct WrittenPosition: Payload {
  var line: Int
  var character: Int
  static let example = WrittenPosition(line: 2, character: 0)
  static let fields = [
    "line": "The line, from 0.", "character": "The offset in it, in the client's position encoding.",
  ]
}

/// A range of LSP in a reply of ours.
struct WrittenRange: Payload {
  var start: WrittenPosition
  var end: WrittenPosition
  static let example = WrittenRange(start: .example, end: WrittenPosition(line: 3, character: 0))
  static let fields = ["start": "Its beginning.", "end": "Its end, exclusive."]

  init(start: WrittenPosition, end: WrittenPosition) { (self.start, self.end) = (start, end) }

  /// Whole lines of a text: to the beginning of the next one, or to the end of the last one.
  init(_ lines: Range<Int>, of text: [Substring], in encoding: PositionEncoding) {
    func position(_ line: Int) -> WrittenPosition {
      guard line >= text.count, let last = text.last else { return WrittenPosition(line: line, character: 0) }
      return WrittenPosition(line: text.count - 1, character: Self.length(of: last, in: encoding))
    }
    self.init(start: position(lines.lowerBound), end: position(lines.upperBound))
  }

  private static func length(of line: Substring, in encoding: PositionEncoding) -> Int {
    switch encoding {
    case .utf8: line.utf8.count
    case .utf16: line.utf16.count
    case .utf32: line.unicodeScalars.count
    }
  }
}

/// An edit of LSP: the range is replaced.
struct WrittenEdit: Payload {
  var range: WrittenRange
  var newText: String
  static let example = WrittenEdit(range: .example, newText: "- [ ] Return the book ^k3f2\n")
  static let fields = ["range": "The replaced range.", "newText": "The text in its place."]

  /// The edits that make one text of another, line by line.
  static func edits(from old: String, to new: String, in encoding: PositionEncoding) -> [WrittenEdit] {
    if sameBytes(old, new) { return [] }
    let lines = TextLines.split(old)
    let pieces = [lines, TextLines.split(new)].map(withEnds)
    var edits: [WrittenEdit] = []
    var (before, after) = (0, 0)
    for pair in SamePieces(pieces[0][...], pieces[1][...]).pairs + [(pieces[0].count, pieces[1].count)] {
      if before < pair.old || after < pair.new {
        edits.append(
          WrittenEdit(
            range: WrittenRange(before..<pair.old, of: lines, in: encoding),
            newText: pieces[1][after..<pair.new].joined()))
      }
      (before, after) = (pair.old + 1, pair.new + 1)
    }
    return edits
  }

  /// Lines with their line ends, without the empty one at the end.
  static func withEnds(_ lines: [Substring]) -> [Substring] {
    var pieces = lines.dropLast().map { Substring($0 + "\n") }
    if let last = lines.last, !last.isEmpty { pieces.append(last) }
    return pieces
  }
}
