import Exchange
import SearchEngine

/// How well a bibliography agrees with the pages of a document.
///
/// A DOI on a page may be of a cited work, so the title must be where a title is: at the beginning, or in the file's
/// metadata. A title within the text counts half, since a list of references has titles too.
struct CandidateScore: Sendable {
  /// Where an identifier was found.
  enum Source: Sendable {
    case metadata
    /// From 0.
    case page(Int)
    /// Found by the title.
    case search
    case given
  }

  /// From this score on, a candidate may be stored without a person's decision.
  static let certain = 0.8

  private let beginning: String
  /// The beginnings of the first pages: a book's title page may follow its cover.
  private let front: String
  private let rest: String
  private let titles: [String]

  /// - Parameters:
  ///   - pages: the texts of the first pages.
  ///   - titles: the title of the document, and the one in its file.
  init(pages: [String], titles: [String]) {
    let texts = pages.map { Self.letters(String($0.unicodeScalars.prefix(20_000))) }.filter { $0.count >= 8 }
    beginning = String(texts.first?.prefix(1_500) ?? "")
    front = texts.prefix(4).map { $0.prefix(1_500) }.joined(separator: " ")
    rest = texts.joined(separator: " ")
    self.titles = titles.map(Self.letters)
  }

  /// 0 to 1, in hundredths.
  func score(of item: CSLItem, from source: Source) -> Double {
    let place: Double =
      switch source {
      case .metadata, .given, .page(0): 1
      case .page: 0.6
      case .search: 0
      }
    let score = 0.6 * titleScore(item) + 0.25 * authorScore(item) + 0.15 * place
    return (score * 100).rounded() / 100
  }

  /// 1 if the title begins the document, 0.5 if it is somewhere on its first pages, else the share of its words there,
  /// of which all count a quarter.
  func titleScore(_ item: CSLItem) -> Double {
    let forms = [item["title"], item.titles.title].compactMap { $0 }.map(Self.letters).filter { !$0.isEmpty }
    guard let whole = forms.first else { return 0 }
    // A list of references on a second page has titles too, but hardly the ISBNs of books.
    let beginning = item.type == "book" && item["ISBN"] != nil ? front : beginning
    for form in forms where form.count >= 4 || form == whole {
      if titles.contains(form) || form.count >= 4 && beginning.contains(form) { return 1 }
      if form.count >= 8, titles.contains(where: { $0.contains(form) }) { return 1 }
    }
    if forms.contains(where: { $0.count >= 12 && rest.contains($0) }) { return 0.5 }
    let words = foldedText(item["title"] ?? "").split { !$0.isLetter && !$0.isNumber }.map(String.init)
      .filter { $0.count > 3 }
    if words.isEmpty { return 0 }
    return 0.25 * Double(words.count { beginning.contains($0) }) / Double(words.count)
  }

  /// The share of the first five authors whose family name is on the first pages; a half if the item names none.
  private func authorScore(_ item: CSLItem) -> Double {
    let authors = (item[names: "author"] + item[names: "editor"]).prefix(5)
    if authors.isEmpty { return 0.5 }
    let found = authors.count { author in
      let family = Self.letters(author.family ?? author.literal ?? author.sorted)
      return !family.isEmpty && (rest.contains(family) || titles.contains { $0.contains(family) })
    }
    return Double(found) / Double(authors.count)
  }

  static func letters(_ text: String) -> String { foldedText(text).filter { $0.isLetter || $0.isNumber } }
}
