import Contract
import Display
import Store
import Wire

struct SearchID: Identifier {
  let text: String
  init(unchecked text: String) { self.text = text }
}

/// A search that was made, as clients see it.
struct PastSearch: Payload {
  var id: SearchID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var text: String
  var scope: SearchScope
  var target: String?
  var place: String?
  var count: Int?
  var searchedAt: Instant
  var display: Display

  struct Display: Payload {
    var target: String?
    var count: String?
    var date: String
    static let example = Display(target: "Title", count: "3 found", date: "Nov 21, 2026")
    static let fields = [
      "target": "What was searched in.", "count": "How many were found; absent where that is not known.",
      "date": "When it was last searched for.",
    ]
  }

  static let example = PastSearch(
    id: "0192", revision: 42, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), text: "한강", scope: .boards, target: "title", place: "0191",
    count: 3, searchedAt: Instant(milliseconds: 1_795_225_445_678), display: .example)
  static let fields = [
    "id": "The search.", "revision": "The clock of the commit that first noted it.",
    "createdAt": "When it was first made.",
    "updatedAt": "The same: a search made again keeps its revision.", "text": "What was searched for.",
    "scope": "Where: `boards`, `books` or `library`.", "target": "In which part, in the word of its method.",
    "place": "In which item alone, such as a board.", "count": "How many were found the last time, if that is known.",
    "searchedAt": "When it was last made.", "display": "Strings for people.",
  ]
}

extension PastSearch {
  init(_ record: SearchRecord, in snapshot: Snapshot) {
    id = SearchID(unchecked: record.id)
    revision = record.revision
    createdAt = record.createdAt
    updatedAt = record.updatedAt
    text = record.text
    scope = SearchScope(rawValue: record.scope) ?? .library
    target = record.target
    place = record.place
    count = record.count
    searchedAt = record.searchedAt
    let (reader, services) = (snapshot.reader, snapshot.services)
    display = Display(
      target: record.target.flatMap { BoardTarget(rawValue: $0) }?.label(in: snapshot),
      count: record.count.map {
        services.catalogue.string(for: Text("search.found", ["count": String($0)]), language: reader.language)
      },
      date: services.dates.string(.mediumDate, at: record.searchedAt.milliseconds, for: reader))
  }
}
