import Contract
import Display
import Store
import Wire

/// A question that is kept, as its row has it.
struct SavedSearchRecord: StoredItem {
  static let collectionName = "savedSearches"
  static let tableName = "savedSearch"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// What the reader calls it; nil where the question stands for itself.
  var title: String?
  var text = ""
  /// Where to look; nil is everywhere.
  var collections: String?

  static let fields = Fields<Self> {
    Field("title", \.title)
    Field("text", \.text)
    Field("collections", \.collections)
  }
}

extension SavedSearchRecord {
  var collectionList: [String]? { get throws { try collections.map { try StoredJSON<[String]>(stored: $0).value() } } }

  /// The question; nil where it can no longer be asked, as of a collection that a newer daemon had.
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

/// A question that is kept, as clients see it.
struct SavedSearch: Payload {
  var id: SearchID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var title: String?
  var text: String
  var collections: [String]?
  var count: Int?
  var countIsEstimate: Bool
  var display: Display

  struct Display: Payload {
    var title: String
    var count: String?
    static let example = Display(title: "Overdue", count: "3 found")
    static let fields = [
      "title": "The title, or the question.", "count": "How many there are; absent where it can no longer be asked.",
    ]
  }

  static let example = SavedSearch(
    id: "0192", revision: 42, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), title: "Overdue", text: "is:overdue", collections: nil,
    count: 3, countIsEstimate: false, display: .example)
  static let fields = [
    "id": "The saved search.", "revision": "Changes whenever it is changed.", "createdAt": "When it was saved.",
    "updatedAt": "When it last changed.", "title": "What the reader calls it.",
    "text": "The question, as in `search/query`.", "collections": "Where to look; absent: everywhere.",
    "count": "How many there are now; absent where it can no longer be asked.",
    "countIsEstimate": "Whether `count` is not exact, as of `search/query` without a token.",
    "display": "Strings for people.",
  ]
}

extension SavedSearch {
  init(_ record: SavedSearchRecord, in snapshot: Snapshot) throws {
    id = SearchID(unchecked: record.id)
    (revision, createdAt, updatedAt) = (record.revision, record.createdAt, record.updatedAt)
    (title, text, collections) = (record.title, record.text, try record.collectionList)
    let findings = try record.query(in: snapshot)?.findings(in: snapshot)
    count = findings?.total
    countIsEstimate = findings?.totalIsEstimate ?? false
    display = Display(
      title: record.title ?? record.text,
      count: findings.map {
        snapshot.services.catalogue.string(
          for: $0.totalIsEstimate
            ? Text("search.foundAbout", ["count": String($0.total)])
            : Text("search.found", ["count": String($0.total)]),
          language: snapshot.reader.language)
      })
  }
}

extension LibraryQuery {
  /// What it finds now.
  func findings(in snapshot: Snapshot) throws -> QueryFindings {
    let ranking = try ranking(now: snapshot.services.now().milliseconds, in: snapshot)
    return try findings(ranking, isWhole: false, in: snapshot)
  }
}
