import Kit

/// A book of the shelf that is being exported.
struct ExportedBook: Sendable {
  let record: BookRecord
  let facts: BookFacts
  let content: ShelfContent
  let sameAs: [String]
  /// Identifies this state of the book, so that an import of the file can tell whether the shelf has changed it since.
  let revision: String

  init(_ record: BookRecord, epoch: String) throws {
    self.record = record
    revision = Self.revision(of: record, epoch: epoch)
    facts = try record.facts.value()
    content = record.content
    sameAs = try record.sameAs.value()
  }

  /// Revisions count within a library's epoch.
  static func revision(of record: BookRecord, epoch: String) -> String { "\(epoch)/\(record.revision)" }
}
