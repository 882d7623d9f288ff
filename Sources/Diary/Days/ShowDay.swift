import Contract
import Display
import Kit
import Store
import Wire

enum ShowDay: ReadMethod {
  static let name = "diary/day"
  static let summary =
    "A day: its entries and, in time order, all items added, marked, read, moved, finished or due that day. The reply "
    + "shows one state of the library."
  static let effects: Effects = .reads

  struct Params: Payload {
    var day: GivenDay?
    var offset: Int?
    var limit: Int?
    static let example = Params(day: "yesterday", offset: nil, limit: 100)
    static let fields = [
      "day": "The day in the client's zone, which begins at the library's `dayStartsAt`. Default: today.",
      "offset": "The number of items to skip.", "limit": "Maximum number of entries, and of items. Default 200.",
    ]
    static let limits: [String: FieldLimits] = ["offset": .range(0...10_000), "limit": .range(1...1_000)]
  }

  struct Result: Payload {
    var day: CalendarDay
    var entries: [DiaryEntry]
    var items: [DayItem]
    var otherYears: Int
    var offset: Int
    var hasMore: Bool
    var display: Display

    struct Display: Payload {
      var date: String
      var day: String
      var otherYears: String?
      static let example = Display(
        date: "Nov 21, 2026", day: "today", otherYears: "1 entry on this day in other years")
      static let fields = [
        "date": "The day in the locale's format.", "day": "The same, or its word: today, yesterday, tomorrow.",
        "otherYears": "`otherYears` in words; absent if there are none.",
      ]
    }

    static let example = Result(
      day: CalendarDay(year: 2026, month: 11, day: 21)!, entries: [.example], items: [.example], otherYears: 1,
      offset: 0, hasMore: false,
      display: .example)
    static let fields = [
      "day": "The day that was parsed.", "entries": "The entries about that day, earliest first.",
      "items": "The events of that day, earliest first; those without a time, such as deadlines, first.",
      "otherYears": "The number of entries about this day in other years: see `diary/onThisDay`.",
      "offset": "The number of items skipped.",
      "hasMore": "Whether there is more: `offset` continues the items, and `diary/list` returns all entries.",
      "display": "Strings for people.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let (reader, services) = (snapshot.reader, snapshot.services)
    let today = services.today(for: reader)
    let day = try params.day?.day("day", leaning: .back, in: snapshot) ?? today
    let (offset, limit) = (params.offset ?? 0, params.limit ?? 200)
    var listing = EntryListing(by: ListEntries.Sort.oldest.order)
    listing.narrow("day = ?", [.text(day.description)])
    let entries = try listing.page(ListPart(limit: limit), in: snapshot)
    // Each source returns its first items, which include the first of all; one more shows whether there are others.
    let query = DayQuery(day: day, instants: services.instants(of: day, for: reader), limit: offset + limit + 1)
    let items = try services.library.daySources.flatMap { try $0(query, snapshot) }
      .sorted(by: DayItem.precedes).dropFirst(offset)
    let otherYears = try ShowOnThisDay.listing(of: day).count(in: snapshot.db)
    return Result(
      day: day, entries: entries.items, items: Array(items.prefix(limit)), otherYears: otherYears, offset: offset,
      hasMore: entries.hasMore || items.count > limit,
      display: .init(
        date: services.dates.string(.day, on: day.yearMonthDay, for: reader),
        day: services.dates.relativeString(
          .day, on: day.yearMonthDay, today: today.yearMonthDay, for: reader),
        otherYears: otherYears == 0
          ? nil : snapshot.words(Text("diary.otherYears", ["count": String(otherYears)]))))
  }
}

/// The diary's items on a day's page besides the entries about it: entries written that day about another.
enum DiaryDay {
  static let condition = "WHERE writtenAt >= ? AND writtenAt < ? AND day <> ? ORDER BY writtenAt, id LIMIT ?"

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    var values = query.bounds
    values.insert(.text(query.day.description), at: 2)
    return try EntryRecord.all(in: snapshot.db, condition, values).map { record in
      let text = TitledText(record.text)
      return DayItem(
        .written, collection: EntryRecord.collectionName, id: record.id, at: record.writtenAt.milliseconds,
        title: text.name, text: text.preview, in: snapshot)
    }
  }
}
