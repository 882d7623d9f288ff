import Glibc
import Kit
import SQLite
import SearchEngine
import Store

/// The words that tell a document from the others of the library, with the documents that share them.
///
/// Weights are BM25's: a word counts more the rarer it is, and a document more the larger the share of its pages that
/// have the word.
struct SubjectWords {
  struct Word {
    var text: String
    var weight: Double
    /// The number of pages with the word, by document.
    var pages: [String: Int]
  }

  private(set) var words: [Word] = []
  private let snapshot: Snapshot

  /// In bytes: the text from which the words are taken, from the first page on.
  private static let mostText = 256 << 10
  /// The most frequent words of a document: those of its subject are among them, after the words of its language.
  private static let mostCandidates = 160
  /// A word on more pages is one of the language, or says little.
  private static let mostPages = 2_000
  /// The words by which documents are compared.
  private static let most = 24

  /// - Throws: `DatabaseError`, `StoreError`.
  init(of document: DocumentRecord, in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    let counts = try Self.counts(of: document, in: snapshot)
    let candidates = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostCandidates)
    let total = try Double(snapshot.db.first("SELECT count(*) FROM document") { $0.int(0) } ?? 0)
    var items: [Int64: String] = [:]
    for (text, count) in candidates {
      guard let pages = try pages(of: text, knowing: &items), pages.count > 1 else { continue }
      // A word that most documents have is one of the language.
      guard Double(2 * pages.count) <= max(total, 4) else { continue }
      let shared = Double(pages.count)
      let rarity = log(1 + (total - shared + 0.5) / (shared + 0.5))
      words.append(Word(text: text, weight: (1 + log(Double(count))) * rarity, pages: pages))
    }
    words.sort { ($1.weight, $0.text) < ($0.weight, $1.text) }
    words = Array(words.prefix(Self.most))
  }

  /// The words of its title, its bibliography and its stored pages.
  private static func counts(of document: DocumentRecord, in snapshot: Snapshot) throws -> [String: Int] {
    var counts = WordCounts()
    counts.add(document.title)
    counts.add(DocumentBibliography.words(of: document))
    var rest = document.keepsText ? mostText : 0
    for page in 0..<document.pageCount {
      guard rest > 0 else { break }
      // A page whose text is not extracted yet, or cannot be, has no words, but takes time too.
      rest -=
        try PageTextCoding.read(page, of: document.hash, in: snapshot) { stored in
          counts.add(bytes: stored.text)
          return stored.text.count
        } ?? 1_024
    }
    return counts.counts
  }

  /// Nil for a word on very many pages.
  private func pages(of word: String, knowing items: inout [Int64: String]) throws -> [String: Int]? {
    guard let term = MatchQuery.Term(word, endsRun: true) else { return nil }
    let postings = try SearchIndex.postings(
      of: MatchQuery(.term(term)), in: DocumentRecord.collectionName, most: Self.mostPages, db: snapshot.db)
    guard postings.isWhole else { return nil }
    var pages: [String: Int] = [:]
    for row in postings.rows {
      guard let item = try items[row] ?? SearchIndex.entry(of: row, in: snapshot.db)?.item else { continue }
      items[row] = item
      pages[item, default: 0] += 1
    }
    return pages
  }

  /// The documents that share words, without their scale: how much they share, and the heaviest shared words.
  func shares(lengths: (String) throws -> Double?) rethrows -> [String: (share: Double, words: [String])] {
    var shares: [String: (share: Double, words: [String])] = [:]
    for id in Set(words.flatMap(\.pages.keys)) {
      guard let length = try lengths(id) else { continue }
      for word in words {
        guard let pages = word.pages[id].map(Double.init) else { continue }
        shares[id, default: (0, [])].share += word.weight * pages / (pages + 0.25 + 0.75 * length)
        shares[id]?.words.append(word.text)
      }
    }
    return shares
  }
}
