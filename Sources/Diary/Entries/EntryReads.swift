import Contract
import Kit
import SearchEngine
import Store
import Wire

struct EntryParams: Payload {
  var id: EntryID
  static let example = EntryParams(id: "0192")
  static let fields = ["id": "The entry."]
}

enum GetEntry: ReadMethod, ManyItemsMethod {
  static let name = "diary/get"
  static let summary = "One entry with its text."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true
  typealias Params = EntryParams
  typealias Result = DiaryEntry

  static func run(_ params: EntryParams, in snapshot: Snapshot) throws -> DiaryEntry {
    try DiaryEntry(snapshot.get(EntryRecord.self, id: params.id.text), in: snapshot)
  }
}

enum ListEntries: ReadMethod {
  static let name = "diary/list"
  static let summary = "Entries, newest day first, filtered by day, text, tag, star, journal and place."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  enum Sort: String, Choice {
    case newest, oldest, changed
  }

  struct Params: Payload {
    var from: GivenDay?
    var to: GivenDay?
    var date: String?
    var query: String?
    var tag: String?
    var starred: Bool?
    var journal: String?
    var place: String?
    var sort: Sort?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(
      from: "2026-11-01", to: "2026-11-30", date: nil, query: "river", tag: nil, starred: nil, journal: nil, place: nil,
      sort: .newest, offset: nil, after: nil, limit: 20)
    static let fields = [
      "from": "The first day.", "to": "The last day.",
      "date": "Only days of this month in any year, `11`, or of this date, `11-21`.",
      "query": "A part of the text, ignoring case, width and composition. Empty matches all.",
      "tag": "Only entries with this tag or one below it, in any case and width.",
      "starred": "Only entries that are starred, or only the others.",
      "journal": "Only entries of this journal, in any case and width; with an empty text those of none.",
      "place": "A part of the place, ignoring case, width and composition.",
      "sort": "`newest` day first (default), `oldest` day first, `changed`: last changed first.",
      "offset": "The number of items to skip.", "after": "`next` of the previous page.",
      "limit": "Maximum number. Default 100. A page of entries with very long titles is shorter.",
    ]
    static let limits: [String: FieldLimits] = [
      "date": .length(2...5), "query": .length(0...1_000), "tag": .length(1...TagList.longest, notBlank: true),
      "journal": .length(0...EntryDetails.longest),
      "place": .length(1...EntryDetails.longest, notBlank: true), "offset": .atLeast(0),
      "after": .length(1...256), "limit": .range(1...1_000),
    ]
    static let atMostOne = [["offset", "after"]]
  }
  typealias Result = Page<DiaryEntry>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<DiaryEntry> {
    let sort = params.sort ?? .newest
    var listing = EntryListing(by: sort.order)
    let from = try params.from?.day("from", leaning: .back, in: snapshot)
    if let from { listing.narrow("day >= ?", [.text(from.description)]) }
    let to = try params.to?.day("to", leaning: .back, in: snapshot)
    if let to { listing.narrow("day <= ?", [.text(to.description)]) }
    if let date = params.date {
      // By the index of dates: `-00` precedes and `-99` follows every day of the month.
      guard let ends = Self.ends(of: date) else {
        throw RPCError.invalidParams(field: "date", reason: Text("param.invalid"))
      }
      listing.narrow("substr(day, 6) BETWEEN ? AND ?", [.text(ends.first), .text(ends.last)])
    }
    if let tag = params.tag.map(EntrySearch.tags.condition) { listing.narrow(tag.sql, tag.values) }
    if let journal = try params.journal.map({ try Journals.condition(of: $0, in: snapshot.db) }) {
      listing.narrow(journal.sql, journal.values)
    }
    if let place = params.place { listing.narrow("instr(fold(place), ?) > 0", [.text(foldedText(place))]) }
    if let isStarred = params.starred { listing.narrow(isStarred ? "starred" : "NOT starred") }
    if let query = params.query, !query.isBlank {
      try listing.narrow(to: query, in: snapshot)
    } else if params.date == nil, params.tag == nil, params.starred == nil, params.journal == nil,
      params.place == nil, sort != .changed
    {
      listing.counts = EntryCounts(from: from, to: to, order: sort, db: snapshot.db)
    }
    return try listing.page(
      ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 100), in: snapshot)
  }

  /// The first and the last date that a month, `11`, or a date, `11-21`, includes; nil for another text.
  private static func ends(of date: String) -> (first: String, last: String)? {
    // A leap year has every date.
    let isMonth = date.utf8.count == 2
    guard CalendarDay("2024-\(date)" + (isMonth ? "-01" : "")) != nil else { return nil }
    return isMonth ? (date + "-00", date + "-99") : (date, date)
  }
}
