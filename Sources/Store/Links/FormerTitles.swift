import Wire

/// The titles that an item had when links led to it: data of the item itself, in the column `formerTitles` of its row.
/// So undo restores it, every backup and archive contains it, and rebuilding an index does not lose it.
///
///     [{"title": "dune", "from": ["diary/0192", "projects/0193"]}]
///
/// `title` is in the form in which titles are compared. The items of `from` contained `[[Dune]]` when the title was
/// given up: in them it still means this item, even if another item gets the title. In all other items it means this
/// item only while no item has the title.
struct FormerTitles: Equatable {
  static let column = "formerTitles"
  /// When the limit is exceeded, the oldest entry is dropped; sources beyond the limit are treated like all other
  /// items.
  static let most = 100
  static let mostSources = 1_000

  struct Entry: Equatable {
    var key: String
    /// `collection/id`
    var sources: [String]
  }
  private(set) var entries: [Entry] = []

  mutating func add(_ key: String, from sources: [ItemKey]) {
    let place = entries.firstIndex { sameBytes($0.key, key) }
    var entry = place.map { entries.remove(at: $0) } ?? Entry(key: key, sources: [])
    let known = Set(entry.sources)
    let new = sources.map { "\($0.collection)/\($0.id)" }.filter { !known.contains($0) }
    entry.sources = Array((entry.sources + new).suffix(Self.mostSources))
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - Self.most))
  }

  // MARK: - As stored in the column

  /// Reads an invalid list as empty: an archive may come from anywhere.
  init(stored: String?) {
    guard let stored, let list = try? JSONParser.parse(stored).arrayValue else { return }
    for element in list {
      guard let key = element["title"]?.stringValue else { continue }
      entries.append(Entry(key: key, sources: element["from"]?.arrayValue?.compactMap(\.stringValue) ?? []))
    }
  }

  var stored: String {
    let list = entries.map { entry -> JSONValue in
      ["title": .string(entry.key), "from": .array(entry.sources.map { .string($0) })]
    }
    return String(decoding: JSONWriter.bytes(of: .array(list)), as: UTF8.self)
  }

  /// The item that an entry of `from` names.
  static func key(ofSource source: String) -> ItemKey? {
    let parts = source.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 ? ItemKey(collection: String(parts[0]), id: String(parts[1])) : nil
  }
}
