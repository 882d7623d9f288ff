import Contract
import Wire

/// The results of a saved search have changed.
enum DidChangeSearch: Notification {
  static let name = "search/didChange"
  static let summary =
    "A saved search finds something new, or something no more. Told to every client that is told of commits, after the "
    + "commits that made it so; several may be told at once. A search with a day in it, as `is:overdue`, "
    + "`due:today` or `before:today`, has the library's days, and what a new day makes of it is told behind `session/didChangeDay`."
  static let since = 1
  static let direction = Direction.toClient

  struct Params: Payload, Equatable {
    var id: SearchID
    var title: String
    var clock: Int64
    var count: Int
    var added: [Place]
    var removed: [Place]
    var hasMore: Bool?

    struct Place: Payload, Equatable, Hashable {
      var collection: String
      var id: ItemID
      var page: Int?
      static let example = Place(collection: "projects", id: "0193", page: nil)
      static let fields = [
        "collection": "Where the item is.", "id": "The item.", "page": "Its page, of a document, from 0.",
      ]
    }

    static let example = Params(
      id: "0192", title: "Overdue", clock: 42, count: 3, added: [.example], removed: [], hasMore: nil)
    static let fields = [
      "id": "The saved search.", "title": "Its title, or its question.",
      "clock": "The state of the library in which this was found.",
      "count": "How many there are now.", "added": "What is found now and was not.",
      "removed": "What was found and is not any more.",
      "hasMore": "True where not all are listed: `search/query` has them.",
    ]
  }

  /// The most results that are listed individually.
  static let most = 100
}
