import Contract
import Wire

/// What clients see alike of bookmarks and memos, of which a page has one at most.
enum PageMark {
  struct Display: Payload {
    var title: String
    static let example = Display(title: "Page 3")
    static let fields = ["title": "A heading for it, with the page from 1."]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("title", title)
      json.endObject()
    }
  }

  /// The notes of the fields that both have; each adds its own.
  static let notes = [
    "revision": "Changes whenever it is changed.", "updatedAt": "When it last changed.", "document": "Where it is.",
    "page": "The page, from 0.", "link": "The stable link of its page.", "display": "Strings for people.",
    "state":
      "`orphan`: its page is not in the present file, and `page` is the number that it had in an earlier one. "
      + "`documents/setMemo` and `documents/setBookmark` take it to another page by its id.",
  ]
}
