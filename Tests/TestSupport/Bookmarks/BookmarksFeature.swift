import Contract
import Exchange
import Kit
import Store
import Wire

/// A whole collection, which shows what one costs where its fields say all: links to pages of the web. All that it has
/// to say stands here.
package enum BookmarksFeature {
  package static let feature = Feature(
    name: "webBookmarks", routes: Route.items(ShownBookmark.self),
    migrations: [
      Migration(
        "webBookmarks/001",
        sql: """
          CREATE TABLE webBookmark (
            id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
            url TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL, note TEXT NOT NULL, readOn TEXT, isPublic INTEGER NOT NULL, taken TEXT,
            formerTitles TEXT);
          """)
    ],
    collections: [ItemCollection(of: ShownBookmark.self)],
    searches: [SearchSource(of: BookmarkRecord.self, label: Text("webBookmarks.collection"))])
}

package struct BookmarkRecord: ExchangedItem {
  package static let collectionName = "webBookmarks"
  package static let tableName = "webBookmark"

  package var id = ""
  package var revision: Int64 = 0
  package var createdAt = Instant(milliseconds: 0)
  package var updatedAt = Instant(milliseconds: 0)
  package var url = ""
  package var title = ""
  package var tags: [String] = []
  package var note = ""
  package var readOn: CalendarDay?
  package var isPublic = false
  package var mergeBase: String?

  package init() {}

  /// No page is older than the first one, and others see what a page is called.
  package func check() throws {
    if let readOn, readOn.daysSince1970 < 7_887 {
      throw RPCError.invalidParams(field: "readOn", reason: Text("param.invalid", ["field": "readOn"]))
    }
    if isPublic, title.isEmpty { throw RPCError.invalidParams(field: "title", reason: Text("param.blank")) }
  }

  package static let fields = Fields<Self> {
    Field("url", \.url, .text(1...8_192, notBlank: true), "Where it leads.").settable().required.followed
    Field("title", \.title, .text(0...1_000), "What it is called.").settable().followed.searched(.title)
    Field.tags("tags", \.tags, "Its tags.")
    Field("note", \.note, .text(0...100_000), "What is to be said of it.")
      .settable().omittedInLists.followed.merged(.text).searched(.body)
    Field("readOn", \.readOn, "The day on which it was read.").settable().followed
    Field("isPublic", \.isPublic, "Whether others may see it.").settable().followed
    Field("taken", \.mergeBase).internal
  }
}

package struct ShownBookmark: SnapshotItem {
  package static let name = "WebBookmark"
  package let item: BookmarkRecord
  package init(_ item: BookmarkRecord, in snapshot: Snapshot) { self.item = item }
  package static let derived: [DerivedMember<Self>] = []
  package static let example: BookmarkRecord = {
    var bookmark = BookmarkRecord()
    (bookmark.id, bookmark.revision, bookmark.url) = ("0192", 42, "https://example.org/a")
    (bookmark.title, bookmark.note) = ("A page", "To be read.")
    return bookmark
  }()
}
