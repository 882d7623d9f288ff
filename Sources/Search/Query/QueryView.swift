import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// Shows hits of a query to one client.
struct QueryView {
  private let query: LibraryQuery
  /// Its words; empty if it has none.
  private let words: QueryWords
  private let snapshot: Snapshot
  private let units: PositionEncoding

  /// The size of the pieces in which longer texts are searched. Most texts have a match in their first piece.
  private static let piece = 32 << 10

  init(_ query: LibraryQuery, in snapshot: Snapshot) {
    self.query = query
    words = QueryWords(of: query.words)
    self.snapshot = snapshot
    units = snapshot.reader.positionEncoding
  }

  func words(_ text: Text) -> String { snapshot.words(text) }

  /// The most pages of a group that are listed for people.
  private static let mostShownPages = 8

  /// The first hit of an item, with the number of its hits and their pages.
  func hit(_ group: QueryPart.Group) throws -> QueryHit? {
    guard var hit = try hit(group.first), let count = group.count else { return try hit(group.first) }
    hit.count = count
    guard !group.pages.isEmpty else { return hit }
    hit.pages = group.pages
    let shown = group.pages.prefix(Self.mostShownPages).map { String($0 + 1) }.joined(separator: ", ")
    let isCut = group.pages.count > Self.mostShownPages
    hit.display.pages = words(Text("search.pages", ["pages": isCut ? shown + " …" : shown]))
    return hit
  }

  /// Nil if it was removed meanwhile.
  func hit(_ found: RankedText) throws -> QueryHit? {
    if found.isPage, let hit = try query.hit(of: found, in: snapshot), let page = try page(hit) { return page }
    // The collection and the page flag in memory are not trusted: the row may have belonged to another text.
    guard let texts = try SearchIndex.texts(of: found, in: snapshot.db),
      let source = query.owners[CollectionNumber(texts.hit.collection)],
      let hit = try query.owned(texts.hit, in: snapshot)
    else { return nil }
    if !found.isPage, let page = try page(hit) { return page }
    guard
      var lead = try source.lead(FoundEntry(hit: hit, title: texts.title, query: words), snapshot)
    else { return nil }
    if let day = try query.day(of: found, in: snapshot) { lead.day = day }
    return self.hit(snippet(title: texts.title, body: texts.body, tags: texts.tags, of: lead), lead, source)
  }

  /// A page as its collection stores it; nil for other hits, and if the collection stores none.
  private func page(_ hit: SearchHit) throws -> QueryHit? {
    guard hit.part > 0, let source = query.owners[CollectionNumber(hit.collection)],
      let page = try source.page?(hit, words, snapshot)
    else { return nil }
    let shown = page.text.ranges.isEmpty ? beginning(of: page.text.text) : self.shown(page.text)
    return self.hit(shown, page.lead, source)
  }

  private func hit(_ shown: Shown, _ lead: SearchLead, _ source: SearchSource) -> QueryHit {
    let ranges = units.ranges(shown.snippet.ranges, in: shown.snippet.text)
    return QueryHit(
      collection: source.collection, id: ItemID(unchecked: lead.id), of: lead.of.map(ItemID.init(unchecked:)),
      title: lead.title, titleRanges: parts(units.ranges(self.ranges(in: lead.title, isTitle: true), in: lead.title)),
      page: lead.page, quads: lead.quads, field: shown.field, snippet: shown.snippet.text, ranges: parts(ranges),
      cutBefore: shown.snippet.isCutBefore ? true : nil, cutAfter: shown.isCut || shown.snippet.isCutAfter ? true : nil,
      count: nil, pages: nil, at: Instant(milliseconds: lead.at), link: lead.link, display: display(lead, source))
  }

  private func display(_ lead: SearchLead, _ source: SearchSource) -> QueryHit.Display {
    QueryHit.Display(
      title: lead.title.isEmpty ? words(Text("day.noTitle")) : lead.title, kind: words(source.label),
      date: lead.date(in: snapshot),
      page: lead.page.map { words(Text("search.page", ["page": String($0 + 1)])) })
  }

  private func parts(_ ranges: [Range<Int>]) -> [QueryHit.Part] {
    ranges.map { QueryHit.Part(offset: $0.lowerBound, length: $0.count) }
  }

  private func ranges(in text: String, isTitle: Bool = false) -> [Range<Int>] {
    TextRanges(of: words, in: text, isTitle: isTitle).ranges
  }

  private struct Shown {
    var field: QueryHit.Field
    var snippet: Snippet
    /// Whether text follows the piece that contains the snippet.
    var isCut: Bool
  }

  private func shown(_ text: MatchedText, as field: QueryHit.Field = .text, isCut: Bool = false) -> Shown {
    let snippet = Snippet(of: text.text, ranges: text.ranges, terms: text.terms)
    return Shown(field: field, snippet: snippet, isCut: isCut)
  }

  private func beginning(of text: String) -> Shown {
    Shown(field: .text, snippet: Snippet(of: text, ranges: []), isCut: false)
  }

  /// From the text, else from the other matching parts; the beginning of the text if only the title matched. An item
  /// without text, such as a diary entry of one paragraph, is shown by its title.
  private func snippet(title: String, body: String, tags: String, of lead: SearchLead) -> Shown {
    var others: [(QueryHit.Field, String)] = [(.tags, tags)]
    // The note of a highlight is the title of its text; the displayed title is its document's.
    if lead.isTitleOfOther { others.insert((.title, title), at: 0) }
    if let shown = piece(of: body) { return shown }
    for (field, text) in others {
      let found = MatchedText(text, with: words)
      if !found.ranges.isEmpty { return shown(found, as: field) }
    }
    if body.isBlank, !title.isEmpty {
      let ranges = ranges(in: title, isTitle: true)
      return Shown(field: .title, snippet: Snippet(of: title, ranges: ranges), isCut: false)
    }
    return beginning(of: body)
  }

  /// The part of a text with the words, from the first piece that has any.
  private func piece(of text: String) -> Shown? {
    guard query.hasWords else { return nil }
    var start = text.startIndex
    while start < text.endIndex {
      let end = Self.end(of: text, from: start)
      let isWhole = start == text.startIndex && end == text.endIndex
      let found = MatchedText(isWhole ? text : String(text[start..<end]), with: words)
      if !found.ranges.isEmpty { return shown(found, isCut: end < text.endIndex) }
      start = end
    }
    return nil
  }

  /// After a blank, if there is one, so that no word is cut.
  private static func end(of text: String, from start: String.Index) -> String.Index {
    guard let far = text.utf8.index(start, offsetBy: piece, limitedBy: text.endIndex) else { return text.endIndex }
    let end = text.unicodeScalars.index(before: text.unicodeScalars.index(after: far))
    let near = text.unicodeScalars[start..<end].suffix(256)
    guard let blank = near.lastIndex(where: \.properties.isWhitespace) else { return end }
    return text.unicodeScalars.index(after: blank)
  }
}

extension SearchLead {
  /// The day that an item is about, else that of its time.
  func date(in snapshot: Snapshot) -> String {
    let (reader, dates) = (snapshot.reader, snapshot.services.dates)
    return day.map { dates.string(.mediumDate, on: $0.yearMonthDay, for: reader) }
      ?? dates.string(.mediumDate, at: at, for: reader)
  }
}
