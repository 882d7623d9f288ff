import Contract
import Wire

/// What the line formats have no words for, as `key:value` words that other programs leave alone. Values are
/// percent-encoded, so that each is one word whatever is in it.
///
///     cp-id:0192f0c1-7b1e-7000-8000-000000000000 cp-revision:42,0192f0c1-6a00-7000-8000-000000000000 cp-note:To%20Bob.
///
/// The revision is a number and the history in which it means something (`FileRevision.history`).
///
/// Where they stand among the words of a title they have a prefix of our own: `id:` and `note:` are words that people and
/// other programs write too. A comment that says that it is ours needs none.
struct OwnWords {
  private var words: [(key: String, value: String)] = []

  static let prefix = "cp-"

  static let keys: Set = [
    "id", "revision", "title", "note", "tags", "due", "time", "state", "priority", "rrule", "recurrence", "blockedBy",
    ColumnWord.openKey, ColumnWord.closedKey, BoardWord.key, EscapedBody.key,
  ]

  init() {}

  /// nil for a word that is none of ours, or whose value makes no sense: that one stays just a word.
  static func parse(_ word: some StringProtocol, prefix: String = "") -> (key: String, value: String)? {
    guard word.utf8.starts(with: prefix.utf8), let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    let key = String(String(word[..<colon]).dropFirst(prefix.count))
    guard keys.contains(key), let value = decoded(String(word[word.utf8.index(after: colon)...])), !value.isEmpty
    else { return nil }
    var nobody = ForeignTask()
    return take((key, value), into: &nobody) ? (key, value) : nil
  }

  /// The field that a word is about which is ours but for its value, and that value.
  static func unread(_ word: some StringProtocol, prefix: String = "") -> (field: String, value: String)? {
    guard word.utf8.starts(with: prefix.utf8), let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")),
      let field = fields[String(String(word[..<colon]).dropFirst(prefix.count))], parse(word, prefix: prefix) == nil
    else { return nil }
    let value = String(word[word.utf8.index(after: colon)...])
    return (field, decoded(value) ?? value)
  }

  private static let fields = ["due": "deadline", "time": "time", "priority": "priority", "rrule": "recurrence"]

  mutating func add(_ key: String, _ value: String?) {
    if let value { words.append((key, value)) }
  }

  /// None at all is a line end.
  mutating func add(tags: [String]) { add("tags", tags.isEmpty ? "\n" : tags.joined(separator: "\n")) }

  /// The tags of a line whose words say them too, as far as a word can: where these are not those of the tags that the
  /// line keeps, somebody has edited them, and they hold.
  ///
  /// - Parameters:
  ///   - kept: what `tags` says.
  ///   - shown: what the words say.
  ///   - word: as what a tag is read that is written as a word; nil where that is none.
  static func tags(_ kept: [String], shown: [String], word: (String) -> String?) -> [String] {
    let written = Set(kept.compactMap(word))
    if kept.isEmpty || written == Set(shown) { return kept }
    return kept.filter { tag in word(tag).map { shown.contains($0) } ?? true } + shown.filter { !written.contains($0) }
  }

  mutating func add(_ revision: FileRevision?) { add("revision", revision?.word) }

  mutating func add(columnOf task: ForeignTask, among columns: [KeptColumn]) {
    if let word = ColumnWord.word(of: task, among: columns) { add(word.key, word.value) }
  }

  /// What is written in another way than it is: a day that a title ends in, say. None at all is a word too.
  mutating func add(due day: CalendarDay?) { add("due", day?.description ?? Self.none) }

  /// The same of what a title says that is none of its card's: one may end in ⏫.
  mutating func add(priority: Int?) { add("priority", priority.map(String.init) ?? Self.none) }
  mutating func add(rule: String?) { add("rrule", rule ?? Self.none) }
  /// None at all is a line end, which is nobody's name.
  mutating func add(blockedBy names: [String]) {
    add("blockedBy", names.isEmpty ? "\n" : names.joined(separator: ","))
  }

  private static let none = "none"

  func texts(prefix: String = "") -> [String] { words.map { "\(prefix)\($0.key):\(Self.encoded($0.value))" } }

  /// Takes what a word says into a task; false where its value makes no sense.
  @discardableResult
  static func take(_ word: (key: String, value: String), into task: inout ForeignTask) -> Bool {
    switch word.key {
    case "id": task.uid = word.value
    case "revision":
      guard let revision = FileRevision(word: word.value) else { return false }
      task.revision = revision
    case "title": task.title = word.value
    case "note": task.body = word.value
    case "tags": task.tags = word.value.split(separator: "\n").map(String.init)
    case "due":
      let day = CalendarDay(word.value)
      guard day != nil || word.value == none else { return false }
      task.deadline = day
    case "time":
      guard let wall = WallTime(day: CalendarDay(daysSince1970: 0), time: word.value) else { return false }
      task.time = wall.clock
    case "state":
      guard let state = ForeignTask.State(rawValue: word.value) else { return false }
      task.state = state
    case "priority":
      let priority = Int(word.value)
      guard priority.map((1...9).contains) ?? (word.value == none) else { return false }
      task.priority = priority
    case "rrule":
      // Whatever the words of the title said.
      task.recurrence = word.value == none ? nil : Recurrence(rule: word.value)
    case "recurrence":
      task.recurrence = task.recurrence.map { Recurrence(rule: $0.rule, details: word.value) }
    // Said of the lines below it.
    case EscapedBody.key: return word.value == EscapedBody.value
    case ColumnWord.openKey, ColumnWord.closedKey:
      guard let column = ColumnWord.column(word) else { return false }
      (task.column, task.named) = (column.state, column)
    case BoardWord.key:
      task.board = BoardWord.columns(word.value)
      return !task.board.isEmpty
    default: task.blockedBy = word.value == "\n" ? [] : word.value.split(separator: ",").map(String.init)
    }
    return true
  }

  private static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      // What a word can hold in all of the formats; letters of other scripts stay as they are.
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
