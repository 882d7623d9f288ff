import Wire

@testable import Sync

/// A rule that is left out, to see that it is needed. Those that only few schedules need have tests of their own
/// (`SyncRuleTests`, `SyncRunTests`).
enum OmittedRule: String, CaseIterable, Sendable {
  /// Of concurrent values all are kept, whatever their clocks say.
  case contexts
  /// An edit that a removal did not know wins.
  case revival
  /// Concurrent texts are merged.
  case texts
}

/// The states of a library in memory.
struct SimulatedStates: ItemStates {
  var omitted: OmittedRule?
  private(set) var all: [ItemKey: ItemState] = [:]
  /// The file that has an item's present state; an item without one is dirty.
  private var files: [ItemKey: FileID] = [:]
  private var dirty: Set<ItemKey> = []
  private var sum = StateDigest()
  /// How often a state has changed.
  private(set) var changes = 0

  var keys: [ItemKey] { all.keys.sorted() }
  func keys(after last: ItemKey?, limit: Int) -> [ItemKey] { Self.page(keys, after: last, limit) }
  var hasDirty: Bool { !dirty.isEmpty }
  func dirtyKeys(after last: ItemKey?, limit: Int) -> [ItemKey] { Self.page(dirty.sorted(), after: last, limit) }

  private static func page(_ keys: [ItemKey], after last: ItemKey?, _ limit: Int) -> [ItemKey] {
    Array(keys.filter { key in last.map { $0 < key } ?? true }.prefix(limit))
  }

  func state(of key: ItemKey) -> ItemState? { all[key] }

  mutating func join(_ items: [StatedItem]) {
    for item in items {
      let known = all[item.key]
      var state = known?.joined(with: item.state) ?? item.state
      omit(in: &state)
      // A state from a file is in that file.
      let isInFile = state == item.state
      if known == nil || isInFile, files[item.key] == nil { set(isInFile ? Self.elsewhere : nil, of: item.key) }
      if state != known { replace(known, by: state, of: item.key) }
    }
  }

  private func omit(in state: inout ItemState) {
    switch omitted {
    case .contexts: for (field, heads) in state.latest { state.latest[field] = Self.newest(of: heads) }
    case .texts: for (field, heads) in state.texts { state.texts[field] = Self.newest(of: heads) }
    case .revival where state.being.values.contains { !$0.isThere }: state.gone.join(state.context)
    default: break
    }
  }

  private static func newest<Value: HeadValue>(of heads: [Dot: Value]) -> [Dot: Value] {
    let newest = heads.max { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
    return newest.map { [$0.key: $0.value] } ?? [:]
  }

  mutating func digest() -> StateDigest { sum }

  mutating func write(_ state: ItemState, of key: ItemKey) {
    let known = all[key]
    if known == state { return }
    replace(known, by: state, of: key)
    set(nil, of: key)
  }

  private mutating func replace(_ known: ItemState?, by state: ItemState, of key: ItemKey) {
    sum.replace(known, by: state, of: key)
    all[key] = state
    changes += 1
  }

  /// The file of an item that another device has written.
  private static let elsewhere = FileID(WriterID(0), 1)

  private mutating func set(_ file: FileID?, of key: ItemKey) {
    files[key] = file
    if file == nil { dirty.insert(key) } else { dirty.remove(key) }
  }

  mutating func note(_ keys: [ItemKey], writtenTo file: FileID) {
    for key in keys { set(file, of: key) }
  }

  mutating func dirty(writtenTo file: FileID) {
    for (key, its) in files where its == file { set(nil, of: key) }
  }

  mutating func dirty(_ keys: [ItemKey]) {
    for key in keys { set(nil, of: key) }
  }

  /// The canonical bytes of all states.
  var bytes: [UInt8] { keys.flatMap { StateLine.canonical($0, all[$0] ?? ItemState()) } }
}

/// A library whose rows are edited as a client edits them, and absorbed into states later.
struct SimulatedLibrary {
  let schema: SyncSchema
  var ledger: FileLedger
  var states = SimulatedStates()
  private(set) var view: LibraryView
  private(set) var rows: [ItemKey: SyncedRow] = [:]
  private var clock: Int64 = 0
  /// The rows that were written since the last absorption: the last one, also of an item that was removed then.
  private var edits: [ItemKey: Edit] = [:]
  /// How often the shown states had changed; nil if rows were written since.
  private var shownChanges: Int?

  private struct Edit {
    var last: SyncedRow
    var isRemoved = false
    var isByRule = false
  }

  init(_ schema: SyncSchema, _ ledger: FileLedger) {
    (self.schema, self.ledger) = (schema, ledger)
    view = LibraryView([:], schema: schema)
  }

  mutating func put(_ row: SyncedRow, at key: ItemKey, byRule: Bool = false) {
    let isByRule = byRule && rows[key] == nil && edits[key] == nil || (edits[key]?.isByRule ?? false) && byRule
    rows[key] = row
    edits[key] = Edit(last: row, isByRule: isByRule)
    shownChanges = nil
  }

  mutating func remove(_ key: ItemKey) {
    guard let row = rows.removeValue(forKey: key) else { return }
    edits[key] = Edit(last: row, isRemoved: true)
    shownChanges = nil
  }

  /// Writes what was edited into the states.
  mutating func absorb(at now: Int64) {
    guard !edits.isEmpty else { return }
    let classes = SameItems(states.all)
    for (key, edit) in edits.sorted(by: { $0.key < $1.key }) {
      guard let collection = schema.collections[key.collection] else { continue }
      let members = classes.members[classes.leader(of: key)] ?? []
      var items: [ByteKey: ItemState] = [:]
      for member in members { items[member.id] = states.all[member] ?? ItemState() }
      // An item that nobody has seen was added and removed.
      if edit.isRemoved, items.isEmpty { continue }
      clock += 1
      var stamp = ledger.stamp(clock: clock, at: now)
      if edit.isByRule { stamp.at = 0 }
      Absorption(collection, stamp).update(&items, of: key, from: view.rows[key], to: edit.last)
      if edit.isRemoved {
        clock += 1
        Absorption(collection, ledger.stamp(clock: clock, at: now)).remove(&items)
      }
      for (id, state) in items { states.write(state, of: ItemKey(key.collection, id)) }
    }
    edits = [:]
    show()
  }

  /// Shows the view of the states, unless rows were written that are not absorbed: nothing is joined before they are.
  mutating func show() {
    if !edits.isEmpty || shownChanges == states.changes { return }
    view = LibraryView(states.all, schema: schema)
    var equal = view.equalItems(schema)
    while !equal.isEmpty {
      for (one, other) in equal {
        for (key, same) in [(one, other.id), (other, one.id)] {
          var state = states.all[key] ?? ItemState()
          state.same.insert(same)
          states.write(state, of: key)
        }
      }
      view = LibraryView(states.all, schema: schema)
      equal = view.equalItems(schema)
    }
    rows = view.rows
    shownChanges = states.changes
  }
}
