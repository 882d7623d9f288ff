import Contract
import Kit
import SQLite
import Store
import Wire

enum ListLinksTo: ReadMethod {
  static let name = "links/to"
  static let summary =
    "The links to an item, newest linking item first. They may be in any text that the user wrote, by id, to a place "
    + "in the item, or by its title or a former one."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: ItemID
    var collection: String?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(id: "0192", collection: "books", offset: nil, after: nil, limit: 50)
    static let fields = LinkPart.notes.merging(LinkedItemParams.notes) { $1 }
    static let limits = LinkPart.limits
    static let atMostOne = PartFields.atMostOne
  }
  typealias Result = Page<FoundLink>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<FoundLink> {
    let item = try LinkedItemParams.item(params.id, of: params.collection, in: snapshot)
    return try LinkPart(offset: params.offset, after: params.after, limit: params.limit).page(in: snapshot) {
      try LinkReads(snapshot).links(to: item, places: snapshot.linkPlaces, after: $0, offset: $1, limit: $2)
    }
  }
}

enum ListLinksFrom: ReadMethod {
  static let name = "links/from"
  static let summary =
    "The links in the texts of an item and of what belongs to it, such as a document's marks: to which items they lead, "
    + "and which lead nowhere."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  typealias Params = ListLinksTo.Params
  typealias Result = Page<FoundLink>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<FoundLink> {
    let item = try LinkedItemParams.item(params.id, of: params.collection, in: snapshot)
    return try LinkPart(offset: params.offset, after: params.after, limit: params.limit).page(in: snapshot) {
      try LinkReads(snapshot).links(from: item, places: snapshot.linkPlaces, after: $0, offset: $1, limit: $2)
    }
  }
}

/// The params that name an item of any collection.
enum LinkedItemParams {
  static let notes = [
    "id": "The item.",
    "collection":
      "The item's collection. Default: the first with this id; ids made by the daemon are unique across collections.",
  ]

  /// - Throws: `notFound`; `DatabaseError`.
  static func item(_ id: ItemID, of collection: String?, in snapshot: Snapshot) throws -> ItemKey {
    let collections = collection.map { [$0] } ?? snapshot.services.library.collections
    let item = try collections.lazy.map { ItemKey(collection: $0, id: id.text) }.first(where: snapshot.holds)
    guard let item else {
      if let collection { throw RPCError.notFound(collection, id: id.text) }
      throw RPCError(.notFound, text: Text("links.nothing", ["id": id.text]), data: ["id": .string(id.text)])
    }
    return item
  }
}

extension Snapshot {
  /// The collections whose items are places in other items.
  var linkPlaces: [CollectionLinks] {
    let library = services.library
    return library.collections.compactMap { library.links(of: $0) }.filter { $0.linking.place != nil }
  }
}

enum ListBrokenLinks: ReadMethod {
  static let name = "links/broken"
  static let summary = "Links to removed items and unknown titles, and links by a title that several items have."
  static let effects: Effects = .reads

  struct Params: Payload {
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(offset: nil, after: nil, limit: 50)
    static let fields = LinkPart.notes
    static let limits = LinkPart.limits
    static let atMostOne = PartFields.atMostOne
  }
  typealias Result = Page<FoundLink>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<FoundLink> {
    let library = snapshot.services.library
    let tables = library.collections.compactMap { name in library.collection(name).map { (name, $0.table) } }
    return try LinkPart(offset: params.offset, after: params.after, limit: params.limit).page(in: snapshot) {
      try LinkReads(snapshot).broken(tables: tables, after: $0, offset: $1, limit: $2)
    }
  }
}

/// A part of a list of links.
struct LinkPart {
  var offset: Int?
  var after: String?
  var limit: Int?

  static let notes = PartFields.notes(usually: usual)
  /// The cursor contains the title of the part's last item too.
  static let limits = PartFields.limits(most: 200).merging(["after": .length(1...4_096)]) { $1 }
  private static let usual = 50

  typealias Links = (links: [StoredLink], total: Int, before: Int)

  func page(
    in snapshot: Snapshot, _ read: (_ after: [SQLValue]?, _ offset: Int, _ limit: Int) throws -> Links
  ) throws -> Page<FoundLink> {
    let place = try after.map { try LinkReads.order.place($0) }
    let limit = limit ?? Self.usual
    let found = try read(place, offset ?? 0, limit + 1)
    let links = found.links.prefix(limit)
    var sources = LinkSources()
    return Page(
      items: try links.compactMap { try FoundLink($0, &sources, in: snapshot) }, offset: found.before, limit: limit,
      total: found.total, next: found.links.count > limit ? links.last.map { LinkReads.order.cursor($0.place) } : nil)
  }
}
