import Contract
import Display
import SQLite
import Store
import Wire

/// The query for one day of a feature's items, for `diary/day`.
package struct DayQuery: Sendable {
  package let day: CalendarDay
  /// The client's day in UTC milliseconds: its zone, from the library's `dayStartsAt` on.
  package let instants: Range<Int64>
  /// The most items to return: the first ones, in the order of `DayItem.precedes`.
  package let limit: Int

  package init(day: CalendarDay, instants: Range<Int64>, limit: Int) {
    self.day = day
    self.instants = instants
    self.limit = limit
  }

  /// The range and the limit, as the parameters of a statement with `at >= ? AND at < ? … LIMIT ?`.
  package var bounds: [SQLValue] {
    [.integer(instants.lowerBound), .integer(instants.upperBound), .integer(Int64(limit))]
  }
}

/// The items of a feature with an event on a day.
package typealias DaySource = @Sendable (DayQuery, Snapshot) throws -> [DayItem]

/// The events of one item on a day.
package struct DayItem: Payload {
  package enum Kind: String, Choice {
    case added, due, event, finished, marked, moved, read, started, written
  }

  package var collection: String
  package var id: ItemID
  package var kind: Kind
  package var at: Instant?
  package var title: String
  package var text: String?
  package var of: ItemID?
  package var page: Int?
  package var count: Int
  package var acts: [Act]?
  package var display: Display

  /// One of the events that a day item combines.
  package struct Act: Payload {
    package var collection: String
    package var id: ItemID
    package var at: Instant
    package var text: String?
    package var page: Int?
    package static let example = Act(
      collection: "highlights", id: "0193", at: Instant(milliseconds: 1_795_225_445_678), text: "the exact words",
      page: 2)
    package static let fields = [
      "collection": "The item's collection.", "id": "The item.",
      "at": "When it happened; for a due item, the beginning of the day.",
      "text": "The beginning of the marked text.", "page": "The page, from 0.",
    ]

    package init(collection: String, id: ItemID, at: Instant, text: String?, page: Int?) {
      self.collection = collection
      self.id = id
      self.at = at
      self.text = text.map(DayItem.beginning(of:))
      self.page = page
    }
  }

  package struct Display: Payload {
    package var title: String
    package var kind: String
    package var time: String?
    package static let example = Display(title: "A paper", kind: "marked", time: "3:04 AM")
    package static let fields = [
      "title": "The title, or its placeholder.",
      "kind": "The word for `kind`, with `count` if that is more than one.",
      "time": "The time of day; absent for items without a time, such as a deadline.",
    ]
  }

  package static let example = DayItem(
    collection: "highlights", id: "0193", kind: .marked, at: Instant(milliseconds: 1_795_225_445_678),
    title: "A paper", text: "the exact words", of: "0192", page: 2, count: 1, acts: nil, display: .example)
  package static let fields = [
    "collection": "The item's collection; for several marks, the first one's.",
    "id": "The item; for several marks, the first.",
    "kind":
      "`added` to the library; `marked`: a bookmark, highlight or memo was added; `read`; `finished`: read to the last "
      + "page, or done; `started`: a book was begun; `moved` to another column; `due`; `event`: an event of a calendar "
      + "takes place; `written` that day about another day.",
    "at": "When it happened; absent if it concerns the whole day.",
    "title": "The item's title. A mark has the title of its document; several items have the first one's.",
    "text": "The beginning of the marked or written text.",
    "of": "The document of a mark.", "page": "The page of a mark, or the last page read, from 0.",
    "count":
      "The number of acts. All marks added to a document that day are one item. So are more than 12 items of a "
      + "collection that one commit changed alike, such as an import, and those of them that are due that day.",
    "acts": "If there are several: the acts, earliest first, at most 200.", "display": "Strings for people.",
  ]

  /// The most events that are listed for one item.
  package static let mostActs = 200
  /// The length to which a text is cut, in Unicode scalars.
  private static let textLength = 200
  private static func beginning(of text: String) -> String { String(text.unicodeScalars.prefix(textLength)) }
}

extension DayItem {
  /// - Parameters:
  ///   - word: the label of the kind, if it is not the usual one.
  ///   - name: the label of several items together, which includes their number.
  package init(
    _ kind: Kind, collection: String, id: String, at: Int64?, title: String, text: String? = nil, of: String? = nil,
    page: Int? = nil, count: Int = 1, acts: [Act]? = nil, word: Text? = nil, name: Text? = nil, in snapshot: Snapshot
  ) {
    let word = snapshot.words(word ?? Text("day.kind.\(kind.rawValue)"))
    self.init(
      collection: collection, id: ItemID(unchecked: id), kind: kind, at: at.map(Instant.init(milliseconds:)),
      title: title, text: text.map(Self.beginning(of:)),
      of: of.map(ItemID.init(unchecked:)), page: page, count: count, acts: acts,
      display: Display(
        title: name.map(snapshot.words) ?? (title.isEmpty ? snapshot.words(Text("day.noTitle")) : title),
        kind: count == 1 || name != nil
          ? word : snapshot.words(Text("day.times", ["kind": word, "count": String(count)])),
        time: at.map { snapshot.services.dates.string(.time, at: $0, for: snapshot.reader) }))
  }

  /// Items without a time first, then in chronological order.
  package static func precedes(_ left: DayItem, _ right: DayItem) -> Bool {
    let (leftAt, rightAt) = (left.at?.milliseconds ?? .min, right.at?.milliseconds ?? .min)
    return (leftAt, left.collection, left.id.text, left.kind.rawValue)
      < (rightAt, right.collection, right.id.text, right.kind.rawValue)
  }
}
