import Contract
import Exchange
import Kit
import Wire

/// The likely format of a file that was given as another one. This matters most for todo.txt, which any text could be:
/// each line of a calendar would become a card.
enum MistakenFormat: Equatable {
  case format(TaskImportFormat)
  /// JSON of no known program.
  case json

  /// The certain format of bytes that were given as `format`; nil if they may be in `format`.
  ///
  /// - Parameter hasFailed: whether reading them as `format` has failed, so that a likely format is enough.
  init?(_ bytes: [UInt8], as format: TaskFormat, hasFailed: Bool = false) {
    if TodoistFile.isIts(bytes) {
      self = .format(.todoist)
      return
    }
    switch TaskExchange.format(of: bytes) {
    case nil:
      guard format == .todotxt, Self.isJSON(bytes) else { return nil }
      self = .json
    case format: return nil
    case .markdown:
      guard hasFailed || format == .todotxt && Self.isTaskList(bytes) else { return nil }
      self = .format(.markdown)
    case let found?: self = .format(TaskImportFormat(found))
    }
  }

  func error(of source: String, as format: TaskImportFormat) -> RPCError {
    switch self {
    case .format(let found):
      RPCError(
        .corrupt,
        text: Text("import.otherFormat", ["source": source, "format": format.rawValue, "found": found.rawValue]))
    case .json: RPCError(.corrupt, text: Text("import.otherJSON", ["source": source, "format": format.rawValue]))
    }
  }

  /// An object or an array of objects, or one in each line. Brackets alone prove nothing: `[1]` is a footnote.
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

  /// Whether most of its lines are Markdown tasks, not counting headings and indented lines, and none has a todo.txt
  /// head.
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

extension TaskFile {
  /// Notes that there is nothing to import; otherwise it would look as if everything had been imported before.
  mutating func noteIfNothing(in bytes: [UInt8], as format: TaskFormat) {
    guard tasks.isEmpty, notes.isEmpty, namesNoBoard else { return }
    if bytes.isBlankText || bytes.isEmptyArray {
      skip(.blank, line: nil, text: Text("import.nothingInFile"))
    } else if format == .markdown {
      skip(.notTask, line: nil, text: Text("import.noTaskLine"))
    }
  }
}

extension [UInt8] {
  /// Whether a file contains only white space.
  var isBlankText: Bool { withoutByteOrderMark.allSatisfy(UInt8.blanks.contains) }

  /// Whether a file is `[]`, the JSON of programs that have nothing to export.
  var isEmptyArray: Bool {
    withoutByteOrderMark.lazy.filter { !UInt8.blanks.contains($0) }.prefix(3).elementsEqual("[]".utf8)
  }
}
