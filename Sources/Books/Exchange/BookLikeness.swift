import Exchange
import SearchEngine
import Store

/// The similarity of two descriptions of a book, by title and authors.
enum BookLikeness {
  /// From this score on two books are the same, if ``BookTitle`` finds their titles the same too: a long title differs
  /// little from that of the next volume.
  static let same = 0.92
  /// From this score on a person should decide.
  static let similar = 0.8
  /// Two books with the same number are the same from this score on; below, one of the numbers is wrong.
  static let sameNumber = 0.6

  /// The parts of a description by which it is compared, made once.
  struct Form: Sendable {
    fileprivate struct Author: Sendable {
      let whole: Bigrams
      let family: String
      let initial: Character?

      init(_ text: String) {
        let name = PersonName(text)
        (whole, family, initial) = (Bigrams(text), letters(name.family), letters(name.given ?? "").first)
      }

      func likeness(to other: Author) -> Double {
        let whole = whole.likeness(to: other.whole)
        // The same family name, and given names that agree as far as they are written: J. R. R. and John.
        guard family == other.family else { return whole }
        guard let initial, let otherInitial = other.initial else { return max(whole, 0.9) }
        return initial == otherInitial ? max(whole, 0.95) : min(whole, 0.6)
      }
    }

    fileprivate let title: Bigrams?
    /// The title before its subtitle, and the title with its subtitle.
    fileprivate let main: Bigrams
    fileprivate let joined: Bigrams
    fileprivate let authors: [Author]

    init(_ facts: BookFacts) {
      let text = facts.title ?? ""
      let whole = Bigrams(text)
      let start = BookLikeness.main(text)
      title = facts.title == nil ? nil : whole
      main = start == text ? whole : Bigrams(start)
      joined = facts.subtitle.map { Bigrams(text + " " + $0) } ?? whole
      authors = facts.authors.map(Author.init)
    }
  }

  static func score(_ left: BookFacts, _ right: BookFacts) -> Double { score(Form(left), Form(right)) }

  /// 0 to 1. Titles weigh more; a common number decides nothing by itself, since files contain wrong ones.
  ///
  /// - Parameter titles: the relation of their titles by ``BookTitle``, if computed.
  static func score(_ left: Form, _ right: Form, titles relation: BookTitle.Relation? = nil) -> Double {
    guard let leftTitle = left.title, let rightTitle = right.title else { return 0 }
    // One may state the subtitle in the title, the other not.
    let titles =
      relation == .same
      ? 1
      : max(
        leftTitle.likeness(to: rightTitle),
        max(left.main.likeness(to: right.main) * 0.97, left.joined.likeness(to: right.joined)))
    guard !left.authors.isEmpty, !right.authors.isEmpty else {
      // Without an author a title is weaker evidence.
      return titles * 0.85
    }
    let authors = left.authors.map { own in right.authors.map { own.likeness(to: $0) }.max() ?? 0 }.max() ?? 0
    return titles * 0.65 + authors * 0.35
  }

  /// A common key of printings of a work: the folded title and the first author's family name.
  static func key(title: String?, authors: [String]) -> String? {
    guard let title, let author = authors.first else { return nil }
    let words = letters(title)
    let family = letters(PersonName(author).family)
    return words.isEmpty || family.isEmpty ? nil : "\(words)|\(letters(author).count)|\(family)"
  }

  /// The words of a title by which similar books are looked up.
  static func words(_ title: String) -> [String] {
    foldedText(title).split { !$0.isLetter && !$0.isNumber }.map(String.init).filter {
      $0.count > 1 || $0.contains { !$0.isASCII || $0.isNumber }
    }
  }

  /// The title before its subtitle or the name of its series.
  fileprivate static func main(_ title: String) -> String {
    let end = title.firstIndex { $0 == ":" || $0 == "(" || $0 == "：" || $0 == "（" } ?? title.endIndex
    let main = title[..<end]
    return main.contains(where: \.isLetter) ? String(main) : title
  }

  static func letters(_ text: String) -> String { foldedText(text).filter { $0.isLetter || $0.isNumber } }
}
