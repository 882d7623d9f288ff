import Contract
import Kit
import Store
import Wire

enum ShowOnThisDay: ReadMethod {
  static let name = "diary/onThisDay"
  static let summary =
    "The entries about this day in other years, newest first. Entries of 29 February are included on 28 February in "
    + "years without a 29th."
  static let effects: Effects = .reads

  struct Params: Payload {
    var day: GivenDay?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(
      day: "2026-11-21", offset: nil, after: nil, limit: 20)
    static let fields = [
      "day": "The day. Default: today.", "offset": "The number of items to skip.",
      "after": "`next` of the previous page.",
      "limit": "Maximum number. Default 100.",
    ]
    static let limits: [String: FieldLimits] = [
      "offset": .atLeast(0), "after": .length(1...256), "limit": .range(1...1_000),
    ]
    static let atMostOne = [["offset", "after"]]
  }
  typealias Result = Page<DiaryEntry>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<DiaryEntry> {
    let day = try params.day?.day("day", leaning: .back, in: snapshot) ?? snapshot.services.today(for: snapshot.reader)
    return try listing(of: day).page(
      ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 100), in: snapshot)
  }

  static func listing(of day: CalendarDay) -> EntryListing {
    var listing = EntryListing(by: ListEntries.Sort.newest.order)
    let (year, date) = (String(day.description.prefix(4)), String(day.description.dropFirst(5)))
    // An anniversary stays in its month, so 29 February is shown on the 28th in years without it.
    let takesLeapDay = day.month == 2 && day.day == 28 && !CalendarDay.isLeap(year: day.year)
    listing.narrow("substr(day, 6) IN (?, ?)", [.text(date), .text(takesLeapDay ? "02-29" : date)])
    listing.narrow("substr(day, 1, 4) <> ?", [.text(year)])
    return listing
  }
}
