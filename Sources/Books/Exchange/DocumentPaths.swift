import Kit
import Store
import Wire

/// The documents of the library by the paths from which they were added.
struct DocumentPaths: Sendable {
  private var ids: [String: String] = [:]

  init() {}

  init(in snapshot: Snapshot) throws {
    // A feature accesses other features' items only by their collections.
    guard let documents = snapshot.services.library.collection("documents") else { return }
    try snapshot.db.each("SELECT id, origins FROM \(documents.table) ORDER BY id") { row in
      for path in JSONList.strings(row.text(1)) where path.hasPrefix("/") { ids[path] = row.text(0) }
    }
  }

  /// The row with the documents that its files are. They are part of the stored row, so that a file that was added to
  /// the library after an import is found by the next one.
  func linked(_ row: BookFile.Row) -> BookFile.Row {
    let documents = row.files.compactMap { ids[$0] }.prefix(ShelfContent.most)
    if documents.isEmpty { return row }
    var row = row
    row.book.content.documents = Array(documents)
    row.book.row["documents"] = .array(documents.map { .string($0) })
    return row
  }
}
