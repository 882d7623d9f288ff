import Contract
import Exchange
import Kit
import Store
import Wire

/// Photos and other files that the texts of the library show.
package enum FilesFeature {
  package static let feature = Feature(
    name: "files",
    routes: [
      Route(AddFile.self), Route(GetItem<ShownFile>.self), Route(ListFiles.self), Route(UpdateItem<ShownFile>.self),
      Route(RemoveItem<ShownFile>.self), Route(RemoveUnusedFiles.self), Route(ShowContent.self),
      Route(ShowThumbnail.self),
    ],
    migrations: [Migration("files/001", sql: table), Migration("files/002", sql: needs)], collections: [collection],
    searches: [SearchSource(of: FileRecord.self, label: Text("files.collection"))],
    start: { services in services.unusedFiles.begin(with: services) },
    stop: { services in services.memory.known(UnusedFiles.self)?.end() })

  private static let table = """
    CREATE TABLE file (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      name TEXT NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL, mediaType TEXT NOT NULL, width INTEGER,
      height INTEGER, takenOn TEXT, formerTitles TEXT);
    CREATE INDEX fileByCreation ON file (createdAt, id);
    CREATE INDEX fileByChange ON file (updatedAt, id);
    CREATE INDEX fileByRevision ON file (revision);
    """

  /// The files that no text shows, but that were needed when they were last inspected, and when they are inspected again.
  private static let needs = "CREATE TABLE fileNeed (file TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID"

  private static let collection: ItemCollection = {
    var collection = ItemCollection(of: ShownFile.self)
    // A name is no text.
    collection.linking?.texts = []
    collection.restored = ItemCollection.Restored(refusal: { id, before, transaction in
      // Undoing its addition would leave a gap in the texts that show it by now.
      guard before != nil, try transaction.snapshot.find(FileRecord.self, id: id) == nil,
        let text = try FileUses.first(of: id, in: transaction.snapshot)
      else { return nil }
      return Text("files.inUse", ["title": text])
    })
    return collection.shared()
  }()
}
