import Contract
import Exchange
import Kit
import Wire

/// Passages and notes that were marked on an e-reader, as quotes of a book.
struct CopiedPassages {
  private(set) var quotes: [BookQuote] = []

  /// A note without a passage is a passage itself: nothing says which words it is about.
  mutating func add(_ text: String?, page: Int? = nil, note: String? = nil) {
    let (text, note) = (Self.bounded(text), Self.bounded(note))
    guard let words = text ?? note else { return }
    let quote = BookQuote(
      text: words, page: page.flatMap { (0...1_000_000).contains($0) ? $0 : nil }, note: text == nil ? nil : note)
    quotes.append(quote)
  }

  /// Whether one of two passages at a place is the other one, longer at its beginning or end.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one.hasPrefix(other) || one.hasSuffix(other) || other.hasPrefix(one) || other.hasSuffix(one)
  }

  private static func bounded(_ text: String?) -> String? {
    text?.readable.map { $0.shortened(to: 100_000).text }
  }

  /// Stores them as the quotes of a book, each once.
  mutating func store(
    in content: inout ShelfContent, at place: ImportNote.Place, title: String, _ notes: inout [ImportNote]
  ) {
    var seen: Set<String> = []
    let once = quotes.filter { seen.insert("\($0.page ?? -1)/\($0.text)/\($0.note ?? "")").inserted }
    content.quotes = Array(once.suffix(ShelfContent.most))
    guard once.count > ShelfContent.most else { return }
    let text = Text("books.import.tooManyQuotes", ["maximum": String(ShelfContent.most)])
    notes.append(ImportNote(.badValue, at: place, title: title, field: "quotes", text: text))
  }
}

extension ShelfContent {
  /// Removes passages of an earlier import of a file which has them longer or shorter now: they were marked anew on the
  /// e-reader. The history of the book still has them.
  mutating func removeReplaced(since before: ShelfContent, by now: ShelfContent) {
    let gone = before.quotes.filter { !now.quotes.contains($0) }
    if gone.isEmpty { return }
    let added = now.quotes.filter { !before.quotes.contains($0) }
    // So many at once were not marked anew.
    guard gone.count * added.count <= 10_000 else { return }
    quotes.removeAll { quote in
      gone.contains(quote) && added.contains { CopiedPassages.isSame($0.text, quote.text) }
    }
  }
}
