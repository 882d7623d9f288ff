import Wire

/// The dot and time of a write.
package struct WriteStamp: Sendable {
  package var dot: Dot
  package var at: Int64

  /// - Parameter at: the commit's time; 0 for what a rule made by itself and nobody edited.
  package init(_ dot: Dot, at: Int64) { (self.dot, self.at) = (dot, at) }
}

/// Writes changes of the library's rows into the states of their items.
package struct Absorption {
  let collection: SyncedCollection
  let stamp: WriteStamp

  package init(_ collection: SyncedCollection, _ stamp: WriteStamp) {
    (self.collection, self.stamp) = (collection, stamp)
  }

  /// Absorbs a row that was added or updated.
  ///
  /// - Parameters:
  ///   - states: of all items that are this one, by id; empty for a new item.
  ///   - old: the row as the last view of these states had it; nil if there was none.
  ///   - chosen: fields that are written although their values are equal: their conflicts were resolved.
  ///   - isConfirmed: whether a conflict with a removal was resolved by keeping the item.
  package func update(
    _ states: inout [ByteKey: ItemState], of key: ItemKey, from old: SyncedRow?, to new: SyncedRow,
    chosen: Set<ByteKey> = [], isConfirmed: Bool = false
  ) {
    let isNew = states.isEmpty
    if isNew { states[key.id] = ItemState() }
    let view = view(of: key, states)
    let target = view.isAlive ? view.members[0].id : (states.keys.min() ?? key.id)
    let before = old ?? (isNew ? [:] : view.row { $1 })
    var hasContent = old == nil || isConfirmed
    var isWritten = false
    for (field, kind) in collection.fields {
      let (value, previous) = (new[field] ?? .null, before[field] ?? .null)
      // A new item has no heads for empty fields: they would replace the values of a device that made it as well.
      if !chosen.contains(field) {
        if value == previous || kind.isEmpty(value) && kind.isEmpty(previous) { continue }
        // What an item has that is older than the field: it would replace an edit of another device.
        if !isNew, previous.isNull, value == collection.unset[field] { continue }
      }
      write(value, to: field, kind, of: view, in: &states, at: target)
      isWritten = true
      hasContent = hasContent || kind.isContent
    }
    if hasContent, isNew || !view.isAlive || view.heads(\.being).contains(where: { !$0.head.isThere }) {
      for id in view.members.map(\.id) { states[id]?.being = [:] }
      states[target]?.being = [stamp.dot: Being(at: stamp.at, isThere: true)]
      isWritten = true
    }
    if isWritten { states[target]?.context.insert(stamp.dot) }
  }

  /// Absorbs a removal, after the last row was absorbed.
  package func remove(_ states: inout [ByteKey: ItemState]) {
    for id in states.keys where states[id]?.isAlive(in: collection) == true {
      states[id]?.context.insert(stamp.dot)
      states[id]?.being = [stamp.dot: Being(at: stamp.at, isThere: false)]
      if let context = states[id]?.context { states[id]?.gone.join(context) }
    }
  }

  private func view(of key: ItemKey, _ states: [ByteKey: ItemState]) -> ItemView {
    ItemView(key, states.map { ($0.key, $0.value) }, collection)
  }

  /// Replaces the heads of a field in all members; the new one is that of one member.
  private func write(
    _ value: JSONValue, to field: ByteKey, _ kind: SyncedField, of view: ItemView,
    in states: inout [ByteKey: ItemState], at target: ByteKey
  ) {
    let members = view.members.map(\.id)
    switch kind {
    case .latest, .quiet, .maximum, .reference:
      for id in members { states[id]?.latest[field] = nil }
      states[target]?.latest[field] = [stamp.dot: Register(at: stamp.at, value: value.canonical)]
    case .text:
      let head = text(value.stringValue ?? "", in: field, of: view, past: states[target]?.context ?? VersionVector())
      for id in members { states[id]?.texts[field] = nil }
      states[target]?.texts[field] = [stamp.dot: head]
    case .set, .references:
      let elements = elements(value, in: field, of: view)
      for id in members {
        // An element that stays where it was keeps its heads, as does one that this version cannot show.
        let kept = (states[id]?.sets[field] ?? [:]).filter {
          elements[$0.key] == .some(nil) || !collection.isKnown(field, .string($0.key.text))
        }
        states[id]?.sets[field] = kept.isEmpty ? nil : kept
      }
      for case (let element, let place?) in elements {
        states[target]?.sets[field, default: [:]][element] = [stamp.dot: place]
      }
    }
  }

  private func text(_ text: String, in field: ByteKey, of view: ItemView, past: VersionVector) -> TextHead {
    var head = TextHead(at: stamp.at, text: text, past: past)
    let heads = view.heads { $0.texts[field] }
    guard let newest = heads.last else { return head }
    if heads.count == 1, newest.dot.writer == stamp.dot.writer {
      // A run of edits keeps the text with which it began.
      head.bases = newest.head.bases
    } else {
      // What was merged from several items has no dots that mean something in one of them.
      let isOne = Set(heads.map(\.id)).count == 1
      let base = TextHead.Base(
        text: TextFold(view.texts(field)).text, at: newest.head.at, dots: heads.map(\.dot).sorted())
      head.bases = (isOne ? [base] : []) + newest.head.bases.prefix(TextHead.maximumBases - 1)
    }
    head.bases.removeAll { !$0.dots.allSatisfy(past.covers) }
    var bytes = 0
    head.bases = Array(
      head.bases.prefix { base in
        bytes += base.text.utf8.count
        return bytes <= TextHead.maximumBaseBytes
      })
    return head
  }

  /// The elements of the new list: nil for one that keeps its heads, else its place.
  ///
  /// Elements keep their heads while their order increases along the list, so that the list is shown as it was written.
  private func elements(_ value: JSONValue, in field: ByteKey, of view: ItemView) -> [ByteKey: ElementPlace?] {
    let orders = Dictionary(uniqueKeysWithValues: view.elements(field))
    var elements: [ByteKey: ElementPlace?] = [:]
    var last: ElementOrder?
    var isKeeping = true
    for text in value.arrayValue ?? [] {
      let element = ByteKey(text.stringValue ?? text.canonical.description)
      if elements[element] != nil { continue }
      if isKeeping, let order = orders[element], last.map({ $0 < order }) ?? true {
        elements[element] = .some(nil)
        last = order
        continue
      }
      isKeeping = false
      // Not before what it follows, however wrong a clock was.
      let at = max(stamp.at, last?.at ?? 0)
      let place = last?.at == at ? min((last?.place ?? 0) + 1, StateLine.maximumNumber) : 0
      elements[element] = ElementPlace(at: at, place: place)
      last = ElementOrder(at: at, place: place, dot: stamp.dot)
    }
    return elements
  }
}
