import PDF
import SQLite
import Store
import Synchronization

/// The text of one file that an earlier extractor version extracted, while it is extracted again. The stored text stays
/// in use until a page's new text replaces it.
final class OutdatedText: Sendable {
  private let pageCount: Int
  private let finished = Mutex<Set<Int>>([])
  private let changed = Mutex(false)

  init(pageCount: Int) {
    self.pageCount = pageCount
  }

  func finish(_ pages: [Int]) {
    finished.withLock { $0.formUnion(pages) }
  }

  /// The first pages of a range that are still to be extracted again, at most `limit`.
  func missing(in range: Range<Int>, limit: Int) -> [Int] {
    let finished = finished.withLock { $0 }
    return Array(range.clamped(to: 0..<pageCount).lazy.filter { !finished.contains($0) }.prefix(limit))
  }

  /// Whether the text of a page has changed.
  var hasChanged: Bool { changed.withLock { $0 } }

  func noteChange() {
    changed.withLock { $0 = true }
  }

  /// The hashes of the files whose stored text is outdated. Queried at each start: documents are inspected only for
  /// these.
  static func files(in db: Database) throws -> [String] {
    try db.texts(
      """
      SELECT hash FROM pdf WHERE extractorVersion < ?
        AND EXISTS (SELECT 1 FROM document WHERE document.hash = pdf.hash AND keepsText)
        AND NOT EXISTS (SELECT 1 FROM document WHERE document.hash = pdf.hash AND NOT keepsText)
      ORDER BY hash DESC
      """, [.integer(PageText.extractorVersion)])
  }

  /// Nil for a file that was removed.
  static func pageCount(of hash: String, in db: Database) throws -> Int? {
    try db.first("SELECT pageCount FROM pdf WHERE hash = ?", [.text(hash)]) { $0.int(0) }
  }

  /// Stores the texts that differ from the stored ones, with their search entries and the anchors of their marks.
  ///
  /// - Returns: whether there were any.
  static func replace(_ texts: [PageText], of hash: String, in transaction: Transaction) throws -> Bool {
    let changed = try texts.filter { text in
      try text.placement != .unavailable && PageTextCoding.find(text.page, of: hash, in: transaction.db) != text
    }
    transaction.keepSilent()
    guard !changed.isEmpty else { return false }
    try Indexer.keep(changed, of: hash, renewing: true, in: transaction)
    return true
  }

  static func markCurrent(_ hash: String, in db: Database) throws {
    try db.run(
      "UPDATE pdf SET extractorVersion = ? WHERE hash = ?", [.integer(PageText.extractorVersion), .text(hash)])
  }
}
