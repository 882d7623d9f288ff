import Contract
import Kit
import Store
import Wire

/// An item that a text can link to, as `search/suggest` gives it.
struct LinkableTitle: Sendable {
  var collection: String
  var id: String
  var title: String
  var link: String
  /// The collection's label.
  var kind: String?

  init?(_ value: JSONValue) {
    guard let collection = value["collection"]?.stringValue, let id = value["id"]?.stringValue,
      let title = value["title"]?.stringValue, let link = value["link"]?.stringValue
    else { return nil }
    (self.collection, self.id, self.title, self.link) = (collection, id, title, link)
    kind = value["display"]?["kind"]?.stringValue
  }

  init(_ item: ItemKey, title: String, link: String, kind: String?) {
    (collection, id) = (item.collection, item.id)
    (self.title, self.link, self.kind) = (title, link, kind)
  }

  /// A link to the item: `[[title]]` if that leads to it and to nothing else, else `[[commonplace:/…][title]]`.
  ///
  /// - Throws: `DatabaseError`.
  func written(in snapshot: Snapshot) throws -> String {
    let short = "[[\(title.replacing("|", with: "\\|"))]]"
    let links = LinkScan.links(in: short, atMost: 2)
    if links.count == 1, case .title(let written) = links[0].target, links[0].range.count == short.utf8.count {
      let meant = try LinkReads(snapshot).resolve(title: written, in: nil)
      if !meant.isAmbiguous, meant.item == ItemKey(collection: collection, id: id) { return short }
    }
    let label = title.replacing("[", with: "(").replacing("]", with: ")").split(whereSeparator: \.isNewline)
      .joined(separator: " ")
    return "[[\(link)][\(label)]]"
  }

  var completionKind: CompletionKind {
    switch collection {
    case "diary": .file
    case "documents": .classKind
    case "projects": .structure
    case "books": .interface
    case "posts": .event
    default: .reference
    }
  }

  /// LSP's number for the kind of a symbol.
  var symbolKind: Int64 {
    switch collection {
    case "diary": 1
    case "documents": 5
    case "projects": 23
    case "books": 11
    case "posts": 24
    default: 18
    }
  }

  /// Cards in open columns, the next due first, then what changed last.
  ///
  /// - Throws: the errors of the methods.
  static func recent(for caller: FeatureCaller, limit: Int) async throws -> [LinkableTitle] {
    let library = caller.services.library
    let cards = try await library.call(
      "projects/list",
      ["isOpen": true, "allBoards": true, "sort": "deadline", "limit": .integer(Int64(limit))], as: caller)
    let query = try await library.call(
      "search/query", ["text": "", "remember": false, "limit": .integer(Int64(limit))], as: caller)
    var seen: Set<ItemKey> = []
    let hits =
      (cards["items"]?.arrayValue ?? []).map { ("projects", $0["id"]?.stringValue, $0) }
      + (query["items"]?.arrayValue ?? []).map { ($0["collection"]?.stringValue ?? "", $0["id"]?.stringValue, $0) }
    return hits.compactMap { collection, id, value -> LinkableTitle? in
      guard let id, let title = value["title"]?.stringValue, !title.isEmpty else { return nil }
      let item = ItemKey(collection: collection, id: id)
      guard seen.insert(item).inserted else { return nil }
      return LinkableTitle(
        item, title: title, link: StableLink(collection: collection, item: id).text,
        kind: caller.words(Text("item.\(collection)")))
    }.prefix(limit).map(\.self)
  }
}
