import Wire

/// A difference between devices that a person should see.
package struct SyncConflict: Equatable, Sendable {
  package enum Kind: String, Sendable {
    /// Concurrent values, of which the newest is shown.
    case values
    /// Concurrent changes of the same place in a text, which are both in it.
    case text
    /// The item was removed on one device and edited on another.
    case removedElsewhere
    /// A reference that would close a circle and is not shown.
    case circle
  }

  package var item: ItemKey
  /// Nil for the item itself.
  package var field: ByteKey?
  package var kind: Kind
  package var dots: [Dot]
  /// The values of all heads, the shown one last; for a circle, the ids that are not shown.
  package var values: [JSONValue]
}

/// The items that are one, with their living members' values: a pure function of their states.
struct ItemView {
  let key: ItemKey
  /// By id. The heads of several items are put side by side without their contexts.
  let members: [(id: ByteKey, state: ItemState)]
  /// Whether any member is alive.
  let isAlive: Bool
  private let collection: SyncedCollection

  typealias OrderedHead<Value> = (id: ByteKey, dot: Dot, head: Value)

  /// - Parameter members: not empty.
  init(_ key: ItemKey, _ members: [(id: ByteKey, state: ItemState)], _ collection: SyncedCollection) {
    let living = members.filter { $0.state.isAlive(in: collection) }
    (self.key, self.collection, isAlive) = (key, collection, !living.isEmpty)
    // All of a removed item: its parts may bring it back.
    self.members = (living.isEmpty ? members : living).sorted { $0.id < $1.id }
  }

  /// The values of all members' heads, in the order by which the last is the shown one.
  func heads<Value: HeadValue>(_ heads: (ItemState) -> Heads<Value>?) -> [OrderedHead<Value>] {
    members.flatMap { id, state in (heads(state) ?? [:]).map { (id, $0.key, $0.value) } }.sorted {
      if $0.head.at != $1.head.at { return $0.head.at < $1.head.at }
      return $0.dot != $1.dot ? $0.dot < $1.dot : $0.id < $1.id
    }
  }

  /// The elements of a set by their least (at, place, dot).
  func elements(_ field: ByteKey) -> [(element: ByteKey, order: ElementOrder)] {
    var orders: [ByteKey: ElementOrder] = [:]
    for (_, state) in members {
      for (element, heads) in state.sets[field] ?? [:] {
        for (dot, head) in heads {
          let order = ElementOrder(at: head.at, place: head.place, dot: dot)
          orders[element] = orders[element].map { min($0, order) } ?? order
        }
      }
    }
    return orders.sorted { $0.value != $1.value ? $0.value < $1.value : $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The ids to which a field refers, with the order in which they were written.
  func references(_ field: ByteKey) -> [(element: ByteKey, order: ElementOrder)] {
    if case .references = collection.fields[field] { return elements(field) }
    guard let last = known(field).last, let id = last.head.value.stringValue else { return [] }
    return [(ByteKey(id), ElementOrder(at: last.head.at, place: 0, dot: last.dot))]
  }

  /// The heads of a text, without those that a rule wrote if there are others.
  func texts(_ field: ByteKey) -> [OrderedHead<TextHead>] { Self.edited(heads { $0.texts[field] }) }

  /// An edit always precedes what a rule wrote.
  private static func edited<Value: HeadValue>(_ heads: [OrderedHead<Value>]) -> [OrderedHead<Value>] {
    heads.contains { $0.head.at > 0 } ? heads.filter { $0.head.at > 0 } : heads
  }

  /// - Parameter leading: the id that stands for an id of a collection today.
  func value(
    _ field: ByteKey, _ kind: SyncedField, leading: (_ collection: ByteKey, _ id: ByteKey) -> ByteKey
  ) -> JSONValue? {
    switch kind {
    case .latest, .quiet: return known(field).last?.head.value
    case .maximum:
      return known(field).map(\.head.value).filter { $0.doubleValue != nil }.max {
        ($0.doubleValue ?? 0) < ($1.doubleValue ?? 0)
      }
    case .text:
      let heads = texts(field)
      return heads.isEmpty ? nil : .string(TextFold(heads).text)
    case .set:
      let elements = elements(field).filter { collection.isKnown(field, .string($0.element.text)) }
      return elements.isEmpty ? nil : .array(elements.map { .string($0.element.text) })
    case .reference(let target):
      guard let value = known(field).last?.head.value else { return nil }
      return value.stringValue.map { .string(leading(target, ByteKey($0)).text) } ?? value
    case .references(let target):
      var seen: Set<ByteKey> = []
      let ids = elements(field).map { leading(target, $0.element) }.filter { seen.insert($0).inserted }
      return ids.isEmpty ? nil : .array(ids.map { .string($0.text) })
    }
  }

  private func known(_ field: ByteKey) -> [OrderedHead<Register>] {
    heads { $0.latest[field] }.filter { collection.isKnown(field, $0.head.value) }
  }

  func row(leading: (_ collection: ByteKey, _ id: ByteKey) -> ByteKey) -> SyncedRow {
    var row: SyncedRow = [:]
    for (field, kind) in collection.fields {
      if let value = value(field, kind, leading: leading), !value.isNull { row[field] = value }
    }
    return row
  }

  func conflicts(leading: (_ collection: ByteKey, _ id: ByteKey) -> ByteKey) -> [SyncConflict] {
    var conflicts: [SyncConflict] = []
    func add(_ field: ByteKey?, _ kind: SyncConflict.Kind, _ dots: [Dot], _ values: [JSONValue]) {
      conflicts.append(SyncConflict(item: key, field: field, kind: kind, dots: dots, values: values))
    }
    for (field, kind) in collection.fields.sorted(by: { $0.key < $1.key }) {
      switch kind {
      case .latest, .reference:
        let heads = Self.edited(known(field))
        var values = heads.map(\.head.value)
        if case .reference(let target) = kind {
          values = values.map { value in value.stringValue.map { .string(leading(target, ByteKey($0)).text) } ?? value }
        }
        if values.contains(where: { $0 != values[0] }) { add(field, .values, heads.map(\.dot), values) }
      case .text:
        let heads = texts(field)
        if heads.count > 1, TextFold(heads).overlaps {
          add(field, .text, heads.map(\.dot), heads.map { .string($0.head.text) })
        }
      case .quiet, .maximum, .set, .references: break
      }
    }
    let removals = heads(\.being).filter { !$0.head.isThere }
    if isAlive, !removals.isEmpty { add(nil, .removedElsewhere, removals.map(\.dot), []) }
    return conflicts
  }
}

extension ItemView {
  /// The texts that were merged, as conflicts in which the newest one is shown instead.
  var unmergedTexts: [SyncConflict] {
    collection.fields.keys.sorted().compactMap { field in
      guard case .text = collection.fields[field] else { return nil }
      let heads = texts(field)
      if heads.count < 2 { return nil }
      return SyncConflict(
        item: key, field: field, kind: .values, dots: heads.map(\.dot), values: heads.map { .string($0.head.text) })
    }
  }
}

/// The order of elements in a set.
struct ElementOrder: Comparable {
  var at: Int64
  var place: Int64
  var dot: Dot

  static func < (one: Self, other: Self) -> Bool {
    (one.at, one.place, one.dot) < (other.at, other.place, other.dot)
  }
}

extension ItemState {
  /// Whether a value was written that no removal knew. Fields of newer versions count as content.
  func isAlive(in collection: SyncedCollection) -> Bool {
    func isNew(_ dot: Dot) -> Bool { !gone.covers(dot) }
    return being.contains { $0.value.isThere && isNew($0.key) }
      || latest.contains { (collection.fields[$0.key] ?? .latest).isContent && $0.value.keys.contains(where: isNew) }
      || texts.values.contains { $0.keys.contains(where: isNew) }
      || sets.values.contains { $0.values.contains { $0.keys.contains(where: isNew) } }
  }
}
