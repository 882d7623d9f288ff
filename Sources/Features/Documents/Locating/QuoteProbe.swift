import Store

/// What the library's index is asked for to find the pages on which a passage may stand.
///
/// A few pairs of neighbouring words, the longest of the passage, since long words are rare ones: whichever page has most
/// of them comes first. An error in the passage, or a line end within a word of the page, spoils a pair or two and not the
/// rest. Scripts without blanks give runs of four letters instead.
enum QuoteProbe {
  /// Pairs that are asked for. Each reads the postings of two words.
  private static let most = 8
  private static let letters = 4
  private static let longestWord = 24

  /// Nil if the passage has nothing that the index knows.
  static func query(for quote: NormalizedText) -> MatchQuery? {
    let probes = best(of: probes(in: quote.scalars.compactMap(Unicode.Scalar.init)))
    let terms = probes.compactMap { MatchQuery.Term($0) }.map(MatchQuery.Node.term)
    guard !terms.isEmpty else { return nil }
    return MatchQuery(terms.count == 1 ? terms[0] : .or(terms))
  }

  private struct Probe {
    var text: String
    /// How rare it is likely to be.
    var weight: Int
    /// The words that it is made of, by their places.
    var words: Range<Int>
  }

  private static func probes(in scalars: [Unicode.Scalar]) -> [Probe] {
    let words = words(of: scalars)
    var probes: [Probe] = []
    for (index, word) in words.enumerated() {
      if word.isRun {
        probes.append(Probe(text: word.text, weight: word.length * 4, words: index..<index + 1))
      } else if index + 1 < words.count, !words[index + 1].isRun {
        let next = words[index + 1]
        probes.append(
          Probe(text: "\(word.text) \(next.text)", weight: word.length + next.length, words: index..<index + 2))
      } else if words.count == 1 || index == 0 || words[index - 1].isRun {
        probes.append(Probe(text: word.text, weight: word.length, words: index..<index + 1))
      }
    }
    return probes
  }

  /// The heaviest, no word in two of them.
  private static func best(of probes: [Probe]) -> [String] {
    var used: Set<Int> = []
    var best: [String] = []
    for probe in probes.sorted(by: { ($1.weight, $0.words.lowerBound) < ($0.weight, $1.words.lowerBound) }) {
      guard best.count < most else { break }
      guard used.isDisjoint(with: probe.words) else { continue }
      used.formUnion(probe.words)
      best.append(probe.text)
    }
    return best
  }

  private struct Word {
    var text: String
    var length: Int
    var isRun: Bool
  }

  private static func words(of scalars: [Unicode.Scalar]) -> [Word] {
    var words: [Word] = []
    var current = String.UnicodeScalarView()
    var isRun = false
    func end() {
      if !current.isEmpty, current.count <= longestWord {
        words.append(Word(text: String(current), length: current.count, isRun: isRun))
      }
      current = String.UnicodeScalarView()
    }
    for scalar in scalars {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar.properties.isMark else {
        end()
        continue
      }
      let belongsToRun = DocumentSearch.isRunLetter(scalar)
      if belongsToRun != isRun || (isRun && current.count == letters) { end() }
      isRun = belongsToRun
      current.append(scalar)
    }
    end()
    return words
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
