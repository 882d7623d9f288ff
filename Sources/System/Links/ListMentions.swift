import Contract
import Kit
import SearchEngine
import Store
import Wire

enum ListMentions: ReadMethod {
  static let name = "links/mentions"
  static let summary =
    "The texts of the user that name an item by its title without a link, newest item first: where a link could be put. The words "
    + "are compared as a search for the title in quotes does it."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notAllowed, .notFound]

  struct Params: Payload {
    var id: ItemID
    var collection: String?
    var limit: Int?
    static let example = Params(id: "0192", collection: "books", limit: 50)
    static let fields = LinkedItemParams.notes.merging(["limit": "Maximum number. Default 50."]) { $1 }
    static let limits: [String: FieldLimits] = ["limit": .range(1...200)]
  }

  struct Result: Payload {
    var items: [FoundLink]
    var isWhole: Bool
    static let example = Result(items: [FoundLink.mentionExample], isWhole: true)
    static let fields = [
      "items":
        "The fields that name it, each once, with its first mentions in `snippet`. `written` is the title as it stands "
        + "there, and `target` the item.",
      "isWhole":
        "False if there may be more: there are more than `limit`, the title's words are in too many texts to read all, "
        + "or the search index is being rebuilt.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let item = try LinkedItemParams.item(params.id, of: params.collection, in: snapshot)
    let links = snapshot.services.library.links(of: item.collection)
    guard links?.linking.title != nil, let target = try LinkEnd(item, in: snapshot),
      let term = MatchQuery.Term(String(target.title.prefix(LinkScan.longestTitle)), endsRun: true)
    else { throw RPCError(.notAllowed, text: Text("links.noTitle"), data: ["id": .string(item.id)]) }
    var mentions = Mentions(of: target, item, as: MatchQuery(.term(term)), most: params.limit ?? 50)
    try mentions.find(in: snapshot)
    return Result(items: mentions.found, isWhole: mentions.isWhole)
  }
}

extension FoundLink {
  static var mentionExample: FoundLink {
    var example = example
    (example.snippet, example.ranges) = ("Read Dune again.", [Part(offset: 5, length: 4)])
    example.written = "Dune"
    return example
  }
}

/// The search for the mentions of an item: the index names the items with the words of the title, whose texts are read.
private struct Mentions {
  private(set) var found: [FoundLink] = []
  private(set) var isWhole = true
  private let target: LinkEnd
  private let item: ItemKey
  private let query: MatchQuery
  private let words: QueryWords
  private let most: Int
  private var readBytes = 0

  /// A title that is a common word is in very many texts.
  private static let mostBytes = 32 << 20
  /// The ranges that a snippet needs; more are not reported.
  private static let mostRanges = 100

  init(of target: LinkEnd, _ item: ItemKey, as query: MatchQuery, most: Int) {
    (self.target, self.item, self.query, self.most) = (target, item, query, most)
    words = QueryWords(of: query, inTitles: false)
  }

  /// - Throws: `DatabaseError`, `CancellationError`.
  mutating func find(in snapshot: Snapshot) throws {
    let library = snapshot.services.library
    var candidates: [(at: Int64, item: ItemKey)] = []
    for name in library.collections {
      guard let links = library.links(of: name), !links.linking.texts.isEmpty else { continue }
      guard let ids = try SearchIndex.items(matching: query, of: name, in: snapshot.db) else {
        isWhole = false
        continue
      }
      for id in ids where name != item.collection || !sameBytes(id, item.id) {
        let key = ItemKey(collection: name, id: id)
        let at = try snapshot.db.first("SELECT updatedAt FROM \(links.table) WHERE id = ?", [.text(id)]) {
          $0.integer(0)
        }
        if let at { candidates.append((at, key)) }
      }
    }
    candidates.sort { ($0.at, $0.item.id) > ($1.at, $1.item.id) }
    for (_, candidate) in candidates {
      try Task.checkCancellation()
      guard let links = library.links(of: candidate.collection) else { continue }
      for text in links.linking.texts {
        guard found.count <= most, readBytes <= Self.mostBytes else { break }
        try read(text.column, of: candidate, links, in: snapshot)
      }
      guard found.count <= most, readBytes <= Self.mostBytes else {
        isWhole = false
        found.removeLast(max(0, found.count - most))
        return
      }
    }
  }

  private mutating func read(
    _ field: String, of source: ItemKey, _ links: CollectionLinks, in snapshot: Snapshot
  ) throws {
    for text in try links.texts(of: source.id, in: field, snapshot.db) {
      readBytes += text.utf8.count
      let ranges = Self.unlinked(TextRanges(of: words, in: text).ranges, in: text)
      guard let first = ranges.first else { continue }
      guard let shown = try links.linking.shown(source.id, snapshot) else { return }
      let written = String(decoding: text.utf8.dropFirst(first.lowerBound).prefix(first.count), as: UTF8.self)
      let snippet = Snippet(of: text, ranges: Array(ranges.prefix(Self.mostRanges)))
      found.append(
        FoundLink(
          source, shown, field: field, snippet: snippet, written: written, target: target, in: snapshot))
      return
    }
  }

  /// Those outside of links.
  private static func unlinked(_ ranges: [Range<Int>], in text: String) -> [Range<Int>] {
    if ranges.isEmpty { return [] }
    var links = LinkScan.links(in: text)[...]
    return ranges.filter { range in
      while let link = links.first, link.range.upperBound <= range.lowerBound { links.removeFirst() }
      return links.first.map { $0.range.lowerBound >= range.upperBound } ?? true
    }
  }
}
