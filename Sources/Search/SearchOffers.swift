import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// An item that is suggested while the user types.
struct SuggestedTitle: Payload {
  var collection: String
  var id: ItemID
  var title: String
  var ranges: [QueryHit.Part]
  var link: String
  var count: Int
  var display: Display

  struct Display: Payload {
    var kind: String
    var date: String
    static let example = Display(kind: "Documents", date: "Nov 21, 2026")
    static let fields = ["kind": "The collection's label.", "date": "Its date, or the day that it is about."]
  }

  static let example = SuggestedTitle(
    collection: "documents", id: "0192", title: "A paper", ranges: [QueryHit.Part(offset: 2, length: 5)],
    link: "commonplace:/documents/0192", count: 1, display: .example)
  static let fields = [
    "collection": "The item's collection.", "id": "The item.", "title": "Its title.",
    "ranges": "The positions of the typed text in the title.", "link": "Its stable link.",
    "count": "The number of items of the collection with this title. The title is suggested once, for the newest.",
    "display": "Strings for people.",
  ]
}

/// A tag that is suggested while the user types.
struct SuggestedTag: Payload {
  var tag: String
  var text: String
  var count: Int
  static let example = SuggestedTag(tag: "korean", text: "tag:korean", count: 3)
  static let fields = [
    "tag": "The tag.", "text": "The `search/query` text that finds the items with the tag.",
    "count": "The number of items with the tag.",
  ]
}

/// Completions of the typed text from the library.
struct SearchOffers {
  private let text: String
  private let question: TypedQuestion
  private let limit: Int
  private let snapshot: Snapshot
  private let sources: [SearchSource]
  private let isEverywhere: Bool
  private let scope: SearchScope

  init(_ text: String, in scope: SearchScope, limit: Int, _ snapshot: Snapshot) {
    (self.text, self.limit, self.snapshot, self.scope) = (text, limit, snapshot, scope)
    // Elsewhere a field is text, as it is for the search there.
    question = scope == .library ? TypedQuestion(text) : TypedQuestion(words: text)
    let names = QueryNames(collections: snapshot.services)
    let places = question.places.compactMap(names.meaning)
    let unwanted = question.unwantedPlaces.compactMap(names.meaning)
    isEverywhere = scope == .library && places.isEmpty && unwanted.isEmpty
    sources = snapshot.services.library.searchSources.filter { source in
      (scope == .library || source.scope == scope) && (places.isEmpty || places.contains(source.collection))
        && !unwanted.contains(source.collection)
    }
  }

  /// The words, of which the last may be a prefix; query syntax is text here.
  private var query: MatchQuery? {
    let text = question.words
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let goesOn = text.last.map { !$0.isWhitespace } ?? false
    guard let last = words.popLast() else { return nil }
    var terms = words.prefix(MatchQuery.maximumTerms / 2).compactMap { MatchQuery.Term($0) }
    let typed = MatchQuery.Term(last, isPrefix: goesOn, isTyped: goesOn || HangulTyping.hasInitial(last))
    if let typed { terms.append(typed) }
    guard !terms.isEmpty, terms.reduce(0, { $0 + $1.units }) <= MatchQuery.maximumUnits else { return nil }
    return MatchQuery(.and(terms.map(MatchQuery.Node.term)))
  }

  /// All words as one text at any place of a title.
  private var typed: MatchQuery {
    let text = question.words
    let goesOn = text.last.map { !$0.isWhitespace } ?? false
    return MatchQuery(
      MatchQuery.Term(text, isPrefix: goesOn, isTyped: goesOn || HangulTyping.hasInitial(text)).map { .term($0) })
  }

  /// Titles that begin with the typed text, then those with a word that does, then others; each group the best first.
  private func ranked(_ query: MatchQuery) throws -> [RankedText] {
    let names = sources.flatMap(\.indexed)
    let hits = try SearchIndex.titles(
      matching: query, collections: isEverywhere ? nil : names, limit: SearchIndex.mostTitles,
      now: snapshot.services.now().milliseconds, in: snapshot.db)
    let (typed, folded) = (typed, foldedText(question.words))
    func nearness(_ hit: RankedText) throws -> TitleNearness {
      TitleNearness(of: try SearchIndex.title(of: hit, in: snapshot.db) ?? "", typed: folded, typed)
    }
    var near = try hits.map { (hit: $0, nearness: try nearness($0)) }
    // If these are all, none is missing.
    if hits.count == SearchIndex.mostTitles {
      let known = Set(hits.map(\.row))
      let others = try TitleBeginnings(in: snapshot.db).hits(typed: folded, collections: names, limit: limit * 2)
      near += try others.filter { !known.contains($0.row) }.map { (hit: $0, nearness: try nearness($0)) }
        .filter { $0.nearness <= .begins }
    }
    return near.enumerated().sorted { ($0.element.nearness, $0.offset) < ($1.element.nearness, $1.offset) }
      .map(\.element.hit)
  }

  /// Equal titles in one collection are one, the newest.
  func titles() throws -> [SuggestedTitle] {
    guard let query else { return [] }
    let words = QueryWords(of: query)
    let units = snapshot.reader.positionEncoding
    // Marks have no titles of their own, and two sources may have the same post.
    var seen: Set<String> = []
    var places: [String: Int] = [:]
    var titles: [SuggestedTitle] = []
    for text in try ranked(query) {
      guard let source = sources.first(where: { $0.indexed.contains(text.collection.name) }),
        let title = try SearchIndex.title(of: text, in: snapshot.db)
      else { continue }
      let name = "\(source.collection)/\(foldedText(title))"
      if titles.count == limit, places[name] == nil { continue }
      guard var hit = try SearchIndex.hit(of: text, in: snapshot.db) else { continue }
      hit.owner = try source.aliases[hit.collection]?(hit.item, snapshot)
      guard seen.insert("\(source.collection)/\(hit.owner ?? hit.item)").inserted else { continue }
      if let place = places[name] {
        titles[place].count += 1
        continue
      }
      guard let lead = try source.lead(FoundEntry(hit: hit, title: title, query: words), snapshot),
        !lead.isTitleOfOther
      else { continue }
      let ranges = units.ranges(TextRanges(of: words, in: lead.title, isTitle: true).ranges, in: lead.title)
      places[name] = titles.count
      titles.append(
        SuggestedTitle(
          collection: source.collection, id: ItemID(unchecked: lead.id), title: lead.title,
          ranges: ranges.map { QueryHit.Part(offset: $0.lowerBound, length: $0.count) }, link: lead.link, count: 1,
          display: .init(kind: snapshot.words(source.label), date: lead.date(in: snapshot))))
    }
    // More of them than the ranked ones may have it.
    let beginnings = TitleBeginnings(in: snapshot.db)
    return try titles.map { title in
      var title = title
      title.count = max(title.count, try beginnings.count(of: title.title, in: title.collection))
      return title
    }
  }

  /// Tags with the typed prefix: the value of the last field, or the whole typed text.
  func tags() throws -> [SuggestedTag] {
    guard scope != .boards else { return [] }
    let typed = question.field
    if let typed, typed.name != .tag { return [] }
    let beginning = foldedText(typed?.value ?? text)
    guard typed != nil || !beginning.isEmpty else { return [] }
    var known: [String: ExistingTag] = [:]
    for source in sources {
      for tag in try source.knownTags(beginning: beginning, limit: limit, in: snapshot) {
        // Equal in the query that it produces.
        let form = LetterForm(tag.folded).text
        known[form, default: ExistingTag(folded: tag.folded, tag: tag.tag, count: 0)].count += tag.count
      }
    }
    return known.values.sorted { ($1.count, $0.folded) < ($0.count, $1.folded) }.prefix(limit).compactMap { tag in
      TypedQuestion.condition(.tag, tag.tag).map {
        SuggestedTag(tag: tag.tag, text: (typed?.head ?? "") + $0, count: tag.count)
      }
    }
  }

  /// All values for the field that is being typed; empty for a value that is complete, and for tags, which are
  /// suggested with their counts.
  func conditions() -> [SuggestedCondition] {
    guard let typed = question.field else { return [] }
    let (services, reader) = (snapshot.services, snapshot.reader)
    let values: [(value: String, label: String)]
    switch typed.name {
    case .in:
      let names = QueryNames(collections: services)
      let labels = Dictionary(services.library.searchSources.map { ($0.collection, $0.label) }) { first, _ in first }
      values = names.beginning(typed.value).map { written in
        let label = names.meaning(of: written).flatMap { labels[$0] }
        return (written, label.map(snapshot.words) ?? written)
      }
    case .is:
      let names = QueryNames(states: services)
      values = names.beginning(typed.value).map { written in
        (written, names.meaning(of: written).flatMap { QueryNames.label(of: $0, services, reader.language) } ?? written)
      }
    case .before, .after:
      values = SuggestedDays.beginning(typed.value, in: snapshot).map { value, day in
        let label =
          typed.name == .before ? Text("search.beforeDay", ["day": day]) : Text("search.sinceDay", ["day": day])
        return (value, snapshot.words(label))
      }
    case .due, .start:
      values = SuggestedDays.dates(of: typed.name, beginning: typed.value, in: snapshot).map { value, label in
        (value, snapshot.words(label))
      }
    case .tag, .journal, .from, .title: values = []
    }
    return values.filter { !sameBytes(foldedText($0.value), foldedText(typed.value)) }
      .compactMap { value, label in
        TypedQuestion.condition(typed.name, value).map {
          SuggestedCondition(field: typed.name, value: value, text: typed.head + $0, display: .init(label: label))
        }
      }
  }
}
