import Wire

/// The rows and conflicts of a library: a pure function of the states of its items.
///
/// Devices with equal states and one schema have equal views. Nothing of a view is written back to the states.
package struct LibraryView: Equatable, Sendable {
  package private(set) var rows: [ItemKey: SyncedRow] = [:]
  /// By item and field.
  package private(set) var conflicts: [SyncConflict] = []

  package init(_ states: [ItemKey: ItemState], schema: SyncSchema) {
    let classes = SameItems(states)
    func leading(_ collection: ByteKey, _ id: ByteKey) -> ByteKey { classes.leader(of: ItemKey(collection, id)).id }
    var views: [ItemKey: ItemView] = [:]
    for (key, members) in classes.members {
      guard let collection = schema.collections[key.collection] else { continue }
      views[key] = ItemView(key, members.map { ($0.id, states[$0] ?? ItemState()) }, collection)
    }
    var shown = Set(views.filter { $0.value.isAlive }.map(\.key))
    for (key, view) in views where view.isAlive {
      guard let holder = schema.collections[key.collection]?.holder,
        case .reference(let target) = schema.collections[key.collection]?.fields[holder]
      else { continue }
      let id = view.value(holder, .reference(target), leading: leading)?.stringValue
      if let id, schema.collections[key.collection]?.permanentHolders.contains(ByteKey(id)) == true { continue }
      // A part whose holder is not known yet waits for it.
      guard let id, views[ItemKey(target, ByteKey(id))] != nil else {
        shown.remove(key)
        continue
      }
      shown.insert(ItemKey(target, ByteKey(id)))
    }
    for key in shown {
      rows[key] = views[key]?.row(leading: leading)
      conflicts += views[key]?.conflicts(leading: leading) ?? []
    }
    for (name, collection) in schema.collections {
      for field in collection.acyclic {
        breakCircles(in: name, field, views.filter { $0.key.collection == name && shown.contains($0.key) }, leading)
      }
    }
    conflicts.sort { ($0.item, $0.field ?? "", $0.kind.rawValue) < ($1.item, $1.field ?? "", $1.kind.rawValue) }
  }

  /// Leaves out the references that would close a circle, in the order in which they were added.
  private mutating func breakCircles(
    in collection: ByteKey, _ field: ByteKey, _ views: [ItemKey: ItemView],
    _ leading: (ByteKey, ByteKey) -> ByteKey
  ) {
    var edges: [(order: ElementOrder, from: ByteKey, to: ByteKey)] = []
    for (key, view) in views {
      for (element, order) in view.references(field) {
        edges.append((order, key.id, leading(collection, element)))
      }
    }
    edges.sort { $0.order != $1.order ? $0.order < $1.order : ($0.from, $0.to) < ($1.from, $1.to) }
    var reached: [ByteKey: [ByteKey]] = [:]
    var dropped: [ByteKey: [(dot: Dot, id: ByteKey)]] = [:]
    for edge in edges where reached[edge.from]?.contains(edge.to) != true {
      if Self.leads(from: edge.to, to: edge.from, along: reached) {
        dropped[edge.from, default: []].append((edge.order.dot, edge.to))
      } else {
        reached[edge.from, default: []].append(edge.to)
      }
    }
    for (id, edges) in dropped {
      let key = ItemKey(collection, id)
      let hidden = Set(edges.map(\.id))
      // A single reference has no other to show.
      let rest = rows[key]?[field]?.arrayValue?.filter { !hidden.contains(ByteKey($0.stringValue ?? "")) } ?? []
      rows[key]?[field] = rest.isEmpty ? nil : .array(rest)
      conflicts.append(
        SyncConflict(
          item: key, field: field, kind: .circle, dots: edges.map(\.dot), values: edges.map { .string($0.id.text) }))
    }
  }

  private static func leads(from start: ByteKey, to end: ByteKey, along edges: [ByteKey: [ByteKey]]) -> Bool {
    var (open, seen) = ([start], Set([start]))
    while let id = open.popLast() {
      if id == end { return true }
      open += (edges[id] ?? []).filter { seen.insert($0).inserted }
    }
    return false
  }
}

extension LibraryView {
  /// Pairs of shown items that have the same value of their collection's identity field.
  ///
  /// Whoever sees one writes its ids into `same`: another device may only ever see one of them alive.
  package func equalItems(_ schema: SyncSchema) -> [(ItemKey, ItemKey)] {
    var firsts: [ItemKey: ItemKey] = [:]
    var pairs: [(ItemKey, ItemKey)] = []
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
      guard let value = schema.collections[key.collection]?.identity(of: row) else { continue }
      let identity = ItemKey(key.collection, ByteKey(value.description))
      if let first = firsts[identity] { pairs.append((first, key)) } else { firsts[identity] = key }
    }
    return pairs
  }
}

/// The classes of items that are one. The least id of a class stands for all.
package struct SameItems: Sendable {
  private var leaders: [ItemKey: ItemKey] = [:]
  /// By leader; sorted. A member may have no state yet.
  package private(set) var members: [ItemKey: [ItemKey]] = [:]

  package init(_ states: [ItemKey: ItemState]) {
    for (key, state) in states {
      for id in state.same { unite(key, ItemKey(key.collection, id)) }
    }
    for key in Set(states.keys).union(leaders.keys) { members[leader(of: key), default: []].append(key) }
    for key in members.keys { members[key]?.sort() }
  }

  package func leader(of key: ItemKey) -> ItemKey {
    var key = key
    while let next = leaders[key] { key = next }
    return key
  }

  /// The greater leader follows the lesser one.
  private mutating func unite(_ one: ItemKey, _ other: ItemKey) {
    let (one, other) = (leader(of: one), leader(of: other))
    if one != other { leaders[max(one, other)] = min(one, other) }
  }
}
