import Contract
import HTTP
import Kit
import Store
import Wire

/// A source in replies.
typealias SourceReply = ItemJSON<ShownSource>

/// A source for one client.
struct ShownSource: SnapshotItem {
  static let name = "ShownSource"

  let item: SourceRecord
  /// It was there before it was added.
  var existing: Bool?
  private let snapshot: Snapshot
  private let counts: (boards: Int, unread: Int, unopened: Int)

  init(_ record: SourceRecord, in snapshot: Snapshot) throws {
    (item, self.snapshot) = (record, snapshot)
    counts =
      try snapshot.db.first(
        """
        SELECT count(*), ifnull((SELECT unread FROM sourceCount WHERE source = ?1), 0),
          ifnull(sum(fetchedAt IS NULL AND NOT isGone), 0)
        FROM board WHERE source = ?1
        """, [.text(record.id)]
      ) { ($0.int(0), $0.int(1), $0.int(2)) } ?? (0, 0, 0)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("boards", "The number of its boards.", example: 4) { $0.counts.boards },
    DerivedMember(
      "unread", "The number of its unread stored posts; one on several boards counts once.", example: 12
    ) { $0.counts.unread },
    DerivedMember("readOnly", "Whether nothing can be written to it.", example: true) { _ in true },
    DerivedMember(
      "fetched",
      "False while posts of some board were never requested, so that `unread` counts only the others. Boards of "
        + "groupware and forums are fetched in the background after the source was added. Absent otherwise.",
      example: nil
    ) { $0.counts.unopened > 0 ? false : nil },
    DerivedMember(
      "failure", "Why the last fetch failed, or was incomplete.", example: nil
    ) { try StoredProblem.shown($0.item.failure ?? $0.notice, of: $0.item, in: $0.snapshot) },
    DerivedMember("refreshing", "Whether it is being fetched now.", example: false) {
      $0.snapshot.services.boardFetches.sources.contains($0.item.id)
    },
    DerivedMember("existing", "True if it existed before the request.", example: nil) { $0.existing },
    DerivedMember(
      "unconfirmed",
      "True until a URL imported from a file or an archive is confirmed: it is not fetched from a private network. "
        + "Confirm it with `boards/updateSource` and the `url`.", example: nil
    ) { $0.item.isTyped ? nil : true },
    DerivedMember("display", of: "ShownSource.Display", "Strings for people.") {
      DerivedMember(
        "title", "Its title, else the source's own, else its host, or a feed's URL.", example: "The groupware"
      ) { $0.item.shownTitle }
      DerivedMember("kind", "The label of the source's type.", example: "MailPlug") { $0.item.kind.title }
      DerivedMember(
        "date", "When it last answered: the time if today, else also the day. Absent if never.",
        example: "2:44 AM"
      ) { $0.item.fetchedAt.map($0.snapshot.moment) }
    },
  ]

  static let example: SourceRecord = {
    var source = SourceRecord()
    (source.id, source.revision) = ("0191", 41)
    source.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (source.updatedAt, source.fetchedAt) = (source.createdAt, source.createdAt)
    source.nextAt = Instant(milliseconds: 1_795_226_345_678)
    (source.kind, source.url) = (.mailplug, "https://groupware.example/api/v2")
    (source.title, source.credential, source.folder) = ("The groupware", "work", #"["Work"]"#)
    return source
  }()

  /// A feed has one board: an incomplete board is noted on the feed too.
  private var notice: String? {
    get throws {
      item.kind == .feed ? try BoardRecord.all(of: item.id, in: snapshot).compactMap(\.failure).first : nil
    }
  }
}

extension SourceRecord {
  /// Its title, else its own title, else its host, which most groupware does not share; for a feed its URL.
  var shownTitle: String {
    if let title = title ?? foundTitle { return title }
    guard kind != .feed, let origin = Origin(url) else { return SecretPlace.shown(WebURL.masked(url)) }
    return origin.port == Origin("\(origin.scheme)://\(origin.host)")?.port
      ? origin.host : "\(origin.host):\(origin.port)"
  }
}

enum ListSources: ArrivalList {
  static let name = "boards/sources"
  static let summary = "The sources of boards, in order of addition, with the time and result of their last fetch."
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 500
    static let most = 2_000
  }

  static func show(in snapshot: Snapshot) -> (SourceRecord) throws -> SourceReply {
    { try SourceReply($0, in: snapshot) }
  }
}
