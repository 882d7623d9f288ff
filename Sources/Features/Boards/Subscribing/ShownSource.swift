import Contract
import HTTP
import Store
import Wire

/// A source as clients see it.
struct ShownSource: Payload {
  var id: SourceID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var kind: SourceKind
  var url: String
  var movedTo: String?
  var title: String?
  var foundTitle: String?
  var credential: String?
  var folder: [String]?
  var boards: Int
  var unread: Int
  var readOnly: Bool
  var fetchedAt: Instant?
  var fetched: Bool?
  var nextAt: Instant?
  var failures: Int
  var failure: RemoteProblem?
  var stopped: Bool
  var refreshing: Bool
  var existing: Bool?
  var unconfirmed: Bool?
  var display: Display

  struct Display: Payload {
    var title: String
    var kind: String
    var date: String?
    static let example = Display(title: "The groupware", kind: "MailPlug", date: "2:44 AM")
    static let fields = [
      "title": "Its title, else the one it gives itself, else its URL.", "kind": "What people call what it speaks.",
      "date": "When it last answered: the time of today, else the day too. Absent where it never did.",
    ]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("title", title)
      json.member("kind", kind)
      json.member("date", date)
      json.endObject()
    }
  }

  static let example = ShownSource(
    id: "0191", revision: 41, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), kind: .mailplug,
    url: "https://groupware.example/api/v2", movedTo: nil, title: "The groupware", foundTitle: nil,
    credential: "work", folder: ["Work"], boards: 4, unread: 12, readOnly: true,
    fetchedAt: Instant(milliseconds: 1_795_225_445_678), fetched: nil,
    nextAt: Instant(milliseconds: 1_795_226_345_678), failures: 0,
    failure: nil, stopped: false, refreshing: false, existing: nil,
    unconfirmed: nil, display: .example)

  static let fields = [
    "id": "The source.", "revision": "Changes with every update. Compared for equality only.",
    "createdAt": "When it was added.", "updatedAt": "When it last changed.", "kind": "What it speaks.",
    "url": "Where it is, as it was given.",
    "movedTo": "Where it is asked: the feed that a page named, or the place that it moved to for good.",
    "title": "The reader's own title.", "foundTitle": "The title that it gives itself.",
    "credential": "The name of its credential in config.toml.", "folder": "The folders of an OPML file around it.",
    "boards": "How many boards it has.", "unread": "How many stored posts of them were not read.",
    "readOnly": "Nothing can be written there.", "fetchedAt": "When it last answered.",
    "fetched":
      "False while it has a board of which no post has been requested, so that `unread` counts only the others. Boards of "
      + "groupware and forums are fetched once they are opened (`boards/posts`). Absent otherwise.",
    "nextAt": "When it is asked by itself again.", "failures": "How often in a row it could not be asked.",
    "failure": "Why it could not be asked the last time, or could be read in part only.",
    "stopped": "Not asked by itself any more: it is gone for good, or wants another credential. `boards/refresh` asks.",
    "refreshing": "Whether it is being asked now.", "existing": "It was there before it was added.",
    "unconfirmed":
      "True while nobody has confirmed a URL that came from a file or an archive: it is not asked inside a private "
      + "network. `boards/updateSource` with the `url` confirms it.",
    "display": "Strings for people.",
  ]
}

extension SourceRecord {
  /// Its title, else the one it gives itself, else its URL.
  var shownTitle: String { title ?? foundTitle ?? SecretPlace.shown(WebURL.masked(url)) }
}

extension ShownSource {
  init(_ record: SourceRecord, in snapshot: Snapshot) throws {
    let counts = try snapshot.db.first(
      """
      SELECT count(*), sum(ifnull(unread, 0)), ifnull(sum(fetchedAt IS NULL AND NOT isGone), 0)
      FROM board LEFT JOIN boardCount ON boardCount.board = board.id
      WHERE source = ?
      """, [.text(record.id)]
    ) { (boards: $0.int(0), unread: $0.int(1), unopened: $0.int(2)) }
    let url = SecretPlace.shown(WebURL.masked(record.url))
    self.init(
      id: SourceID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, kind: record.kind, url: url,
      movedTo: record.movedTo.map { SecretPlace.shown(WebURL.masked($0)) },
      title: record.title, foundTitle: record.foundTitle, credential: record.credential,
      folder: try record.folder.map { try StoredJSON<[String]>(stored: $0).value() }, boards: counts?.boards ?? 0,
      unread: counts?.unread ?? 0, readOnly: true, fetchedAt: record.fetchedAt,
      fetched: (counts?.unopened ?? 0) > 0 ? false : nil, nextAt: record.nextAt,
      failures: record.failures,
      failure: try KeptProblem.shown(record.failure ?? Self.notice(of: record, in: snapshot), of: record, in: snapshot),
      stopped: record.isStopped, refreshing: snapshot.services.boardDesk.sources.contains(record.id), existing: nil,
      unconfirmed: record.isTyped ? nil : true,
      display: Display(
        title: record.shownTitle, kind: record.kind.title, date: record.fetchedAt.map(snapshot.moment)))
  }

  /// A feed is its one board: what was left out of that is said of the feed too.
  private static func notice(of record: SourceRecord, in snapshot: Snapshot) throws -> String? {
    record.kind == .feed ? try BoardRecord.all(of: record.id, in: snapshot).compactMap(\.failure).first : nil
  }
}

enum ListSources: ArrivalList {
  static let name = "boards/sources"
  static let summary = "Where boards come from, in the order in which they were added, and how each was last heard."
  static let since = 1
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 500
    static let most = 2_000
  }

  static func show(in snapshot: Snapshot) -> (SourceRecord) throws -> ShownSource {
    { try ShownSource($0, in: snapshot) }
  }
}
