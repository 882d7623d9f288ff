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
      meanings.insert((end - count..<end, meaning), at: 0)
      end -= count
    }
    return (end, meanings)
  }

  private func meaning(endingAt end: Int) -> (Meaning, count: Int)? {
    let word = words[end - 1]
    if word == "-->", let start = words[..<end].lastIndex(of: "<!--"), start + 1 < end, words[start + 1] == Self.name {
      return (.own(Array(words[(start + 2)..<(end - 1)])), end - start)
    }
    if word.utf8.count > 1, word.hasPrefix("#"), !word.dropFirst().contains("#") {
      return (.tag(String(word.dropFirst())), 1)
    }
    guard end > 1, let day = CalendarDay(word) else { return nil }
    switch words[end - 2] {
    case "📅": return (.due(day), 2)
    case "➕": return (.created(day), 2)
    case "✅": return (.completed(day), 2)
    default: return nil
    }
  }

  static let name = "commonplace"
}
