/// The methods that commands call by themselves. Everything else is found by the descriptions of the methods.
enum KnownMethod {
  /// Adds a document from a file or a URL.
  static let addDocument = "documents/add"
  /// Adds the files of folders.
  static let addFiles = "documents/addFiles"
  static let listDocuments = "documents/list"
  /// Has the file of a document fetched, if only another device has it.
  static let showPage = "documents/page"
  /// Follows a feed, where a URL is no document.
  static let addSource = "boards/addSource"
  static let feed = "feed"
  /// Returns a post or a kept page with its text.
  static let post = "boards/post"
  static let markRead = "boards/markRead"
  /// Any item by its collection and id.
  static let item = "changes/item"
  /// The item that a title or a stable link means.
  static let resolveLink = "links/resolve"
  /// Items by their words.
  static let search = "search/query"
  /// Titles, tags and other values that begin so, for completion.
  static let suggest = "search/suggest"
  static let check = "library/check"
  static let importLibrary = "library/import"
}
