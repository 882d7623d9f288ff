import Wire

/// The URI of a resource: an item, a highlight in its document, a page of a document as text, or a page as a picture.
///
///     commonplace:/diary/0193
///     commonplace:/documents/0192#highlight=0193
///     commonplace:/documents/0192#page=2
///     commonplace:/documents/0192/picture?page=2
struct ResourceLink {
  enum Form {
    case item, text, picture
  }

  var collection: String
  var id: String
  var form = Form.item
  /// From 0, as in all links.
  var page: Int?

  private static let longest = 512
  private static let highlight = "#highlight="

  init?(_ uri: String) {
    guard uri.utf8.count <= Self.longest, uri.hasPrefix("commonplace:/") else { return nil }
    var path = uri.dropFirst("commonplace:/".count)
    var highlight: Substring?
    if let place = path.firstRange(of: Self.highlight) {
      highlight = path[place.upperBound...]
      path = path[..<place.lowerBound]
    }
    if let mark = path.firstIndex(where: { $0 == "#" || $0 == "?" }) {
      let rest = path[path.index(after: mark)...]
      let isPicture = path[mark] == "?"
      guard let value = rest.split(separator: "&").first(where: { $0.hasPrefix("page=") })?.dropFirst(5),
        let page = Int(value), (0..<1_000_000).contains(page)
      else { return nil }
      self.page = page
      form = isPicture ? .picture : .text
      path = path[..<mark]
    }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if form == .picture {
      guard parts.last == "picture" else { return nil }
      parts.removeLast()
    }
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.count <= 64
        && part.unicodeScalars.allSatisfy {
          ($0.isASCII && $0.properties.isAlphabetic) || "0123456789._-".unicodeScalars.contains($0)
        }
    }
    guard parts.count == 2, isPlain else { return nil }
    (collection, id) = (parts[0], parts[1])
    guard let highlight else { return }
    guard form == .item, collection == "documents", let mark = ResourceLink("commonplace:/highlights/\(highlight)"),
      mark.form == .item
    else { return nil }
    (collection, id) = (mark.collection, mark.id)
  }
}
