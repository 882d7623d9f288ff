import Wire

/// What an item was called when links led to it: data of the item itself, in the column `formerTitles` of its row. So it
/// comes and goes with undo, is in every backup and archive, and no index that is made anew loses it.
///
///     [{"title": "dune", "from": ["diary/0192", "projects/0193"]}]
///
/// `title` is in the form in which titles are compared. The items of `from` had `[[Dune]]` in them when the title was given
/// up: in them it means this item from now on, whoever else takes the title. In all others it means this item only while
/// nobody has the title.
struct FormerTitles: Equatable {
  static let column = "formerTitles"
  /// The oldest goes first; and the items that are one too many fare as all others.
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

  // MARK: - As the column has them

  /// What is no list of ours is none: an archive may come from anywhere.
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

  /// The items in which the title is this item's for good.
  static func key(ofSource source: String) -> ItemKey? {
    let parts = source.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 ? ItemKey(collection: String(parts[0]), id: String(parts[1])) : nil
  }
}
