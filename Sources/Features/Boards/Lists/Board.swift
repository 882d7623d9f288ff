import Contract
import Store
import Wire

/// A board as clients see it.
struct Board: Payload {
  var id: BoardID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var source: SourceID
  var boardId: String
  var displayName: String
  var count: Int
  var unread: Int
  var sinceVisit: Int
  var total: Int?
  var selected: Bool
  var isGone: Bool
  var readOnly: Bool
  var fetchedAt: Instant?
  var fetched: Bool?
  var failure: RemoteProblem?
  var display: Display

  struct Display: Payload {
    var title: String
    var source: String
    var search: String
    var state: String?
    static let example = Display(
      title: "Notices", source: "The groupware", search: "Search in Notices", state: "Selected")
    static let fields = [
      "title": "Its name, or a placeholder.", "source": "The title of its source.",
      "search": "What stands in an empty search field above it.",
      "state":
        "The word for the board that this client has before it, or for one of which nothing was fetched yet; absent "
        + "for the others.",
    ]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("title", title)
      json.member("source", source)
      json.member("search", search)
      json.member("state", state)
      json.endObject()
    }
  }

  static let example = Board(
    id: "0192", revision: 42, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), source: "0191", boardId: "28478", displayName: "Notices",
    count: 137, unread: 12, sinceVisit: 3, total: 140, selected: true, isGone: false, readOnly: true,
    fetchedAt: Instant(milliseconds: 1_795_225_445_678), fetched: nil, failure: nil, display: .example)

  static let fields = [
    "id": "The board.", "revision": "Changes with every update. Compared for equality only.",
    "createdAt": "When it came into the library.", "updatedAt": "When it last changed.",
    "source": "Where it comes from.", "boardId": "The source's own id of it.",
    "displayName": "Its name as the source has it.", "count": "How many of its posts are in the library.",
    "unread": "How many of those nobody has read; it states nothing where `fetched` is false.",
    "sinceVisit": "How many came since this client turned to it the time before (`boards/select`).",
    "total": "How many posts the source says there are.", "selected": "Whether this client has it before it.",
    "isGone": "The source does not name it any more; what was fetched stays.",
    "readOnly": "Nothing can be written there.",
    "fetchedAt": "When its beginning was last heard; absent until it is opened the first time.",
    "fetched":
      "False while none of its posts has been requested: `count` and `unread` are 0 then, whatever the board has, and "
      + "`boards/posts` fetches its first page. Absent otherwise.",
    "failure": "Why it could not be asked the last time.", "display": "Strings for people.",
  ]

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("id", id.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("source", source.text)
    json.member("boardId", boardId)
    json.member("displayName", displayName)
    json.member("count", count)
    json.member("unread", unread)
    json.member("sinceVisit", sinceVisit)
    json.member("total", total)
    json.member("selected", selected)
    json.member("isGone", isGone)
    json.member("readOnly", readOnly)
    json.member("fetchedAt", fetchedAt)
    json.member("fetched", fetched)
    if let failure { try json.member("failure", failure) }
    try json.member("display", display)
    json.endObject()
  }
}

/// Shows boards to one client, as one state of the library has them.
struct BoardView {
  let snapshot: Snapshot
  let shown: String?

  init(in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    shown = try BoardSelection(of: snapshot.caller.clientName, in: snapshot).shown(in: snapshot)
  }

  func board(_ record: BoardRecord) throws -> Board {
    let db = snapshot.db
    let counts = try db.first("SELECT count, unread FROM boardCount WHERE board = ?", [.text(record.id)]) {
      (count: $0.int(0), unread: $0.int(1))
    }
    let visit = try BoardSelection.lastVisit(of: snapshot.caller.clientName, to: record.id, in: snapshot)
    let arrived = try visit.map { visit in
      try db.first(
        "SELECT count(*) FROM boardPost WHERE board = ? AND arrivedAt > ?", [.text(record.id), .integer(visit)]
      ) { $0.int(0) } ?? 0
    }
    let title = Self.title(of: record, in: snapshot)
    let source = try snapshot.find(SourceRecord.self, id: record.source)
    let isSelected = shown.map { sameBytes($0, record.id) } ?? false
    return Board(
      id: BoardID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, source: SourceID(unchecked: record.source), boardId: record.remoteID,
      displayName: record.displayName, count: counts?.count ?? 0, unread: counts?.unread ?? 0,
      sinceVisit: arrived ?? 0, total: record.remoteTotal,
      selected: isSelected, isGone: record.isGone, readOnly: true,
      fetchedAt: record.fetchedAt, fetched: record.fetchedAt == nil ? false : nil,
      failure: try KeptProblem.shown(record.failure, of: source, record, in: snapshot),
      display: Board.Display(
        title: title, source: source?.shownTitle ?? "",
        search: snapshot.words(Text("boards.searchIn", ["board": title])),
        state: isSelected
          ? snapshot.words(Text("boards.selected"))
          : record.fetchedAt == nil ? snapshot.words(Text("boards.notFetched")) : nil))
  }

  /// The board's name for people. A feed is its one board, which is called as its reader calls the source.
  static func title(of record: BoardRecord, in snapshot: Snapshot) -> String {
    let source = try? snapshot.find(SourceRecord.self, id: record.source)
    if source?.kind == .feed, let title = source?.title { return title }
    if !record.displayName.isEmpty { return record.displayName }
    let isLatest = source?.kind == .discourse && sameBytes(record.remoteID, DiscourseSource.latest)
    return snapshot.words(isLatest ? Text("boards.latest") : Text("boards.noName"))
  }
}

extension Snapshot {
  /// A sentence in the client's language.
  func words(_ text: Text) -> String { services.catalogue.string(for: text, language: reader.language) }
}
