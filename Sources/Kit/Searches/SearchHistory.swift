import Contract
import SQLite
import SearchEngine
import Store
import Wire

/// The items that a search covers.
package enum SearchScope: String, Choice {
  case boards, books, library
}

/// A search by a user, as recorded by its feature.
package struct RecordedSearch: Sendable {
  package var text: String
  package var scope: SearchScope
  /// The searched part, as the feature names it: `all`, `title`, `contents`, `writer`.
  package var target: String?
  /// The item that was searched, such as a board's id.
  package var place: String?
  /// The number of results, if known.
  package var count: Int?

  package init(_ text: String, scope: SearchScope, target: String? = nil, place: String? = nil, count: Int? = nil) {
    self.text = text
    self.scope = scope
    self.target = target
    self.place = place
    self.count = count
  }
}

/// The search history, unless the user has disabled it: newest first, without duplicates, at most 200 entries per
/// scope.
///
/// Features pass searches to `SearchNotes`, which records them here; `search/history` shows them. They are stored only
/// in this machine's library.
package enum SearchHistory {
  /// The most entries of one scope; the oldest are dropped.
  package static let limit = 200

  /// Records a search. The same text in the same place counts as the same search, ignoring case, width and blanks: it
  /// moves to the front with its new count.
  ///
  /// The commit cannot be undone then: a search is not a change that a user would undo.
  ///
  /// - Parameter moment: when the search ran; nil means now.
  /// - Throws: `DatabaseError`.
  package static func record(_ search: RecordedSearch, at moment: Instant? = nil, in transaction: Transaction) throws {
    let text = search.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !text.isEmpty, try isOn(in: transaction.db) else { return }
    transaction.isUndoable = false
    let folded = foldedText(text)
    if let known = try find(search, folded, in: transaction.db) {
      try transaction.db.run(
        "UPDATE search SET text = ?, count = ?, searchedAt = ?, revision = ?, updatedAt = ? WHERE id = ?",
        [
          .text(text), search.count.map { .integer($0) } ?? .null, .integer((moment ?? transaction.now).milliseconds),
          .integer(transaction.clock), .integer(transaction.now.milliseconds), .text(known.id),
        ])
      transaction.touch(
        collection: SearchRecord.collectionName, id: known.id, revision: transaction.clock,
        fields: ["text", "count", "searchedAt"])
      return
    }
    var record = SearchRecord()
    record.id = transaction.services.newID()
    (record.text, record.folded, record.scope) = (text, folded, search.scope.rawValue)
    (record.target, record.place, record.count) = (search.target, search.place, search.count)
    record.searchedAt = moment ?? transaction.now
    try transaction.insert(record)
    let old = try SearchRecord.all(
      in: transaction.db, "WHERE scope = ? ORDER BY searchedAt DESC, id DESC LIMIT -1 OFFSET ?",
      [.text(record.scope), .integer(limit)])
    try forget(old, in: transaction)
  }

  /// Whether searches are recorded.
  ///
  /// - Throws: `DatabaseError`.
  package static func isOn(in db: Database) throws -> Bool {
    try db.first("SELECT 1 FROM searchHistoryOff") { $0.bool(0) } == nil
  }

  /// Deletes searches for good: their words are not even retained for undo and `changes/history`.
  ///
  /// - Throws: `DatabaseError`.
  package static func forget(_ records: [SearchRecord], in transaction: Transaction) throws {
    for record in records {
      transaction.isUndoable = false
      try transaction.db.run(
        "UPDATE search SET text = '', folded = id, target = NULL, place = NULL, count = NULL WHERE id = ?",
        [.text(record.id)])
      try transaction.remove(record)
    }
  }

  private static func find(_ search: RecordedSearch, _ folded: String, in db: Database) throws -> SearchRecord? {
    try SearchRecord.all(
      in: db, "WHERE scope = ? AND folded = ? AND ifnull(target, '') = ? AND ifnull(place, '') = ?",
      [.text(search.scope.rawValue), .text(folded), .text(search.target ?? ""), .text(search.place ?? "")]
    ).first
  }
}
