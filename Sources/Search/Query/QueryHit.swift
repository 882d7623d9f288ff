import Contract
import Wire

/// A search result: an item, or a page of one.
struct QueryHit: Payload {
  /// The part of the item that contains the snippet.
  enum Field: String, Choice {
    case title, text, tags
  }

  /// A place in a text, in the client's position encoding.
  struct Part: Payload, Equatable {
    var offset: Int
    var length: Int
    static let example = Part(offset: 4, length: 2)
    static let fields = ["offset": "Where it begins.", "length": "How long it is."]
  }

  var collection: String
  var id: ItemID
  var of: ItemID?
  var title: String
  var titleRanges: [Part]
  var page: Int?
  var quads: [[Double]]?
  var field: Field
  var snippet: String
  var ranges: [Part]
  var cutBefore: Bool?
  var cutAfter: Bool?
  var count: Int?
  var pages: [Int]?
  var at: Instant
  var link: String
  var display: Display

  struct Display: Payload {
    var title: String
    var kind: String
    var date: String
    var page: String?
    var pages: String?
    static let example = Display(title: "A paper", kind: "Documents", date: "Nov 21, 2026", page: "p. 3", pages: nil)
    static let fields = [
      "title": "The title, or its placeholder.", "kind": "What the collection is called.",
      "date": "When that was, or the day that it is about.", "page": "The page as people count it.",
      "pages": "With `group`: the first of `pages` as people count them.",
    ]
  }

  static let example = QueryHit(
    collection: "documents", id: "0192", of: nil, title: "A paper", titleRanges: [], page: 2,
    quads: [[72, 90, 240, 90, 240, 102, 72, 102]], field: .text, snippet: "the slow river", ranges: [.example],
    cutBefore: true, cutAfter: true, count: nil, pages: nil, at: Instant(milliseconds: 1_795_225_445_678),
    link: "commonplace:/documents/0192#page=2", display: .example)
  static let fields = [
    "collection": "The collection that it belongs to.", "id": "The item.",
    "of": "Of a highlight or a memo: the document that it is in.",
    "title": "The item's title, of a highlight or a memo its document's; empty where it has none.",
    "titleRanges": "Where the words stand in `title`.",
    "page": "The page of a document, from 0; absent where the document itself was found, by its title.",
    "quads": "Of a page: where the words stand on it, as in `documents/find`; those of the first places.",
    "field":
      "What the snippet is from: the item's `title`, where it has no text beside it; its `text`; or its `tags`, which of a "
      + "post are who wrote it.",
    "snippet": "The part of it that shows best why it was found; where the words stand elsewhere, its beginning.",
    "ranges": "Where the words stand in `snippet`.",
    "cutBefore": "True if something stands before the snippet.",
    "cutAfter": "True if something stands behind the snippet.",
    "count": "With `group`: how many hits the item has, its title and each of its pages counted as one.",
    "pages": "With `group`: the pages that were found, from 0, ascending, at most 100; absent where no page was.",
    "at": "When it was written, published or added.",
    "link": "Its stable link; `documents/resolve` reads those of documents.", "display": "Strings for people.",
  ]
}
