import Contract
import Exchange
import Kit
import Wire

/// Parts of a task that the line formats have no syntax for, as `key:value` tokens that other programs leave alone.
/// Values are percent-encoded, so that each is one token whatever it contains.
///
///     cp-id:0192f0c1-7b1e-7000-8000-000000000000 cp-revision:42,0192f0c1-6a00-7000-8000-000000000000 cp-note:To%20Bob.
///
/// The revision is a number, and the history in which the number is valid (`FileRevision.history`).
///
/// Among the words of a title they have the prefix `cp-`: people and other programs write `id:` and `note:` too. Our
/// own comment in a line needs no prefix.
struct ExtensionProperties {
  private var properties: [(key: String, value: String)] = []

  static let prefix = "cp-"

  static let keys = Set(
    [
      "id", "revision", "title", "note", "tags", "due", "time", "state", "rrule", "recurrence", "blockedBy", "parent",
      CardBoardProperty.key, CardBoardProperty.archivedKey, ColumnProperty.openKey, ColumnProperty.closedKey,
      BoardProperty.key, EscapedBody.key,
    ] + PlainField.all.map(\.name))

  /// The parts of a task that its line lacks, or states differently: a title may end in a day, or in ⏫.
  ///
  /// - Parameters:
  ///   - read: the task as the line is read without properties.
  ///   - note: the body, if it has no lines of its own.
  init(of task: ExternalTask, besides read: ExternalTask, note: String?, boards: CardBoards) {
    if task.state != read.state { add("state", task.state.rawValue) }
    if !task.hasBoard(of: read), let board = CardBoardProperty.property(of: task, among: boards) {
      add(board.key, board.value)
    }
    if let column = ColumnProperty.property(of: task, among: boards) { add(column.key, column.value) }
    if !ProjectText.isSame(task.title, read.title) { add("title", task.title) }
    add("note", note)
    if !ProjectText.areSame(task.tags, read.tags) { add("tags", task.tags, by: "\n") }
    if task.deadline != read.deadline { add("due", task.deadline?.description ?? Self.none) }
    add("time", task.time)
    for plain in PlainField.all where !plain.isSame(task, read) {
      add(plain.name, plain.word(in: task.card) ?? Self.none)
    }
    // The recurrence details replace earlier ones, so they follow the rule.
    let isOtherRule = task.recurrence?.rule != read.recurrence?.rule
    if isOtherRule { add("rrule", task.recurrence?.rule ?? Self.none) }
    if isOtherRule || task.recurrenceDetails != read.recurrenceDetails { add("recurrence", task.recurrenceDetails) }
    if !ProjectText.areSame(task.blockedBy.sorted(), read.blockedBy.sorted()) {
      add("blockedBy", task.blockedBy, by: ",")
    }
    if task.parent != read.parent { add("parent", task.parent ?? Self.none) }
    add("id", task.uid)
    add("revision", task.revision?.word)
    add(BoardProperty.key, BoardProperty.value(of: task.allColumns))
  }

  mutating func add(_ key: String, _ value: String?) {
    if let value { properties.append((key, value)) }
  }

  /// An empty list is a line end, which no name and no tag contains.
  private mutating func add(_ key: String, _ list: [String], by separator: String) {
    add(key, list.isEmpty ? "\n" : list.joined(separator: separator))
  }

  private static let none = "none"

  func texts(prefix: String = "") -> [String] { properties.map { "\(prefix)\($0.key):\(Self.encoded($0.value))" } }

  /// nil for a token that is not ours, or whose value is invalid: such a token stays in the title.
  static func parse(_ token: some StringProtocol, prefix: String = "") -> (key: String, value: String)? {
    guard token.utf8.starts(with: prefix.utf8), let colon = token.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    let key = String(String(token[..<colon]).dropFirst(prefix.count))
    guard keys.contains(key), let value = decoded(String(token[token.utf8.index(after: colon)...])), !value.isEmpty
    else { return nil }
    var nobody = ExternalTask()
    return apply((key, value), to: &nobody) ? (key, value) : nil
  }

  /// The field of a token that would be ours if its value were valid, and that value.
  static func unread(_ token: some StringProtocol, prefix: String = "") -> (field: String, value: String)? {
    guard token.utf8.starts(with: prefix.utf8), let colon = token.utf8.firstIndex(of: UInt8(ascii: ":")),
      let field = fields[String(String(token[..<colon]).dropFirst(prefix.count))], parse(token, prefix: prefix) == nil
    else { return nil }
    let value = String(token[token.utf8.index(after: colon)...])
    return (field, decoded(value) ?? value)
  }

  private static let fields = ["due": "deadline", "time": "time", "rrule": "recurrence"].merging(
    PlainField.all.map { ($0.name, $0.name) }, uniquingKeysWith: { own, _ in own })

  /// The tags of a line that has them both in `tags` and, if possible, as words. If the words differ from those that
  /// `tags` would give, somebody has edited them, and the words win.
  ///
  /// - Parameters:
  ///   - stored: the value of `tags`.
  ///   - shown: the tags that are words of the line.
  ///   - word: returns how a tag is read once it is written as a word; nil if it cannot be written so.
  static func tags(_ stored: [String], shown: [String], word: (String) -> String?) -> [String] {
    let written = Set(stored.compactMap(word))
    if stored.isEmpty || written == Set(shown) { return stored }
    let left = stored.filter { tag in word(tag).map { shown.contains($0) } ?? true }
    return left + shown.filter { !written.contains($0) }
  }

  /// Puts a property into a task.
  ///
  /// - Returns: false if its value is invalid.
  @discardableResult
  static func apply(_ property: (key: String, value: String), to task: inout ExternalTask) -> Bool {
    let value = property.value
    switch property.key {
    case "id": task.uid = value
    case "revision":
      guard let revision = FileRevision(word: value) else { return false }
      task.revision = revision
    case "title": task.title = value
    case "note": task.body = value
    case "tags": task.tags = value.split(separator: "\n").map(String.init)
    case "due":
      let day = CalendarDay(value)
      guard day != nil || value == none else { return false }
      task.deadline = day
    case "time":
      guard let local = LocalDateTime(day: CalendarDay(daysSince1970: 0), time: value) else { return false }
      task.time = local.clock
    case "state":
      guard let state = ExternalTask.State(rawValue: value) else { return false }
      task.state = state
    case "rrule":
      // Replaces whatever the words of the title state.
      task.recurrence = value == none ? nil : Recurrence(rule: value)
    case "recurrence":
      task.recurrence = task.recurrence.map { Recurrence(rule: $0.rule, details: value) }
    // Describes the lines below it.
    case EscapedBody.key: return value == EscapedBody.value
    case ColumnProperty.openKey, ColumnProperty.closedKey:
      guard let column = ColumnProperty.column(property) else { return false }
      (task.column, task.named) = (column.state, column)
    case BoardProperty.key:
      task.allColumns = BoardProperty.columns(value)
      return !task.allColumns.isEmpty
    case CardBoardProperty.key, CardBoardProperty.archivedKey:
      return CardBoardProperty.read(value, isArchived: property.key == CardBoardProperty.archivedKey, into: &task)
    case "parent": (task.parent, task.statesParent) = (value == none ? nil : value, true)
    case "blockedBy": task.blockedBy = value == "\n" ? [] : value.split(separator: ",").map(String.init)
    default:
      guard let plain = PlainField.all.first(where: { $0.name == property.key }) else { return false }
      if value != none { return plain.assign(word: value, to: &task.card) }
      plain.clear(in: &task.card)
    }
    return true
  }

  private static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      // Characters that are safe in a token of every format. Other characters are percent-encoded byte by byte.
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ","),
        UInt8(ascii: ";"), UInt8(ascii: "="):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      // Two in a row would end a comment.
      case UInt8(ascii: "-") where encoded.utf8.last != byte: encoded += "-"
      default: encoded += "%" + hexadecimalPair(byte)
      }
    }
    return encoded
  }

  private static func hexadecimalPair(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    return "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
  }

  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
