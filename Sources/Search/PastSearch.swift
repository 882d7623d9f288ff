import Contract
import Display
import Kit
import Store
import Wire

struct SearchID: Identifier {
  let text: String
  init(unchecked text: String) { self.text = text }
}

/// A past search, in replies.
typealias PastSearch = ItemJSON<ShownPastSearch>

/// A past search for one client.
struct ShownPastSearch: SnapshotItem {
  static let name = "PastSearch"

  let item: SearchRecord
  private let snapshot: Snapshot

  init(_ record: SearchRecord, in snapshot: Snapshot) { (item, self.snapshot) = (record, snapshot) }

  static let headNotes = [
    "revision": "The clock of the commit that recorded it first.", "createdAt": "When it was first made.",
    "updatedAt": "The same as `createdAt`: repeating a search keeps its revision.",
  ]

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("scope", "The scope: `boards`, `books` or `library`.", example: "boards") {
      SearchScope(rawValue: $0.item.scope) ?? .library
    },
    DerivedMember("display", of: "PastSearch.Display", "Strings for people.") {
      DerivedMember("target", "The label of the searched part.", example: "Title") { search in
        search.item.target.flatMap { BoardTarget(rawValue: $0) }?.label(in: search.snapshot)
      }
      DerivedMember(
        "count", "The number of results; absent if unknown.", example: "3 found"
      ) { search in
        search.item.count.map { search.snapshot.words(Text("search.found", ["count": String($0)])) }
      }
      DerivedMember("date", "When the search was last made.", example: "Nov 21, 2026") { search in
        search.snapshot.services.dates.string(
          .mediumDate, at: search.item.searchedAt.milliseconds, for: search.snapshot.reader)
      }
    },
  ]

  static let example: SearchRecord = {
    var search = SearchRecord()
    (search.id, search.revision) = ("0192", 42)
    search.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (search.updatedAt, search.searchedAt) = (search.createdAt, search.createdAt)
    (search.text, search.scope, search.target, search.place) = ("한강", "boards", "title", "0191")
    search.count = 3
    return search
  }()
}
