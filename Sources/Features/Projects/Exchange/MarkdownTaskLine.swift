import Contract

/// The first line of a task in a Markdown list (GitHub Flavored Markdown, 5.3): `  - [x] Title #tag 📅 2026-11-30`.
struct MarkdownTaskLine: Equatable {
  /// All up to the mark: how far in it stands, its bullet.
  var front: String
  var mark: String
  /// What follows the mark, divided at every blank.
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
    // The blank behind the mark.
    if words.first == "" { words.removeFirst() }
  }

  var text: String { front + mark + (words.isEmpty ? "]" : "] " + words.joined(separator: " ")) }

  /// How far in its text stands; what stands as far belongs to it.
  var indentation: Int { Self.indentation(of: front) + 2 }

  /// Columns of white space at the beginning of a line; a tab leads to the next multiple of four.
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

  var state: ForeignTask.State {
    switch mark {
    // A dash is what was given up: nobody has to do it any more.
    case "x", "X", "-": .done
    case "/": .doing
    default: .todo
    }
  }

  /// What the words at its end mean.
  enum Meaning: Equatable {
    case tag(String)
    /// `📅 2026-11-30`, as the Tasks plug-in of Obsidian writes what is due, created and done; of two words.
    case due(CalendarDay)
    case created(CalendarDay)
    case completed(CalendarDay)
    /// `📅` and a day that does not exist.
    case badDay
    /// What the plug-in has besides (how urgent it is, how often, from when on); it stays as it is.
    case other
    /// `<!-- commonplace … -->`
    case own([String])
  }

  /// The meanings at the end with the places of their words, and how many words before them are the title.
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

  /// What our own comments in it say.
  var ownWords: [(key: String, value: String)] {
    var own: [(key: String, value: String)] = []
    for (_, meaning) in tail.meanings {
      if case .own(let words) = meaning { own += words.compactMap { OwnWords.parse($0) } }
    }
    return own
  }

  /// What they say that means nothing.
  var unreadWords: [(field: String, value: String)] {
    var unread: [(field: String, value: String)] = []
    for (_, meaning) in tail.meanings {
      if case .own(let words) = meaning { unread += words.compactMap { OwnWords.unread($0) } }
    }
    return unread
  }

  var hasEscapedBody: Bool { ownWords.contains { $0.key == EscapedBody.key } }

  private func meaning(endingAt end: Int) -> (Meaning, count: Int)? {
    let word = words[end - 1]
    if word == "-->", let start = words[..<end].lastIndex(of: "<!--"), start + 1 < end, words[start + 1] == Self.name {
      return (.own(Array(words[(start + 2)..<(end - 1)])), end - start)
    }
    if word.utf8.count > 1, word.hasPrefix("#"), !word.dropFirst().contains("#") {
      return (.tag(String(word.dropFirst())), 1)
    }
    if Self.ranks.contains(Self.sign(word)) { return (.other, 1) }
    guard end > 1 else { return nil }
    let sign = Self.sign(words[end - 2])
    if Self.names.contains(sign) { return (.other, 2) }
    guard let day = CalendarDay(word) else {
      if ["📅", "📆", "🗓"].contains(sign), word.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil {
        return (.badDay, 2)
      }
      return repetition(endingAt: end)
    }
    switch sign {
    case "📅", "📆", "🗓": return (.due(day), 2)
    case "➕": return (.created(day), 2)
    case "✅": return (.completed(day), 2)
    case "⏳", "⌛", "🛫", "❌": return (.other, 2)
    default: return nil
    }
  }

  /// `🔁 every 2 weeks when done`
  private func repetition(endingAt end: Int) -> (Meaning, count: Int)? {
    var place = end - 1
    while place > 0, end - place <= Self.longestRepetition,
      words[place].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "," })
    {
      place -= 1
      if Self.sign(words[place]) == "🔁" { return (.other, end - place) }
    }
    return nil
  }

  private static let longestRepetition = 10
  /// From the highest to the lowest; a word alone.
  private static let ranks: Set = ["🔺", "⏫", "🔼", "🔽", "⏬"]
  /// With a name behind it: what a task is called, what it waits for, what becomes of it when it is done.
  private static let names: Set = ["🆔", "⛔", "🏁"]

  /// Without the mark that asks for a picture in colours.
  private static func sign(_ word: String) -> String {
    String(String.UnicodeScalarView(word.unicodeScalars.filter { $0 != "\u{FE0F}" }))
  }

  static let name = "commonplace"
}
