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
    static let fields = ["offset": "Where the match begins.", "length": "The length of the match."]
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
      "title": "The title, or its placeholder.", "kind": "The collection's label.",
      "date": "Its date, or the day that it is about.", "page": "The page number as shown, from 1.",
      "pages": "With `group`: the first of `pages` as shown, from 1.",
    ]
  }

  static let example = QueryHit(
    collection: "documents", id: "0192", of: nil, title: "A paper", titleRanges: [], page: 2,
    quads: [[72, 90, 240, 90, 240, 102, 72, 102]], field: .text, snippet: "the slow river", ranges: [.example],
    cutBefore: true, cutAfter: true, count: nil, pages: nil, at: Instant(milliseconds: 1_795_225_445_678),
    link: "commonplace:/documents/0192#page=2", display: .example)
  static let fields = [
    "collection": "The item's collection.", "id": "The item.",
    "of": "The document of a highlight or memo.",
    "title": "The item's title; for a highlight or memo its document's. Empty if it has none.",
    "titleRanges": "The positions of the words in `title`.",
    "page": "The page of a document, from 0; absent if the document's title matched.",
    "quads": "For a page: the positions of the first matches on it, as in `documents/find`.",
    "field":
      "The source of the snippet: the item's `title`, if it has no other text; its `text`; or its `tags`, which for a "
      + "post are its author.",
    "snippet": "The part of the text that matches best; if the match is in another field, its beginning.",
    "ranges": "The positions of the words in `snippet`.",
    "cutBefore": "True if the snippet omits text before it.",
    "cutAfter": "True if the snippet omits text after it.",
    "count": "With `group`: the item's number of hits; its title and each page count as one.",
    "pages": "With `group`: the matching pages, from 0, ascending, at most 100; absent if none.",
    "at": "When it was written, published or added.",
    "link": "Its stable link; `documents/resolve` resolves those of documents.", "display": "Strings for people.",
  ]
}
