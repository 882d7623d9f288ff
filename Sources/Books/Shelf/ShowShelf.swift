import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

enum ShowShelf: ReadMethod {
  static let name = "books/shelf"
  static let summary = "The books on the shelf, filtered by status, tag, series, document, year, copy and words."
  static let effects: Effects = .reads

  struct Params: Payload {
    var status: BookStatus?
    var tag: String?
    var series: String?
    var document: ItemID?
    var year: Int?
    var owned: Bool?
    var lent: Bool?
    var next: Bool?
    var query: String?
    var sort: Sort?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(
      status: .read, tag: nil, series: nil, document: nil, year: 2026, owned: nil, lent: nil, next: nil,
      query: nil, sort: .finished, offset: nil, after: nil, limit: 20)
    static let fields = [
      "status": "Only books with this status.",
      "tag": "Only books with this tag or one below it (`a/b` for `a`), ignoring case, width and composition.",
      "document": "Only the books of this document.",
      "year": "Only books finished in this year, also in an earlier read.",
      "owned": "Only books of which the user has a copy (`true`), or only the others.",
      "lent": "Only books that somebody has borrowed (`true`), or only the others.",
      "next": "Only the books to read next, which `books/order` sets (`true`), or only the others.",
      "series": "Only books of this series, ignoring case, width and composition; `books/series` lists the series.",
      "query": "Words that title, authors, note or quotes must contain, the last as a prefix. Empty matches all.",
      "sort": Sort.note,
      "offset": "The number of books to skip.", "after": "`next` of the previous page.",
      "limit": PartFields.limitNote(usually: 50),
    ]
    static let limits: [String: FieldLimits] = [
      "tag": .length(1...TagList.longest, notBlank: true), "series": .length(1...BookFacts.longestLine, notBlank: true),
      "year": .range(0...9_999), "query": .length(0...1_000),
      "offset": .atLeast(0), "after": .length(1...256), "limit": .range(1...1_000),
    ]
    static let atMostOne = [["offset", "after"]]
  }

  struct Result: Payload {
    var items: [Book]
    var offset: Int
    var limit: Int
    var total: Int
    var totalIsEstimate: Bool
    var hasMore: Bool
    var next: String?
    var counts: ShelfCounts
    static let example = Result(
      items: [.example], offset: 0, limit: 50, total: 1, totalIsEstimate: false, hasMore: false, next: nil,
      counts: .example)
    static let fields = Page<Book>.fields.merging([
      "counts": "The number of books on the shelf by status, regardless of filters."
    ]) {
      own, _ in own
    }
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    var listing = ItemListing<BookRecord>(by: (params.sort ?? .added).order)
    if let status = params.status { listing.narrow("status = ?", [.text(status.rawValue)]) }
    if let tag = params.tag.map(BookSearch.tags.condition) { listing.narrow(tag.sql, tag.values) }
    if let series = params.series { listing.narrow("series", foldedText(series)) }
    if let document = params.document { listing.narrow("document", document.text) }
    if let year = params.year {
      let digits = String(year)
      let prefix = String(repeating: "0", count: 4 - digits.count) + digits
      let days: [SQLValue] = [.text("\(prefix)-01-01"), .text("\(prefix)-12-31")]
      listing.narrow(
        "(finished BETWEEN ? AND ? OR id IN (SELECT book FROM bookName WHERE kind IN ('read', 'abandoned') "
          + "AND name BETWEEN ? AND ?))", days + days)
    }
    if let owned = params.owned { listing.narrow("owned = ?", [.bool(owned)]) }
    if let lent = params.lent { listing.narrow("(lentTo IS NOT NULL) = ?", [.bool(lent)]) }
    if let next = params.next { listing.narrow("(rank IS NOT NULL AND status = 'want') = ?", [.bool(next)]) }
    if let query = params.query { try listing.narrow(toWords: query, in: snapshot.db) }
    let part = ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 50)
    let view = BookView(in: snapshot)
    let page = try listing.page(part, in: snapshot) { try view.book($0) }
    return Result(
      items: page.items, offset: page.offset, limit: page.limit, total: page.total,
      totalIsEstimate: page.totalIsEstimate,
      hasMore: page.hasMore, next: page.next, counts: try ShelfCounts(in: snapshot))
  }
}

extension ItemListing<BookRecord> {
  /// Keeps only books with this name of this kind.
  mutating func narrow(_ kind: String, _ name: String) {
    narrow("id IN (SELECT book FROM bookName WHERE kind = ? AND name = ?)", [.text(kind), .text(name)])
  }
}

extension ShowShelf {
  enum Sort: String, Choice {
    case added, changed, finished, next, rating, series, started, title

    static let note =
      "`added`: last added first (default); `changed`, `started`, `finished`: latest first, those without a day last; "
      + "`next`: the books to read next, in the order of `books/order`, then the others; `rating`: highest first; "
      + "`series`: by the first series and the number in it, books without a series last; `title`."
  }
}

extension ShowShelf.Sort {
  var order: Keyset {
    let id = Keyset.Key.text("id")
    return switch self {
    case .added: Keyset(.integer("addedAt"), id).descending
    case .changed: .change
    case .started: Keyset(.text("ifnull(started, '')"), id).descending
    case .finished: Keyset(.text("ifnull(finished, '')"), id).descending
    // A tilde follows all characters of ranks.
    case .next: Keyset(.text("iif(status = 'want', ifnull(rank, '~'), '~')"), id)
    case .rating: Keyset(.integer("CAST(ifnull(rating, 0) * 2 AS INTEGER)"), id).descending
    case .series:
      Keyset(
        .text("ifnull(substr(fold(json_extract(facts, '$.series[0].name')), 1, 60), char(1114111))"),
        .integer("CAST(ifnull(json_extract(facts, '$.series[0].number'), 0) * 100 AS INTEGER)"), id)
    // A prefix is enough; books with the same prefix are ordered by id.
    case .title: Keyset(.text("substr(fold(title), 1, 60)"), id)
    }
  }
}

/// The number of books of each status.
struct ShelfCounts: Payload, Equatable {
  var want = 0
  var reading = 0
  var read = 0
  var abandoned = 0
  static let example = ShelfCounts(want: 12, reading: 2, read: 80, abandoned: 1)
  static let fields = [
    "want": "To be read.", "reading": "Being read.", "read": "Read.", "abandoned": "Given up.",
  ]
}

extension ShelfCounts {
  init(in snapshot: Snapshot) throws {
    try snapshot.db.each("SELECT status, count(*) FROM book GROUP BY status") { row in
      switch BookStatus(rawValue: row.text(0)) {
      case .want: want = row.int(1)
      case .reading: reading = row.int(1)
      case .read: read = row.int(1)
      case .abandoned: abandoned = row.int(1)
      case nil: break
      }
    }
  }
}
