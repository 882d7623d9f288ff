import Contract
import Display
import Store
import Wire

/// An item that is offered to somebody who is typing.
struct SuggestedTitle: Payload {
  var collection: String
  var id: ItemID
  var title: String
  var ranges: [QueryHit.Part]
  var link: String
  var display: Display

  struct Display: Payload {
    var kind: String
    static let example = Display(kind: "Documents")
    static let fields = ["kind": "What the collection is called."]
  }

  static let example = SuggestedTitle(
    collection: "documents", id: "0192", title: "A paper", ranges: [QueryHit.Part(offset: 2, length: 5)],
    link: "commonplace:/documents/0192", display: .example)
  static let fields = [
    "collection": "Where it is.", "id": "The item.", "title": "Its title.",
    "ranges": "Where in the title that is what was typed.", "link": "Its stable link.",
    "display": "Strings for people.",
  ]
}

/// A tag that is offered to somebody who is typing.
struct SuggestedTag: Payload {
  var tag: String
  var text: String
  var count: Int
  static let example = SuggestedTag(tag: "korean", text: "tag:korean", count: 3)
  static let fields = [
    "tag": "The tag.", "text": "The question of `search/query` that finds what has it.", "count": "How many have it.",
  ]
}

/// What the library has that begins as somebody types.
struct SearchOffers {
  private let text: String
  private let limit: Int
  private let snapshot: Snapshot
  private let sources: [SearchSource]
  private let isEverywhere: Bool
  private let scope: SearchScope

  init(_ text: String, in scope: SearchScope, limit: Int, _ snapshot: Snapshot) {
    (self.text, self.limit, self.snapshot, self.scope) = (text, limit, snapshot, scope)
    isEverywhere = scope == .library
    sources = snapshot.services.library.searchSources.filter { scope == .library || $0.scope == scope }
  }

  /// Words of which the last may go on; what only a whole question means is text here.
  private var query: MatchQuery? {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let goesOn = text.last.map { !$0.isWhitespace } ?? false
    guard let last = words.popLast() else { return nil }
    var terms = words.prefix(MatchQuery.maximumTerms / 2).compactMap { MatchQuery.Term($0) }
    let typed = MatchQuery.Term(last, isPrefix: goesOn, isTyped: goesOn || HangulTyping.hasInitial(last))
    if let typed { terms.append(typed) }
    guard !terms.isEmpty, terms.reduce(0, { $0 + $1.units }) <= MatchQuery.maximumUnits else { return nil }
    return MatchQuery(.and(terms.map(MatchQuery.Node.term)))
  }

  func titles() throws -> [SuggestedTitle] {
    guard let query else { return [] }
    let names = sources.flatMap(\.indexed)
    // Marks have no titles of their own, and two sources may tell of one post.
    let hits = try SearchIndex.titles(
      matching: query, collections: isEverywhere ? nil : names, limit: limit * 2,
      now: snapshot.services.now().milliseconds, in: snapshot.db)
    let units = TextEncoding(rawValue: snapshot.reader.positionEncoding.rawValue) ?? .utf16
    var seen: Set<String> = []
    var titles: [SuggestedTitle] = []
    for var hit in hits where titles.count < limit {
      guard let source = sources.first(where: { $0.indexed.contains(hit.collection) }),
        let texts = try SearchIndex.texts(of: hit, in: snapshot.db)
      else { continue }
      hit.owner = try source.aliases[hit.collection]?(hit.item, snapshot)
      guard let lead = try source.lead(FoundEntry(hit: hit, title: texts.title, query: query), snapshot),
        !lead.isTitleOfOther, seen.insert("\(source.collection)/\(lead.id)").inserted
      else { continue }
      let ranges = units.ranges(TextRanges(of: query, in: lead.title, isTitle: true).ranges, in: lead.title)
      titles.append(
        SuggestedTitle(
          collection: source.collection, id: ItemID(unchecked: lead.id), title: lead.title,
          ranges: ranges.map { QueryHit.Part(offset: $0.lowerBound, length: $0.count) }, link: lead.link,
          display: .init(
            kind: snapshot.services.catalogue.string(for: source.label, language: snapshot.reader.language))))
    }
    return titles
  }

  func tags() throws -> [SuggestedTag] {
    guard scope != .boards else { return [] }
    let beginning = foldedText(text)
    guard !beginning.isEmpty else { return [] }
    var known: [String: KnownTag] = [:]
    for source in sources {
      for tag in try source.tags?(beginning, limit, snapshot) ?? [] {
        known[tag.folded, default: KnownTag(folded: tag.folded, tag: tag.tag, count: 0)].count += tag.count
      }
    }
    return known.values.sorted { ($1.count, $0.folded) < ($0.count, $1.folded) }.prefix(limit).compactMap { tag in
      Self.question(for: tag.tag).map { SuggestedTag(tag: tag.tag, text: $0, count: tag.count) }
    }
  }

  /// A tag as a question; nil for one that has blanks and quotes, of which a quotation knows no way to hold both.
  private static func question(for tag: String) -> String? {
    func has(_ scalars: String) -> Bool { tag.unicodeScalars.contains { scalars.unicodeScalars.contains($0) } }
    let isPlain = !has("()\"“”*") && !tag.unicodeScalars.contains(where: \.properties.isWhitespace)
    if isPlain { return "tag:\(tag)" }
    return has("\"“”") ? nil : "tag:\"\(tag)\""
  }
}
