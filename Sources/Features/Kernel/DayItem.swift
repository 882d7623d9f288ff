import Contract
import Display
import Store
import Wire

/// What a feature is asked about one day, for `diary/day`.
package struct DayQuery: Sendable {
  package let day: CalendarDay
  /// The client's day in UTC milliseconds: its zone, from the library's `dayStartsAt` on.
  package let instants: Range<Int64>
  /// How many items are wanted at most: the first, in the order of `DayItem.precedes`.
  package let limit: Int

  package init(day: CalendarDay, instants: Range<Int64>, limit: Int) {
    self.day = day
    self.instants = instants
    self.limit = limit
  }

  /// The range and the limit, as a statement with `at >= ? AND at < ? … LIMIT ?` takes them.
  package var bounds: [SQLValue] {
    [.integer(instants.lowerBound), .integer(instants.upperBound), .integer(Int64(limit))]
  }
}

/// What happened to one item on a day.
package struct DayItem: Payload {
  package enum Kind: String, Choice {
    case added, due, finished, marked, moved, read, started, written
  }

  package var collection: String
  package var id: ItemID
  package var kind: Kind
  package var at: Instant?
  package var title: String
  package var text: String?
  package var of: ItemID?
  package var page: Int?
  package var display: Display

  package struct Display: Payload {
    package var title: String
    package var kind: String
    package var time: String?
    package static let example = Display(title: "A paper", kind: "marked", time: "3:04 AM")
    package static let fields = [
      "title": "The title, or its placeholder.", "kind": "The word for `kind`.",
      "time": "When on that day it was; absent for what has no time, such as a deadline.",
    ]
  }

  package static let example = DayItem(
    collection: "highlights", id: "0193", kind: .marked, at: Instant(milliseconds: 1_795_225_445_678),
    title: "A paper", text: "the exact words", of: "0192", page: 2, display: .example)
  package static let fields = [
    "collection": "The collection that the item belongs to.", "id": "The item.",
    "kind":
      "`added` to the library, `marked`: a bookmark, a highlight or a memo was made, `read`, `finished`: read to the "
      + "last page, or done, `started`: a book was begun, `moved` to another column, `due`, `written` on that day about another.",
    "at": "When it was; absent for what belongs to the whole day.",
    "title": "The item's title, of a mark its document's.", "text": "The beginning of what was marked or written.",
    "of": "The document that a mark belongs to.", "page": "The page of a mark, or the last that was read; from 0.",
    "display": "Strings for people.",
  ]

  /// How much of a text is told.
  private static let textLength = 200
}

extension DayItem {
  package init(
    _ kind: Kind, collection: String, id: String, at: Int64?, title: String, text: String? = nil, of: String? = nil,
    page: Int? = nil, in snapshot: Snapshot
  ) {
    let (reader, services) = (snapshot.reader, snapshot.services)
    func words(_ key: String) -> String { services.catalogue.string(for: Text(key), language: reader.language) }
    self.init(
      collection: collection, id: ItemID(unchecked: id), kind: kind, at: at.map(Instant.init(milliseconds:)),
      title: title, text: text.map { String($0.unicodeScalars.prefix(Self.textLength)) },
      of: of.map(ItemID.init(unchecked:)), page: page,
      display: Display(
        title: title.isEmpty ? words("day.noTitle") : title, kind: words("day.kind.\(kind.rawValue)"),
        time: at.map { services.dates.string(.time, at: $0, for: reader) }))
  }

  /// What has no time comes first, then everything as it happened.
  package static func precedes(_ left: DayItem, _ right: DayItem) -> Bool {
    let (leftAt, rightAt) = (left.at?.milliseconds ?? .min, right.at?.milliseconds ?? .min)
    return (leftAt, left.collection, left.id.text, left.kind.rawValue)
      < (rightAt, right.collection, right.id.text, right.kind.rawValue)
  }
}
