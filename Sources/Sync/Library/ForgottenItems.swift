import Contract
import Kit
import SQLite
import Store
import Wire

/// Old versions that a person has forgotten, on all devices.
///
/// The device on which they were forgotten writes the item's state without them (`ItemState.forget`), and beside it a
/// state of the collection `forgotten`, whose only field is the moment up to which versions were forgotten:
///
///     {"c":"forgotten","i":"projects/0192…","f":{"until":[[0,41,1790000000000,1790000000000]]}}    one item
///     {"c":"forgotten","i":"*", …}                                                                all items
///
/// A device that receives it forgets its own old versions. No row shows that collection, so a version that does not
/// know it stores its states and passes them on. The files with the earlier texts are replaced by the next compaction, which
/// the forgetting device writes within a day, and are removed seven days later.
enum ForgottenItems {
  static let collection: ByteKey = "forgotten"
  static let until: ByteKey = "until"
  private static let all: ByteKey = "*"

  static func key(of item: ItemKey?) -> ItemKey {
    ItemKey(collection, item.map { ByteKey("\($0.collection)/\($0.id)") } ?? all)
  }

  /// - Returns: nil for all items, and for what is no key of an item.
  static func item(of key: ItemKey) -> ItemKey? {
    guard let slash = key.id.text.firstIndex(of: "/") else { return nil }
    return ItemKey(ByteKey(String(key.id.text[..<slash])), ByteKey(String(key.id.text[slash...].dropFirst())))
  }

  static func isAll(_ key: ItemKey) -> Bool { key.id == all }

  /// In milliseconds since 1970; nil for a state that states no moment.
  ///
  /// - Parameters:
  ///   - time: leaves out what was forgotten up to then.
  ///   - earlier: leaves these out.
  static func until(_ state: ItemState, after time: Int64 = .min, except earlier: Set<Dot> = []) -> Int64? {
    let moments = (state.latest[until] ?? [:]).filter { $0.value.at > time && !earlier.contains($0.key) }
    return moments.values.compactMap(\.value.integerValue).max()
  }

  /// How far the clock of another device may be ahead before its moments are replaced.
  private static let tolerance = SyncPolicy.hour

  static func isFarAhead(_ state: ItemState, of now: Int64) -> Bool {
    until(state).map { $0 > now + tolerance } ?? false
  }
}

extension ItemState {
  /// States a moment up to which versions were forgotten. Later ones stay beside it, unless they are to come.
  mutating func forget(until: Int64, at now: Int64, as writer: WriterID) {
    let dot = Dot(writer, (context.highest[writer] ?? 0) + 1)
    var moments = (latest[ForgottenItems.until] ?? [:]).filter {
      ($0.value.value.integerValue).map { $0 > until && $0 <= now } ?? false
    }
    moments[dot] = Register(at: now, value: .integer(until))
    latest[ForgottenItems.until] = moments
    context.insert(dot)
  }

  /// Removes what was replaced, with a dot of its own where a value changes for it: the earlier texts of texts, and all
  /// values of a removed item. Texts that are in conflict are needed until it is settled.
  ///
  /// - Parameter until: removes only what was replaced up to then; nil for all.
  mutating func forget(until: Int64?, _ collection: SyncedCollection, as writer: WriterID) {
    if !isAlive(in: collection) {
      let removal = being.values.filter { !$0.isThere }.map(\.at).max() ?? 0
      // Their dots are seen and have no values: others drop these values too.
      if removal <= until ?? .max { (latest, texts, sets) = ([:], [:], [:]) }
      return
    }
    for (field, heads) in texts {
      guard heads.count == 1, let head = heads.first?.value,
        head.bases.contains(where: { $0.at <= until ?? .max })
      else { continue }
      let dot = Dot(writer, (context.highest[writer] ?? 0) + 1)
      var new = TextHead(at: head.at, text: head.text, past: context)
      new.bases = until.map { until in head.bases.filter { $0.at > until } } ?? []
      texts[field] = [dot: new]
      context.insert(dot)
    }
  }
}
