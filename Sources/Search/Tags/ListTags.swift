import Contract
import Kit
import SearchEngine
import Store
import Wire

/// A tag of the library, and how many items have it.
struct ListedTag: Payload {
  /// The same for one collection.
  struct Count: Payload {
    var collection: String
    var count: Int
    var total: Int
    static let example = Count(collection: "books", count: 2, total: 3)
    static let fields = [
      "collection": "The collection.", "count": "The number of its items with the tag.",
      "total": "The number of its items with the tag or a tag below it.",
    ]
  }

  var tag: String
  var count: Int
  var total: Int
  var collections: [Count]
  var display: Display

  struct Display: Payload {
    var collections: [String]
    static let example = Display(collections: ["books 2"])
    static let fields = ["collections": "For each collection its word and the number of its items with the tag."]
  }

  static let example = ListedTag(tag: "travel", count: 2, total: 3, collections: [.example], display: .example)
  static let fields = [
    "tag":
      "The tag as most items write it. A tag that only has tags below it, as `travel` has `travel/asia`, is listed too, down to the tenth level.",
    "count": "The number of items with the tag.",
    "total":
      "The number of items with the tag or a tag below it: those that `tag:` finds in `search/query`. Below the tenth level only the former.",
    "collections": "The collections with such items.", "display": "Strings for people.",
  ]
}

enum ListTags: ReadMethod {
  static let name = "tags/list"
  static let summary =
    "The tags of all collections with their numbers of items, in alphabetical order. Tags that differ only in case, "
    + "width or composition are one. `/` nests: `travel/asia` is below `travel`."
  static let effects: Effects = .reads

  struct Params: Payload {
    var collections: [String]?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(collections: ["books", "documents"], offset: nil, after: nil, limit: 200)
    static let fields = PartFields.notes(usually: usual).merging([
      "collections": "The collections whose tags are counted. Default: all that have tags."
    ]) { $1 }
    /// The cursor is a tag.
    static let limits = PartFields.limits(most: 1_000)
      .merging(["after": .length(1...4_096), "collections": .length(1...32)]) { $1 }
    static let atMostOne = PartFields.atMostOne
  }
  typealias Result = Page<ListedTag>

  private static let usual = 200
  private static let order = Keyset(.text("tag"))

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<ListedTag> {
    let place = try params.after.map { try order.place($0) }
    let library = snapshot.services.library
    let known = library.collections.filter { library.collection($0)?.columns.tags != nil }
    if let strange = params.collections?.firstIndex(where: { !known.contains($0) }) {
      throw RPCError.invalidParams(
        field: "collections[\(strange)]",
        reason: Text(
          "param.choice", ["found": params.collections?[strange] ?? "", "choices": known.joined(separator: ", ")]))
    }
    let tags = try CountedTags(of: params.collections ?? known, in: snapshot)
    let names = tags.names
    var start = min(params.offset ?? 0, names.count)
    if case .text(let last)? = place?.first { start = names.firstIndex { $0 > last } ?? names.count }
    let limit = params.limit ?? usual
    let page = names[start...].prefix(limit)
    return Page(
      items: page.map { tags.listed($0, in: snapshot) }, offset: start, limit: limit, total: names.count,
      next: page.endIndex < names.endIndex ? page.last.map { order.cursor([.text($0)]) } : nil)
  }
}

/// The tags of some collections, counted in one scan of their items.
private struct CountedTags {
  private struct Tag {
    /// The number of items for each spelling.
    var spellings: [String: Int] = [:]
    /// It or the first tag below it, as written, for a tag that no item has itself.
    var first: String
    var counts: [ListedTag.Count] = []

    /// Counts an item of a collection, whose items follow each other.
    mutating func count(in collection: String, isOwn: Bool) {
      if counts.last?.collection != collection {
        counts.append(ListedTag.Count(collection: collection, count: 0, total: 0))
      }
      if isOwn { counts[counts.count - 1].count += 1 } else { counts[counts.count - 1].total += 1 }
    }
  }

  private var tags: [String: Tag] = [:]

  /// The levels that a nested tag implies; what is deeper counts for these. An imported tag may have fifty.
  private static let deepest = 10

  init(of collections: [String], in snapshot: Snapshot) throws {
    for name in Set(collections).sorted() {
      guard let collection = snapshot.services.library.collection(name) else { continue }
      var item = ""
      // The tags of the item so far, and those that contain them.
      var (own, all): (Set<String>, Set<String>) = ([], [])
      try collection.eachTag(in: snapshot.db) { id, tag, folded in
        if !sameBytes(id, item) { (item, own, all) = (id, [], []) }
        for containing in FoldedTag(folded).ancestors.prefix(Self.deepest) + [FoldedTag(folded)] {
          guard all.insert(containing.text).inserted else { continue }
          tags[containing.text, default: Tag(first: tag)].count(in: name, isOwn: false)
        }
        guard own.insert(folded).inserted else { return }
        tags[folded]?.count(in: name, isOwn: true)
        tags[folded]?.spellings[tag, default: 0] += 1
      }
    }
  }

  /// The folded tags in order.
  var names: [String] { tags.keys.sorted() }

  func listed(_ name: String, in snapshot: Snapshot) -> ListedTag {
    let tag = tags[name] ?? Tag(first: name)
    // Of spellings that are equally frequent always the same one.
    let spelling = tag.spellings.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return ListedTag(
      tag: spelling?.key ?? FoldedTag(name).split(tag.first).beginning, count: tag.counts.reduce(0) { $0 + $1.count },
      total: tag.counts.reduce(0) { $0 + $1.total }, collections: tag.counts,
      display: .init(
        collections: tag.counts.map { "\(snapshot.words(Text("items.\($0.collection)"))) \($0.total)" }))
  }
}
