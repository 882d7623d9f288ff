import Contract
import Display
import Kit
import Store
import Wire

/// A row of a saved query.
struct SavedSearchRecord: StoredItem {
  static let collectionName = "savedSearches"
  static let tableName = "savedSearch"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// The user's title; nil if the query is shown instead.
  var title: String?
  var text = ""
  /// The collections to search; nil for all.
  var collections: String?

  /// Unicode scalars.
  static let longestText = 10_000

  static let fields = Fields<Self> {
    Field("title", \.title, .text(1...200, notBlank: true), "The title that the user gave it.")
    Field("text", \.text, .text(1...longestText, notBlank: true), "The query, as in `search/query`.").query
    Field("collections", \.collections, .json(.array(.string)), "The collections to search; absent if all.")
  }
}

extension SavedSearchRecord {
  var collectionList: [String]? { get throws { try collections.map { try StoredJSON<[String]>(stored: $0).value() } } }

  /// The query; nil if it is no longer valid, such as one for a collection that a newer daemon had.
  func query(in snapshot: Snapshot) throws -> LibraryQuery? {
    do {
      return try LibraryQuery(text, collections: collectionList, in: snapshot)
    } catch is RPCError {
      return nil
    }
  }

  /// In the order in which they were saved.
  static func all(in snapshot: Snapshot) throws -> [SavedSearchRecord] {
    try all(in: snapshot.db, "WHERE 1 ORDER BY createdAt, id")
  }
}

/// A saved query in replies.
typealias SavedSearch = ItemJSON<ShownSavedSearch>

/// A saved query for one client.
struct ShownSavedSearch: SnapshotItem {
  static let name = "SavedSearch"

  let item: SavedSearchRecord
  private let snapshot: Snapshot
  /// Nil if the query is no longer valid.
  private let found: QueryFindings?

  init(_ record: SavedSearchRecord, in snapshot: Snapshot) throws {
    (item, self.snapshot) = (record, snapshot)
    found = try record.query(in: snapshot).map { try $0.findings(in: snapshot) }
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("count", "The number of results now; absent if the query can no longer be run.", example: 3) {
      $0.found?.total
    },
    DerivedMember(
      "countIsEstimate", "Whether `count` is inexact, as in `search/query` without a token.", example: false
    ) { $0.found?.totalIsEstimate ?? false },
    DerivedMember("countIsFloor", "True if `count` is a lower bound; absent otherwise.", example: nil) {
      $0.found?.totalIsFloor == true ? true : nil
    },
    DerivedMember("display", of: "SavedSearch.Display", "Strings for people.") {
      DerivedMember("title", "The title, or the query.", example: "Overdue") { $0.item.title ?? $0.item.text }
      DerivedMember(
        "count", "The number of results; absent if the query can no longer be run.", example: "3 found"
      ) { search in
        search.found.map { search.snapshot.words($0.heading) }
      }
    },
  ]

  static let example: SavedSearchRecord = {
    var search = SavedSearchRecord()
    (search.id, search.revision) = ("0192", 42)
    search.createdAt = Instant(milliseconds: 1_795_225_445_678)
    search.updatedAt = search.createdAt
    (search.title, search.text) = ("Overdue", "is:overdue")
    return search
  }()
}

extension LibraryQuery {
  /// Its present results.
  func findings(in snapshot: Snapshot) throws -> QueryFindings {
    let ranking = try ranking(now: snapshot.services.now().milliseconds, in: snapshot)
    return try findings(ranking, isWhole: false, in: snapshot)
  }
}
