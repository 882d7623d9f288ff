import Contract

/// A line of todo.txt, by its rules: `x (A) 2026-11-22 2026-11-21 text +project @context key:value`.
struct TodoTxtLine: Equatable {
  var isDone = false
  var priority: Character?
  var completion: CalendarDay?
  var creation: CalendarDay?
  /// What follows, divided at every blank, so that none is lost.
  var words: [String] = []
  /// What stands in the place of a date looks like one and is none.
  private(set) var hasBadDate = false

  init() {}

  init(_ text: String) {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
    // Rule of completed tasks 1: a small x and a blank, at the very start.
    if words.first == "x", words.count > 1 {
      isDone = true
      words.removeFirst()
    }
    if let first = words.first, words.count > 1, let priority = Self.priority(first) {
      self.priority = priority
      words.removeFirst()
    }
    if isDone { completion = Self.takeDay(&words) }
    if !isDone || completion != nil { creation = Self.takeDay(&words) }
    hasBadDate =
      creation == nil && words.count > 1
      && words.first.map { $0.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil && CalendarDay($0) == nil } == true
    self.words = Array(words)
  }

  private static func priority(_ word: String) -> Character? {
    let characters = Array(word)
    guard characters.count == 3, characters[0] == "(", characters[2] == ")", ("A"..."Z").contains(characters[1]) else {
      return nil
    }
    return characters[1]
  }

  private static func takeDay(_ words: inout ArraySlice<String>) -> CalendarDay? {
    guard words.count > 1, let first = words.first, let day = CalendarDay(first) else { return nil }
    words.removeFirst()
    return day
  }

  /// Whether it has a mark, a priority or a day before its text.
  var hasHead: Bool { isDone || priority != nil || completion != nil || creation != nil }

  var text: String {
    var front: [String] = []
    if isDone { front.append("x") }
    if let priority { front.append("(\(priority))") }
    if let completion { front.append(completion.description) }
    if let creation { front.append(creation.description) }
    return (front + words).joined(separator: " ")
  }

  /// What a word means; all others are the text.
  enum Meaning {
    case project(String)
    case context(String)
    case due(CalendarDay)
    /// A `due:` with what is no day, in words or in figures; it stays as it is.
    case badDue
    case priority(Character)
    /// `rec:1w` counts from completion, `rec:+1w` from the day on which it was due.
    case recurrence(rule: String, isFromDue: Bool)
    case own(key: String, value: String)
    /// A word of some other program.
    case other
  }

  static func meaning(of word: String) -> Meaning? {
    if word.utf8.count > 1, word.hasPrefix("+") { return .project(word) }
    if word.utf8.count > 1, word.hasPrefix("@") { return .context(String(word.dropFirst())) }
    if word.hasPrefix("due:"), let day = CalendarDay(String(word.dropFirst(4))) { return .due(day) }
    if word.hasPrefix("due:"), word.utf8.count > 4, !word.dropFirst(4).contains(":") { return .badDue }
    if word.hasPrefix("pri:"), let priority = Self.priority("(\(word.dropFirst(4)))") { return .priority(priority) }
    if let own = OwnWords.parse(word, prefix: OwnWords.prefix) { return .own(key: own.key, value: own.value) }
    guard let match = word.wholeMatch(of: /([A-Za-z][\w\-]*):([^\s:]+)/), !match.output.2.hasPrefix("//") else {
      return nil
    }
    if match.output.1 == "rec", let rule = recurrence(match.output.2) { return rule }
    return .other
  }

  /// Its words of ours.
  var ownWords: [(key: String, value: String)] { words.compactMap { OwnWords.parse($0, prefix: OwnWords.prefix) } }

  private static func recurrence(_ value: Substring) -> Meaning? {
    guard let match = value.wholeMatch(of: /(\+?)([1-9][0-9]{0,2})([dwmy])/) else { return nil }
    let frequency = ["d": "DAILY", "w": "WEEKLY", "m": "MONTHLY", "y": "YEARLY"][match.output.3] ?? ""
    let interval = match.output.2 == "1" ? "" : ";INTERVAL=\(match.output.2)"
    return .recurrence(rule: "FREQ=\(frequency)\(interval)", isFromDue: !match.output.1.isEmpty)
  }
}
