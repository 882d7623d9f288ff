import Store
import Wire

/// A document and its marks for an export, in reading order, from one state of the library.
struct ExportedMarks: Sendable {
  let document: DocumentRecord
  let highlights: [ExportedHighlight]
  let bookmarks: [BookmarkRecord]
  let memos: [MemoRecord]
  /// The pages' labels in the file.
  let labels: [Int: String]

  init(of id: String, in snapshot: Snapshot) throws {
    let document = try snapshot.get(DocumentRecord.self, id: id)
    let marks = try DocumentMarks(of: id, in: snapshot)
    self.document = document
    highlights = try marks.highlights.sorted { $0.place < $1.place }.map { record in
      ExportedHighlight(
        record: record, anchor: try record.anchor.value(),
        shown: try ShownHighlight(record, of: document, in: snapshot))
    }
    bookmarks = marks.bookmarks.sorted { $0.place < $1.place }
    memos = marks.memos.sorted { $0.place < $1.place }
    var labels: [Int: String] = [:]
    try snapshot.db.each(
      "SELECT page, label FROM pdfPage WHERE hash = ? AND label IS NOT NULL", [.text(document.hash)]
    ) { labels[$0.int(0)] = $0.text(1) }
    self.labels = labels
  }

  var count: Int { highlights.count + bookmarks.count + memos.count }

  /// Pages with highlights whose text is not available, ascending. An orphan is on no page of this file.
  var lockedPages: [Int] {
    Set(highlights.filter { $0.shown.isLocked && !$0.record.isOrphan }.map(\.record.page)).sorted()
  }

  /// The pages that have marks, ascending.
  var pages: [Int] {
    let pages =
      highlights.map(\.record).filter { !$0.isOrphan }.map(\.page) + bookmarks.filter { !$0.isOrphan }.map(\.page)
      + memos.filter { !$0.isOrphan }.map(\.page)
    return Set(pages).sorted()
  }
}

struct ExportedHighlight: Sendable {
  let record: HighlightRecord
  let anchor: Anchor
  /// For clients: with its text, even if that is in memory only.
  let shown: ShownHighlight

  var link: String { shown.link }
}
