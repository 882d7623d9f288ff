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
  /// The day of the item.
  var date: String?

  init?(_ value: JSONValue) {
    guard let collection = value["collection"]?.stringValue, let id = value["id"]?.stringValue,
      let title = value["title"]?.stringValue, let link = value["link"]?.stringValue
    else { return nil }
    (self.collection, self.id, self.title, self.link) = (collection, id, title, link)
    kind = value["display"]?["kind"]?.stringValue
    date = value["display"]?["date"]?.stringValue
  }

  init(_ item: ItemKey, title: String, link: String, kind: String?) {
    (collection, id) = (item.collection, item.id)
    (self.title, self.link, self.kind) = (title, link, kind)
  }

  var completionKind: CompletionKind {
    switch collection {
    case "diary", "notes": .file
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
    case "diary", "notes": 1
    case "documents": 5
    case "projects": 23
    case "books": 11
    case "posts": 24
    default: 18
    }
  }

  /// Links to the items of titles, as `LinkReads.written` writes them.
  ///
  /// - Throws: `DatabaseError`.
  static func written(_ titles: [LinkableTitle], in snapshot: Snapshot) throws -> [String] {
    try LinkReads(snapshot).written(
      to: titles.map { (ItemKey(collection: $0.collection, id: $0.id), $0.title, $0.link) })
  }

  /// Cards in open columns, the next due first, then what changed last.
  ///
  /// - Throws: the errors of `projects/list`, `DatabaseError`.
  static func recent(for caller: FeatureCaller, limit: Int) async throws -> [LinkableTitle] {
    let library = caller.services.library
    let cards = try await library.call(
      "projects/list",
      ["isOpen": true, "allBoards": true, "sort": "deadline", "limit": .integer(Int64(limit))], as: caller)
    return try await library.read(as: caller) { snapshot in
      var items = (cards["items"]?.arrayValue ?? []).compactMap { card in
        card["id"]?.stringValue.map { ItemKey(collection: "projects", id: $0) }
      }
      try snapshot.db.each(
        "SELECT collection, id FROM changes ORDER BY clock DESC LIMIT ?", [.integer(mostChanges)]
      ) { items.append(ItemKey(collection: $0.text(0), id: $0.text(1))) }
      var seen: Set<ItemKey> = []
      var titles: [LinkableTitle] = []
      for item in items where titles.count < limit && seen.insert(item).inserted {
        // Of other collections no item can be linked by its title.
        guard library.links(of: item.collection)?.linking.title != nil, try snapshot.holds(item),
          let shown = try snapshot.shown(item), !shown.title.isEmpty
        else { continue }
        titles.append(
          LinkableTitle(item, title: shown.title, link: shown.link, kind: snapshot.name(of: item.collection)))
      }
      return titles
    }
  }

  /// The newest changes that are looked at.
  private static let mostChanges = 1_000
}
