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

  /// 0 to 1. Titles weigh more; a common number decides nothing by itself, since files contain wrong ones.
  ///
  /// - Parameter titles: the relation of their titles by ``BookTitle``, if computed.
  static func score(_ left: BookFacts, _ right: BookFacts, titles relation: BookTitle.Relation? = nil) -> Double {
    guard let leftTitle = left.title, let rightTitle = right.title else { return 0 }
    // One may state the subtitle in the title, the other not.
    let titles =
      relation == .same
      ? 1
      : max(
        likeness(leftTitle, rightTitle),
        max(
          likeness(main(leftTitle), main(rightTitle)) * 0.97,
          likeness(joined(left), joined(right))))
    guard !left.authors.isEmpty, !right.authors.isEmpty else {
      // Without an author a title is weaker evidence.
      return titles * 0.85
    }
    let authors = left.authors.map { own in right.authors.map { nameLikeness(own, $0) }.max() ?? 0 }.max() ?? 0
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

  private static func joined(_ facts: BookFacts) -> String {
    [facts.title, facts.subtitle].compactMap(\.self).joined(separator: " ")
  }

  /// The title before its subtitle or the name of its series.
  private static func main(_ title: String) -> String {
    let end = title.firstIndex { $0 == ":" || $0 == "(" || $0 == "：" || $0 == "（" } ?? title.endIndex
    let main = title[..<end]
    return main.contains(where: \.isLetter) ? String(main) : title
  }

  private static func nameLikeness(_ left: String, _ right: String) -> Double {
    let (one, other) = (PersonName(left), PersonName(right))
    let whole = likeness(left, right)
    // The same family name, and given names that agree as far as they are written: J. R. R. and John.
    guard letters(one.family) == letters(other.family) else { return whole }
    let initials = (letters(one.given ?? "").first, letters(other.given ?? "").first)
    switch initials {
    case (let left?, let right?): return left == right ? max(whole, 0.95) : min(whole, 0.6)
    default: return max(whole, 0.9)
    }
  }

  static func letters(_ text: String) -> String { foldedText(text).filter { $0.isLetter || $0.isNumber } }

  /// The share of common bigrams of two texts (Dice coefficient). Only the first 300 characters count.
  static func likeness(_ left: String, _ right: String) -> Double {
    let (one, other) = (Array(letters(left).prefix(300)), Array(letters(right).prefix(300)))
    if one.isEmpty || other.isEmpty { return 0 }
    if one == other { return 1 }
    guard one.count > 1, other.count > 1 else { return 0 }
    var pairs: [String: Int] = [:]
    for (a, b) in zip(one, one.dropFirst()) { pairs[String([a, b]), default: 0] += 1 }
    var common = 0
    for (a, b) in zip(other, other.dropFirst()) {
      guard let count = pairs[String([a, b])], count > 0 else { continue }
      pairs[String([a, b])] = count - 1
      common += 1
    }
    return 2 * Double(common) / Double(one.count + other.count - 2)
  }
}
