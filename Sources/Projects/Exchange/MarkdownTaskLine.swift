import Contract

/// The first line of a task in a Markdown list (GitHub Flavored Markdown, 5.3): `  - [x] Title #tag 📅 2026-11-30`.
struct MarkdownTaskLine: Equatable {
  /// The text up to the mark: indentation and bullet.
  var front: String
  var mark: String
  /// The text after the mark, split at every space.
  var words: [String]

  init(front: String, mark: String, words: [String]) {
    self.front = front
    self.mark = mark
    self.words = words
  }

  /// nil for a line that begins no task.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[)([^\]\s]| )(\](?:[ \t].*)?)/) else {
      return nil
    }
    front = String(match.output.1)
    mark = String(match.output.2)
    words = match.output.3.dropFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // The space after the mark.
    if words.first == "" { words.removeFirst() }
  }

  var text: String { front + mark + (words.isEmpty ? "]" : "] " + words.joined(separator: " ")) }

  /// The indentation of its text; lines with at least as much belong to it.
  var indentation: Int { Self.indentation(of: front) + 2 }

  /// The width of the white space at the beginning of a line; a tab advances to the next multiple of four.
  static func indentation(of line: some StringProtocol) -> Int {
    var columns = 0
    for character in line {
      switch character {
      case " ", ">": columns += 1
      case "\t": columns += 4 - columns % 4
      default: return columns
      }
    }
    return columns
  }

  var state: ExternalTask.State {
    switch mark {
    // A dash means cancelled: nobody has to do it any more.
    case "x", "X", "-": .done
    case "/": .doing
    default: .todo
    }
  }

  /// The meanings of the fields at the end of a line.
  enum Meaning: Equatable {
    case tag(String)
    /// `📅 2026-11-30`: days of the Tasks plug-in of Obsidian: due, created, done and cancelled.
    case due(CalendarDay)
    case created(CalendarDay)
    case completed(CalendarDay)
    case cancelled(CalendarDay)
    /// `⏳`: the scheduled day. No field of a card holds it; it stays as it is.
    case scheduled(CalendarDay)
    /// `🛫`: the day from which on it may be done.
    case starts(CalendarDay)
    /// `📅` and a day that does not exist.
    case badDay(String)
    /// `⏫` (`PriorityScale.signs`).
    case ranked(String)
    /// `🔁 every 2 weeks`, with `when done` counted from completion.
    case repeats(rule: String, isFromDue: Bool)
    /// `🔁` and words that are no known rule.
    case badRepetition(String)
    /// `🆔 ab12`: the name of the task in its file.
    case name(String)
    /// `⛔ ab12,cd34`: the names of its blockers, and the number of names beyond the limit of a card.
    case waits([String], more: Int = 0)
    /// `^b-1` at the very end: the target of links from other notes. It is not part of the title.
    case block
    /// A field of the plug-in without a use here, such as its action on completion; it stays as it is.
    case other
    /// `<!-- commonplace … -->`
    case own([String])
  }

  /// The meanings at the end with the ranges of their words, and the number of words before them, which are the title.
  var tail: (title: Int, meanings: [(places: Range<Int>, meaning: Meaning)]) {
    var meanings: [(Range<Int>, Meaning)] = []
    var end = words.count
    while end > 0 {
      if words[end - 1].isEmpty {
        end -= 1
        continue
      }
      guard let (meaning, count) = meaning(endingAt: end) else { break }
      meanings.append((end - count..<end, meaning))
      end -= count
    }
    return (end, meanings.reversed())
  }

  /// The tokens in our own comments of the line.
  private var ownTokens: [String] {
    tail.meanings.flatMap { _, meaning in if case .own(let tokens) = meaning { tokens } else { [String]() } }
  }

  var extensionProperties: [(key: String, value: String)] { ownTokens.compactMap { ExtensionProperties.parse($0) } }

  /// Properties with invalid values.
  var unreadProperties: [(field: String, value: String)] { ownTokens.compactMap { ExtensionProperties.unread($0) } }

  /// Tokens in our own comments that are not ours.
  var otherTokens: [String] {
    ownTokens.filter { !$0.isEmpty && ExtensionProperties.parse($0) == nil && ExtensionProperties.unread($0) == nil }
  }

  var hasEscapedBody: Bool { extensionProperties.contains { $0.key == EscapedBody.key } }

  private func meaning(endingAt end: Int) -> (Meaning, count: Int)? {
    let word = words[end - 1]
    if word.hasPrefix("^"), words[end...].allSatisfy(\.isEmpty), word.wholeMatch(of: /\^[A-Za-z0-9\-]+/) != nil {
      return (.block, 1)
    }
    if word == "-->", let start = words[..<end].lastIndex(of: "<!--"), start + 1 < end, words[start + 1] == Self.name {
      return (.own(Array(words[(start + 2)..<(end - 1)])), end - start)
    }
    if word.utf8.count > 1, word.hasPrefix("#"), !word.dropFirst().contains("#") {
      return (.tag(String(word.dropFirst())), 1)
    }
    let bare = Self.sign(word)
    if PriorityScale.signs.number(bare) != nil { return (.ranked(bare), 1) }
    return field(endingAt: end) ?? sign(endingAt: end)
  }

  /// A sign and its value: `📅 2026-11-30`, `🔁 every 2 weeks when done`, `⛔ ab12, cd34`; also without a space between.
  private func sign(endingAt end: Int) -> (Meaning, count: Int)? {
    var place = end
    while place > 0, end - place <= Self.longestValue {
      place -= 1
      var rest = Self.sign(words[place])
      if let first = rest.first, TasksPlugin.isSign(String(first)) {
        rest.removeFirst()
        let value = ProjectText.trimmed(([rest] + words[(place + 1)..<end]).joined(separator: " "))
        if !value.isEmpty, let meaning = TasksPlugin.meaning(of: String(first), value) {
          return (meaning, end - place)
        }
      }
      // Only these values may have several words.
      guard words[place].allSatisfy({ $0.isLetter || $0.isNumber || ",-_".contains($0) }) else { return nil }
    }
    return nil
  }

  /// A field of Dataview: `[due:: 2026-11-30]`.
  private func field(endingAt end: Int) -> (Meaning, count: Int)? {
    // Some people separate fields with commas.
    let closing = words[end - 1].hasSuffix(",") ? words[end - 1].dropLast() : words[end - 1][...]
    guard let last = closing.last, let open: Character = last == "]" ? "[" : last == ")" ? "(" : nil else {
      return nil
    }
    let start = words[max(0, end - Self.longestValue)..<end].lastIndex { $0.first == open && $0.contains("::") }
    let text = start.map { (words[$0..<(end - 1)] + [String(closing)]).joined(separator: " ") }
    guard let start, let text, let meaning = TasksPlugin.meaning(ofField: text) else {
      return nil
    }
    return (meaning, end - start)
  }

  private static let longestValue = 12

  /// Removes the variation selector for emoji (U+FE0F).
  private static func sign(_ word: String) -> String {
    String(String.UnicodeScalarView(word.unicodeScalars.filter { $0 != "\u{FE0F}" }))
  }

  static let name = "commonplace"
}
