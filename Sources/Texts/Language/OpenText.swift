import Display
import Kit
import Store
import Synchronization
import Wire

/// One version of a text that a client has open. It never changes: an edit makes the next version, which shares its
/// unchanged lines.
///
/// Lines end in LF or CRLF. A CR alone ends none: Neovim, Emacs and Helix count so, and VS Code sends none.
final class OpenText: Sendable {
  let uri: String
  let languageID: String
  let version: Int
  /// With their ends. A text that ends in a line end has an empty last line, so there is always one.
  let lines: TextLineList
  let byteCount: Int
  private let scanned = Mutex<TextScan?>(nil)
  private let fences = Mutex<Set<Int>?>(nil)

  /// Longer texts have no features, except texts of the library.
  private static let longestOrdinary = 2 << 20

  /// Whether requests about it have results. In a long text of the library conflicts must be settled as well.
  func isServed(with services: Services) -> Bool { byteCount <= Self.longestOrdinary || path(in: services) != nil }

  init(uri: String, languageID: String, version: Int, lines: TextLineList, byteCount: Int) {
    (self.uri, self.languageID, self.version) = (uri, languageID, version)
    (self.lines, self.byteCount) = (lines, byteCount)
  }

  convenience init(uri: String, languageID: String, version: Int, text: String) {
    self.init(
      uri: uri, languageID: languageID, version: version, lines: TextLineList(Self.lines(of: text)),
      byteCount: text.utf8.count)
  }

  /// The lines of this version that are between fences; found once. In code there are none.
  ///
  /// Apart from the links, since every key that asks for completions needs it.
  var fenced: Set<Int> {
    fences.withLock { fences in
      if let fences { return fences }
      let made = TextScan.isProse(languageID) ? TextScan.fences(in: lines) : []
      fences = made
      return made
    }
  }

  /// The links of this version; found once.
  var scan: TextScan {
    scanned.withLock { scanned in
      if let scanned { return scanned }
      let made = TextScan(of: self)
      scanned = made
      return made
    }
  }

  var text: String { lines.joined() }

  func line(_ number: Int) -> String { lines.indices.contains(number) ? lines[number] : "" }

  /// A line without its end.
  func content(_ number: Int) -> String {
    let line = line(number)
    return line.bytes(0..<line.contentCount)
  }

  /// Splits after each LF; the last line has none.
  static func lines(of text: String) -> [String] {
    var lines: [String] = []
    let utf8 = text.utf8
    var start = utf8.startIndex
    while let end = utf8[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let next = utf8.index(after: end)
      lines.append(String(decoding: utf8[start..<next], as: UTF8.self))
      start = next
    }
    lines.append(String(decoding: utf8[start...], as: UTF8.self))
    return lines
  }

  /// The next version: the changes of one `didChange`, each in the text that the one before it left.
  func changed(_ changes: [TextEdit], version: Int, in encoding: PositionEncoding) -> OpenText {
    var (lines, count) = (lines, byteCount)
    for change in changes {
      guard let range = change.range else {
        lines = TextLineList(Self.lines(of: change.text))
        count = change.text.utf8.count
        continue
      }
      // A position after the end is the end: an editor that counts a last line more must not lose the edit.
      let first = min(range.start.line, lines.count - 1)
      let last = min(range.end.line, lines.count - 1)
      let from =
        range.start.line > first
        ? lines[first].contentCount : encoding.byteOffset(of: range.start.character, in: lines[first])
      let to =
        range.end.line > last
        ? lines[last].contentCount : encoding.byteOffset(of: range.end.character, in: lines[last])
      let head = lines[first].bytes(0..<from)
      let tail = lines[last].bytes(max(to, first == last ? from : 0)..<lines[last].utf8.count)
      var replaced = Self.lines(of: head + change.text + tail)
      // The line end of any line but the last one begins no line of its own: the next line follows.
      if last < lines.count - 1 { replaced.removeLast() }
      let before = lines[first...last].reduce(0) { $0 + $1.utf8.count }
      lines.replaceSubrange(first...last, with: replaced)
      count += replaced.reduce(0) { $0 + $1.utf8.count } - before
    }
    return OpenText(uri: uri, languageID: languageID, version: version, lines: lines, byteCount: count)
  }

  // MARK: - Positions

  /// A range within a line, by offsets in UTF-8 bytes.
  func range(_ line: Int, _ bytes: Range<Int>, in encoding: PositionEncoding) -> PositionRange {
    let text = self.line(line)
    return PositionRange(
      TextPosition(line: line, character: encoding.character(ofByte: bytes.lowerBound, in: text)),
      TextPosition(line: line, character: encoding.character(ofByte: bytes.upperBound, in: text)))
  }

  /// The offset in UTF-8 bytes in the line of a position.
  func byte(of position: TextPosition, in encoding: PositionEncoding) -> Int {
    encoding.byteOffset(of: position.character, in: line(position.line))
  }
}

/// One change of a `didChange`: a range that is replaced, or the whole text.
struct TextEdit: Sendable {
  var range: PositionRange?
  var text: String

  /// Nil for a change that is none of LSP's two forms.
  init?(_ value: JSONValue) {
    guard let text = value["text"]?.stringValue else { return nil }
    self.text = text
    guard let given = value["range"], !given.isNull else { return }
    guard let range = PositionRange(given) else { return nil }
    self.range = range
  }

  init(range: PositionRange? = nil, text: String) { (self.range, self.text) = (range, text) }
}
