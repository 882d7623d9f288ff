import Wire

/// The identity of an item in the library.
package struct ItemKey: Hashable, Comparable, Sendable {
  package var collection: ByteKey
  package var id: ByteKey

  package init(_ collection: ByteKey, _ id: ByteKey) { (self.collection, self.id) = (collection, id) }

  package static func < (one: Self, other: Self) -> Bool {
    (one.collection, one.id) < (other.collection, other.id)
  }
}

/// The values of a field that did not know each other, by their dots: more than one if devices wrote concurrently.
package typealias Heads<Value> = [Dot: Value]

/// A value that belongs to a dot.
package protocol HeadValue: Equatable, Sendable {
  /// The time of the commit in milliseconds since 1970, as the writer's clock had it.
  ///
  /// It chooses which head is shown and decides nothing else. It is 0 for a value that a rule made by itself: any edit
  /// precedes it.
  var at: Int64 { get }
  /// The canonical form without dot and time.
  var json: [JSONValue] { get }
}

/// Whether the item exists, according to one write.
package struct Being: HeadValue {
  package var at: Int64
  package var isThere: Bool

  package init(at: Int64, isThere: Bool) { (self.at, self.isThere) = (at, isThere) }

  package var json: [JSONValue] { [.integer(isThere ? 1 : 0)] }
}

/// A value that is replaced as a whole.
package struct Register: HeadValue {
  package var at: Int64
  package var value: JSONValue

  package init(at: Int64, value: JSONValue) { (self.at, self.value) = (at, value) }

  package var json: [JSONValue] { [value] }
}

/// A text with the earlier texts that a merge may take as its base.
package struct TextHead: HeadValue {
  /// A text that this one replaced.
  package struct Base: Hashable, Sendable {
    package var text: String
    package var at: Int64
    /// The dots of the heads whose merge the text is; not empty.
    package var dots: [Dot]

    package init(text: String, at: Int64, dots: [Dot]) { (self.text, self.at, self.dots) = (text, at, dots) }

    package static func == (one: Self, other: Self) -> Bool {
      one.at == other.at && one.dots == other.dots && sameBytes(one.text, other.text)
    }
  }

  /// The most bases of a head, and the most bytes of their texts: several heads of the longest text that a client can
  /// write still fit into a file.
  package static let maximumBases = 3
  static let maximumBaseBytes = 4 << 20

  package var at: Int64
  package var text: String
  /// The dots that its writer had seen before.
  package var past: VersionVector
  /// The newest first.
  package var bases: [Base]

  package init(at: Int64, text: String, past: VersionVector = VersionVector(), bases: [Base] = []) {
    (self.at, self.text, self.past, self.bases) = (at, text, past, bases)
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.at == other.at && sameBytes(one.text, other.text) && one.past == other.past && one.bases == other.bases
  }
}

/// The position of a set's element at the time it was added.
package struct ElementPlace: HeadValue {
  package var at: Int64
  package var place: Int64

  package init(at: Int64, place: Int64) { (self.at, self.place) = (at, place) }

  package var json: [JSONValue] { [.integer(place)] }
}

/// Everything that devices know about an item, in a form that joins with any other state of the same item.
///
/// The join is commutative, associative and idempotent, so neither order nor repetition nor gaps of files do harm. For
/// each dot there is a chain *not seen < present < replaced*, and the join is the maximum: a dot is seen if `context`
/// covers it, and replaced if it is seen but among no heads. A state therefore always holds the whole item.
package struct ItemState: Equatable, Sendable {
  /// All dots of this item that were seen.
  package var context = VersionVector()
  /// The join of the contexts of all removals, their own dots included.
  package var gone = VersionVector()
  package var being: Heads<Being> = [:]
  package var latest: [ByteKey: Heads<Register>] = [:]
  package var texts: [ByteKey: Heads<TextHead>] = [:]
  package var sets: [ByteKey: [ByteKey: Heads<ElementPlace>]] = [:]
  /// Ids of items of the same collection that are this one.
  package var same: Set<ByteKey> = []

  package init() {}

  package mutating func join(_ other: ItemState) {
    let contexts = (context, other.context)
    being = joinHeads(being, other.being, contexts)
    latest = joinKeys(latest, other.latest) { joinHeads($0, $1, contexts) }
    texts = joinKeys(texts, other.texts) { joinHeads($0, $1, contexts) }
    sets = joinKeys(sets, other.sets) { joinKeys($0, $1) { joinHeads($0, $1, contexts) } }
    gone.join(other.gone)
    same.formUnion(other.same)
    context.join(other.context)
  }

  package func joined(with other: ItemState) -> ItemState {
    var joined = self
    joined.join(other)
    return joined
  }

  /// The same without its texts, which are most of it.
  var outline: ItemState {
    var outline = self
    outline.texts = texts.mapValues { $0.mapValues { TextHead(at: $0.at, text: "") } }
    return outline
  }

  /// The dots of all heads.
  package var dots: [Dot] {
    Array(being.keys) + latest.values.flatMap(\.keys) + texts.values.flatMap(\.keys)
      + sets.values.flatMap { $0.values.flatMap(\.keys) }
  }

  /// Whether the contexts are consistent with the values, which the join relies on.
  package var isConsistent: Bool {
    context.covers(gone) && dots.allSatisfy(context.covers)
      && texts.values.allSatisfy { heads in
        heads.allSatisfy { dot, head in
          context.covers(head.past) && !head.past.covers(dot)
            && head.bases.allSatisfy { $0.dots.allSatisfy(head.past.covers) }
        }
      }
  }
}

private func joinHeads<Value: HeadValue>(
  _ one: Heads<Value>, _ other: Heads<Value>, _ contexts: (VersionVector, VersionVector)
) -> Heads<Value> {
  if one == other { return one }
  var heads = one.filter { other[$0.key] != nil || !contexts.1.covers($0.key) }
  for (dot, value) in other {
    if let mine = heads[dot] {
      // Impossible as long as no writer reuses a number. All devices still have to agree.
      if mine != value, mine.precedes(value) { heads[dot] = value }
    } else if !contexts.0.covers(dot) {
      heads[dot] = value
    }
  }
  return heads
}

/// Joins by key; a key without heads is absent.
private func joinKeys<Value: Collection>(
  _ one: [ByteKey: Value], _ other: [ByteKey: Value], _ join: (Value, Value) -> Value
) -> [ByteKey: Value] where Value: ExpressibleByDictionaryLiteral {
  var result: [ByteKey: Value] = [:]
  for key in one.keys {
    let value = join(one[key] ?? [:], other[key] ?? [:])
    if !value.isEmpty { result[key] = value }
  }
  for key in other.keys where one[key] == nil {
    let value = join([:], other[key] ?? [:])
    if !value.isEmpty { result[key] = value }
  }
  return result
}

extension HeadValue {
  /// By the bytes of the canonical form.
  fileprivate func precedes(_ other: Self) -> Bool {
    func bytes(_ value: Self) -> [UInt8] { JSONWriter.bytes(of: .array([.integer(value.at)] + value.json)) }
    return bytes(self).lexicographicallyPrecedes(bytes(other))
  }
}
