import Contract
import Exchange
import Kit
import Wire

/// A file that is given as another format than it is. Most of all as todo.txt, which any text could be: of a calendar each
/// line would be a card.
enum MistakenFormat: Equatable {
  case format(TaskFormat)
  /// Of none of the programs that are known here.
  case json

  /// What bytes are beyond doubt that are given as `format`; nil where they may be that.
  ///
  /// - Parameter hasFailed: whether they could not be read as that, so that what they look like is enough.
  init?(_ bytes: [UInt8], as format: TaskFormat, hasFailed: Bool = false) {
    switch TaskExchange.format(of: bytes) {
    case nil:
      guard format == .todotxt, Self.isJSON(bytes) else { return nil }
      self = .json
    case format: return nil
    case .markdown:
      guard hasFailed || format == .todotxt && Self.isTaskList(bytes) else { return nil }
      self = .format(.markdown)
    case let found?: self = .format(found)
    }
  }

  func error(of source: String, as format: TaskFormat) -> RPCError {
    switch self {
    case .format(let found):
      RPCError(
        .corrupt,
        text: Text("import.otherFormat", ["source": source, "format": format.rawValue, "found": found.rawValue]))
    case .json: RPCError(.corrupt, text: Text("import.otherJSON", ["source": source, "format": format.rawValue]))
    }
  }

  /// An object or an array of objects, or one in each line. Brackets alone say nothing: `[1]` is a footnote.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    func isWhole(_ bytes: [UInt8]) -> Bool {
      switch try? JSONParser.parse(bytes) {
      case .object: true
      case .array(let elements):
        !elements.isEmpty
          && elements.allSatisfy {
            if case .object = $0 { true } else { false }
          }
      default: false
      }
    }
    let text = bytes.withoutByteOrderMark
    guard let first = text.first(where: { !UInt8.blanks.contains($0) }),
      [UInt8(ascii: "["), UInt8(ascii: "{")].contains(first)
    else { return false }
    if isWhole(Array(text)) { return true }
    return text.split(separator: 0x0A).allSatisfy { line in
      line.allSatisfy(UInt8.blanks.contains) || isWhole(Array(line))
    }
  }

  /// Whether most of its lines are tasks of Markdown, but for headings and what lies deeper, and none is one of todo.txt.
  private static func isTaskList(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else { return false }
    var (tasks, others) = (0, 0)
    for line in TextLine.lines(of: text).map(\.text) {
      if TodoTxtLine(line).hasHead { return false }
      if MarkdownTaskLine(line) != nil {
        tasks += 1
      } else if let first = line.first, !first.isWhitespace, first != "#", first != ">" {
        others += 1
      }
    }
    return tasks > others
  }
}

extension UInt8 {
  fileprivate static let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
}

extension ForeignFile {
  /// Says so where there is nothing in it to take over, which would else look as if all of it were there already.
  mutating func noteIfNothing(in bytes: [UInt8], as format: TaskFormat) {
    guard tasks.isEmpty, notes.isEmpty, columns.isEmpty else { return }
    if bytes.isBlankText || bytes.isEmptyArray {
      skip(.blank, line: nil, text: Text("import.nothingInFile"))
    } else if format == .markdown {
      skip(.notTask, line: nil, text: Text("import.noTaskLine"))
    }
  }
}

extension [UInt8] {
  /// A file with nothing in it but blanks.
  var isBlankText: Bool { withoutByteOrderMark.allSatisfy(UInt8.blanks.contains) }

  /// What programs write as JSON that have nothing to hand on: `[]`.
  var isEmptyArray: Bool {
    withoutByteOrderMark.lazy.filter { !UInt8.blanks.contains($0) }.prefix(3).elementsEqual("[]".utf8)
  }
}
