import Contract
import Wire

/// The results of a saved search have changed.
enum DidChangeSearch: Notification {
  static let name = "search/didChange"
  static let summary =
    "A saved search has new results, or has lost some. Sent to every client that is notified of commits, after the "
    + "commits that caused it; several may be combined. A search with a relative day, such as `is:overdue`, "
    + "`due:today` or `before:today`, uses the library's days; its changes on a new day are sent after "
    + "`session/didChangeDay`."
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
        "collection": "The item's collection.", "id": "The item.", "page": "The page of a document, from 0.",
      ]
    }

    static let example = Params(
      id: "0192", title: "Overdue", clock: 42, count: 3, added: [.example], removed: [], hasMore: nil)
    static let fields = [
      "id": "The saved search.", "title": "Its title, or its query.",
      "clock": "The state of the library that was searched.",
      "count": "The number of results now.", "added": "The new results.",
      "removed": "The results that no longer match.",
      "hasMore": "True if not all are listed; `search/query` returns them.",
    ]
  }

  /// The most results that are listed individually.
  static let most = 100
}
