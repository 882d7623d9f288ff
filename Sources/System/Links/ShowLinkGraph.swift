import Contract
import Kit
import Store
import Wire

enum ShowLinkGraph: ReadMethod {
  static let name = "links/graph"
  static let summary =
    "The items around an item: those that it links to or that link to it, those around these, and the links between "
    + "all of them. The marks of a document stand for the document."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: ItemID
    var collection: String?
    var depth: Int?
    var limit: Int?
    static let example = Params(id: "0192", collection: "books", depth: 2, limit: 100)
    static let fields = LinkedItemParams.notes.merging([
      "depth": "How many links away from the item. Default 1.",
      "limit": "Maximum number of items, the nearest first. Default 200.",
    ]) { $1 }
    static let limits: [String: FieldLimits] = ["depth": .range(1...5), "limit": .range(1...1_000)]
  }

  struct Edge: Payload {
    var from: Int
    var to: Int
    static let example = Edge(from: 1, to: 0)
    static let fields = [
      "from": "The index in `items` of the item whose text has the link.", "to": "The index of the item it leads to.",
    ]
  }

  struct Result: Payload {
    var items: [LinkEnd]
    var edges: [Edge]
    var isWhole: Bool
    static let example = Result(
      items: [
        .example, LinkEnd(collection: "diary", id: "0193", title: "A walk", page: nil, link: "commonplace:/diary/0193"),
      ],
      edges: [.example], isWhole: true)
    static let fields = [
      "items": "The items; the first is the requested one, or the document of a requested mark.",
      "edges": "The links between these items, each pair once in each direction; at most 5,000.",
      "isWhole": "False if there are more items or links within `depth` than are listed.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let start = try LinkedItemParams.item(params.id, of: params.collection, in: snapshot)
    var graph = try LinkGraph(around: start, limit: params.limit ?? 200, in: snapshot)
    try graph.grow(depth: params.depth ?? 1)
    var index: [ItemKey: Int] = [:]
    var ends: [LinkEnd] = []
    for item in graph.items {
      guard let end = try LinkEnd(item, in: snapshot) else { continue }
      index[item] = ends.count
      ends.append(end)
    }
    let edges = graph.edges.compactMap { edge in
      index[edge.from].flatMap { from in index[edge.to].map { Edge(from: from, to: $0) } }
    }
    return Result(items: ends, edges: edges, isWhole: graph.isWhole)
  }
}

/// The items around one, breadth first.
private struct LinkGraph {
  struct Edge: Hashable {
    var from: ItemKey
    var to: ItemKey
  }

  private(set) var items: [ItemKey]
  private(set) var edges: [Edge] = []
  private(set) var isWhole = true
  private var known: Set<ItemKey>
  private var knownEdges: Set<Edge> = []
  private let limit: Int
  private let snapshot: Snapshot
  private let reads: LinkReads
  private let places: [CollectionLinks]

  /// The items that titles mean in items that do not pin them.
  private var titles: [String: ItemKey?] = [:]
  /// The results of `findWhole`.
  private var wholes: [ItemKey: ItemKey?] = [:]

  /// The most links of one item in one direction that are followed.
  private static let mostLinks = 1_000
  /// Items are bounded by `limit`, but each can link to all others.
  private static let mostEdges = 5_000
  /// The most titles, and the most items, that are cached.
  private static let mostCached = 10_000

  /// - Throws: `DatabaseError`.
  init(around item: ItemKey, limit: Int, in snapshot: Snapshot) throws {
    (items, known) = ([], [])
    (self.limit, self.snapshot) = (limit, snapshot)
    (reads, places) = (LinkReads(snapshot), snapshot.linkPlaces)
    let start = try whole(item) ?? item
    (items, known) = ([start], [start])
  }

  /// Adds the items that are up to `depth` links away. The links among the outermost are found too.
  ///
  /// - Throws: `DatabaseError`, `CancellationError`.
  mutating func grow(depth: Int) throws {
    var ring = items
    for distance in 0...depth {
      let before = items.count
      for item in ring {
        try Task.checkCancellation()
        // Each further item comes by a further edge.
        if edges.count == Self.mostEdges, !isWhole { return }
        try follow(item, addsItems: distance < depth)
      }
      ring = Array(items[before...])
    }
  }

  private mutating func follow(_ item: ItemKey, addsItems: Bool) throws {
    let from = try reads.links(from: item, places: places, after: nil, offset: 0, limit: Self.mostLinks)
    let to = try reads.links(to: item, places: places, after: nil, offset: 0, limit: Self.mostLinks)
    if from.total > from.links.count || to.total > to.links.count { isWhole = false }
    for link in from.links {
      guard let target = try whole(target(of: link)) else { continue }
      add(Edge(from: item, to: target), reaching: target, addsItems: addsItems)
    }
    for link in to.links {
      guard let source = try whole(link.source) else { continue }
      add(Edge(from: source, to: item), reaching: source, addsItems: addsItems)
    }
  }

  private mutating func add(_ edge: Edge, reaching item: ItemKey, addsItems: Bool) {
    let isNew = !known.contains(item)
    if knownEdges.contains(edge) || isNew && !addsItems || edge.from == edge.to { return }
    guard edges.count < Self.mostEdges, !isNew || items.count < limit else {
      isWhole = false
      return
    }
    if isNew {
      known.insert(item)
      items.append(item)
    }
    knownEdges.insert(edge)
    edges.append(edge)
  }

  /// The item to which a link leads; it may have been removed.
  private mutating func target(of link: StoredLink) throws -> ItemKey? {
    guard let key = link.key else { return link.target }
    if let pinned = try reads.pinned(key, in: link.source) { return pinned }
    if let known = titles[key] { return known }
    let target = try reads.resolve(key: key, in: nil).item
    if titles.count < Self.mostCached { titles[key] = .some(target) }
    return target
  }

  /// The item that contains a place; any other item itself. Nil if there is no such item.
  private mutating func whole(_ item: ItemKey?) throws -> ItemKey? {
    guard let item else { return nil }
    if let known = wholes[item] { return known }
    let whole = try findWhole(item)
    if wholes.count < Self.mostCached { wholes[item] = .some(whole) }
    return whole
  }

  private func findWhole(_ item: ItemKey) throws -> ItemKey? {
    guard try snapshot.holds(item) else { return nil }
    guard let place = places.first(where: { $0.name == item.collection }), let whole = place.linking.place else {
      return item
    }
    return try reads.whole(of: item.id, column: whole.column, table: place.table)
      .map { ItemKey(collection: whole.collection, id: $0) }
  }
}
