import Store

/// The index queries for the pages that may contain a passage: its words, and threes of adjacent words.
///
/// An error in the passage, or a line end within a word of the page, spoils a word or two and not the rest. Scripts
/// without blanks give runs of four characters instead of words.
struct QuoteProbe {
  struct Word {
    var text: String
    var length: Int
    var isRun: Bool
    /// Whether it continues where the preceding word ended, without a blank.
    var isJoined: Bool

    var isLetter: Bool { isRun && length == 1 }
  }

  /// Adjacent words.
  struct Phrase {
    var text: String
    var words: [String]
  }

  /// In the order of the passage, separated where a word is left out or the script changes.
  private let sections: [[Word]]

  private static let letters = 4
  private static let longestWord = 24
  private static let wordsOfPhrase = 3

  init(_ quote: NormalizedText) {
    sections = Self.sections(of: quote.scalars.compactMap(Unicode.Scalar.init))
  }

  /// The words that are likely to be the rarest: the longest, each once. A single letter is not selective, and on a
  /// page whose line ends after it, it is in one run with the next: it is queried only if there is nothing else.
  func longestWords(_ most: Int) -> [String] {
    var known: Set<String> = []
    var words = sections.joined().filter { known.insert($0.text).inserted }
    if words.contains(where: { !$0.isLetter }) { words.removeAll(where: \.isLetter) }
    let weighed = words.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      let (weight, other) = (a.isRun ? a.length * 4 : a.length, b.isRun ? b.length * 4 : b.length)
      return weight == other ? left.offset < right.offset : weight > other
    }
    return weighed.prefix(most).map(\.element.text)
  }

  /// Whether it is the whole query.
  var isOneWord: Bool { sections.count == 1 && sections[0].count == 1 }

  /// The whole passage in threes of adjacent words; the last of a section may share words with the previous one.
  var phrases: [Phrase] {
    sections.flatMap { section in
      stride(from: 0, to: section.count, by: Self.wordsOfPhrase).map { start in
        let first = min(start, max(0, section.count - Self.wordsOfPhrase))
        let words = section[first..<min(section.count, first + Self.wordsOfPhrase)]
        var text = ""
        for word in words {
          if !text.isEmpty, !word.isJoined { text += " " }
          text += word.text
        }
        return Phrase(text: text, words: words.map(\.text))
      }
    }
  }

  private static func sections(of scalars: [Unicode.Scalar]) -> [[Word]] {
    var sections: [[Word]] = [[]]
    var current = String.UnicodeScalarView()
    var (isRun, isJoined) = (false, false)
    func end() {
      guard !current.isEmpty else { return }
      let word = Word(text: String(current), length: current.count, isRun: isRun, isJoined: isJoined)
      if word.length > longestWord {
        sections.append([])
      } else if let last = sections[sections.count - 1].last, last.isRun != isRun {
        sections.append([word])
      } else {
        sections[sections.count - 1].append(word)
      }
      current = String.UnicodeScalarView()
    }
    for scalar in scalars {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar.properties.isMark else {
        end()
        isJoined = false
        continue
      }
      let belongsToRun = WrappedLetters.isRunLetter(scalar)
      if belongsToRun != isRun || (isRun && current.count == letters) {
        isJoined = !current.isEmpty
        end()
      }
      isRun = belongsToRun
      current.append(scalar)
    }
    end()
    return withoutOpenLetter(sections.filter { !$0.isEmpty })
  }

  /// A passage may end within a run. If it is cut after the run's first letter, only that letter is known, which the
  /// index could match only as a prefix; and the last letter of a longer run is not a run of its own.
  private static func withoutOpenLetter(_ sections: [[Word]]) -> [[Word]] {
    guard var section = sections.last, let last = section.popLast(), last.isLetter,
      sections.count > 1 || !section.isEmpty
    else { return sections }
    if last.isJoined, let before = section.popLast() {
      section.append(
        Word(text: before.text + last.text, length: before.length + 1, isRun: true, isJoined: before.isJoined))
    }
    return sections.dropLast() + (section.isEmpty ? [] : [section])
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isMark: Bool {
    switch generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
