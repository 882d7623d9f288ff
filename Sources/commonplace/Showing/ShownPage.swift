import Contract
import Wire

/// Pages of documents, which calls count from 0 and people from 1, as `display` does. Pages of books are printed
/// numbers, and are not converted.
enum ShownPage {
  static func counted(_ page: Int64) -> JSONValue { .integer(page < .max ? page + 1 : page) }

  /// A version of a mark or of a document, for whose page there is no shape.
  static func stored(_ version: JSONObject) -> JSONObject {
    guard version["document"] != nil || version["pageCount"] != nil, let page = version["page"]?.integerValue else {
      return version
    }
    var shown = version
    shown["page"] = counted(page)
    return shown
  }
}

extension ObjectShape.Field {
  /// Derived from its note for authors of calls.
  var isPageFromZero: Bool {
    shape == .integer && ["page", "from"].contains { sameBytes($0, name) } && note.contains("from 0")
  }
}
