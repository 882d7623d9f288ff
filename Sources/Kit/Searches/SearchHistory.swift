import Contract
import SQLite
import SearchEngine
import Store
import Wire

/// Where somebody searched.
package enum SearchScope: String, Choice {
  case boards, books, library
}

/// A search that somebody made, as the feature that answered it tells it.
package struct MadeSearch: Sendable {
  package var text: String
  package var scope: SearchScope
  /// Which part was searched, in the feature's own word: `all`, `title`, `contents`, `writer`.
  package var target: String?
  /// The item that was searched in, such as a board's id.
  package var place: String?
  /// How many were found, if that is known.
  package var count: Int?

  package init(_ text: String, scope: SearchScope, target: String? = nil, place: String? = nil, count: Int? = nil) {
    self.text = text
    self.scope = scope
    self.target = target
    self.place = place
    self.count = count
  }
}

/// The searches that were made, unless the reader wants none kept: newest first, none twice, at most 200 of a scope.
///
/// Features that search tell `SearchNotes`, which records here; `search/history` shows them. They are in this machine's library and nowhere else.
package enum SearchHistory {
  /// Of one scope; the oldest go.
  package static let limit = 200

  /// Notes a search. The same text in the same place is the same search, whatever its case, width and blanks: it moves to
  /// the front with its new count.
  ///
  /// The commit cannot be undone then: to have looked for something is nothing to take back.
  ///
  /// - Parameter moment: when it was made; nil is now.
  package static func record(_ search: MadeSearch, at moment: Instant? = nil, in transaction: Transaction) throws {
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

  /// Whether searches are kept.
  package static func isOn(in db: Database) throws -> Bool {
    try db.first("SELECT 1 FROM searchHistoryOff") { $0.bool(0) } == nil
  }

  /// Lets go of searches for good: not even what undo and `changes/history` keep of a removal has their words.
  package static func forget(_ records: [SearchRecord], in transaction: Transaction) throws {
    for record in records {
      transaction.isUndoable = false
      try transaction.db.run(
        "UPDATE search SET text = '', folded = id, target = NULL, place = NULL, count = NULL WHERE id = ?",
        [.text(record.id)])
      try transaction.remove(record)
    }
  }

  private static func find(_ search: MadeSearch, _ folded: String, in db: Database) throws -> SearchRecord? {
    try SearchRecord.all(
      in: db, "WHERE scope = ? AND folded = ? AND ifnull(target, '') = ? AND ifnull(place, '') = ?",
      [.text(search.scope.rawValue), .text(folded), .text(search.target ?? ""), .text(search.place ?? "")]
    ).first
  }
}
