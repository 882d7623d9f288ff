import Contract
import Display
import Store
import Wire

/// Shows hits of a question to one client.
struct QueryView {
  private let query: LibraryQuery
  /// Its words; none where it has none.
  private let sought: SoughtWords
  private let snapshot: Snapshot
  private let units: TextEncoding

  /// Of a longer text no more than this is looked through at once. Most texts have a match in their first piece.
  private static let piece = 32 << 10

  init(_ query: LibraryQuery, in snapshot: Snapshot) {
    self.query = query
    sought = SoughtWords(of: query.words)
    self.snapshot = snapshot
    units = TextEncoding(rawValue: snapshot.reader.positionEncoding.rawValue) ?? .utf16
  }

  func words(_ text: Text) -> String {
    snapshot.services.catalogue.string(for: text, language: snapshot.reader.language)
  }

  /// Nil where it has gone meanwhile.
  func hit(_ found: RankedText) throws -> QueryHit? {
    guard let source = query.owners[found.collection], let texts = try SearchIndex.texts(of: found, in: snapshot.db)
    else { return nil }
    let marked = marked(texts.body)
    guard
      var lead = try source.lead(
        FoundEntry(hit: texts.hit, title: texts.title, query: sought, marked: marked), snapshot)
    else { return nil }
    if let day = try query.day(of: found, in: snapshot) { lead.day = day }
    let shown = snippet(title: texts.title, body: texts.body, marked: marked, tags: texts.tags, of: lead)
    let ranges = units.ranges(shown.snippet.ranges, in: shown.snippet.text)
    return QueryHit(
      collection: source.collection, id: ItemID(unchecked: lead.id), of: lead.of.map(ItemID.init(unchecked:)),
      title: lead.title, titleRanges: parts(units.ranges(self.ranges(in: lead.title, isTitle: true), in: lead.title)),
      page: lead.page, quads: lead.quads, field: shown.field, snippet: shown.snippet.text, ranges: parts(ranges),
      cutBefore: shown.snippet.isCutBefore ? true : nil, cutAfter: shown.isCut || shown.snippet.isCutAfter ? true : nil,
      at: Instant(milliseconds: lead.at), link: lead.link, display: display(lead, source))
  }

  private func display(_ lead: SearchLead, _ source: SearchSource) -> QueryHit.Display {
    let (reader, services) = (snapshot.reader, snapshot.services)
    return QueryHit.Display(
      title: lead.title.isEmpty ? words(Text("search.noTitle")) : lead.title, kind: words(source.label),
      date: lead.day.map { services.dates.string(.mediumDate, on: $0.yearMonthDay, for: reader) }
        ?? services.dates.string(.mediumDate, at: lead.at, for: reader),
      page: lead.page.map { words(Text("search.page", ["page": String($0 + 1)])) })
  }

  private func parts(_ ranges: [Range<Int>]) -> [QueryHit.Part] {
    ranges.map { QueryHit.Part(offset: $0.lowerBound, length: $0.count) }
  }

  private func ranges(in text: String, isTitle: Bool = false) -> [Range<Int>] {
    TextRanges(of: sought, in: text, isTitle: isTitle).ranges
  }

  /// The same with the terms that they are of; nothing where there is nothing to mark.
  private func matches(in text: String) -> FoundEntry.MatchedText {
    let found = TextRanges(of: sought, in: text)
    return FoundEntry.MatchedText(text: text, ranges: found.ranges, terms: found.terms)
  }

  private struct Shown {
    var field: QueryHit.Field
    var snippet: Snippet
    /// Whether the snippet is from a piece behind which something stands.
    var isCut: Bool
  }

  /// From the text, else from what else was found; the beginning of the text where only the title was. What has no text,
  /// as a diary entry of one paragraph, is shown by its title.
  private func snippet(
    title: String, body: String, marked: FoundEntry.MatchedText?, tags: String, of lead: SearchLead
  ) -> Shown {
    var others: [(QueryHit.Field, String)] = [(.tags, tags)]
    // A note of a highlight is the title of its text; the title that is shown is its document's.
    if lead.isTitleOfOther { others.insert((.title, title), at: 0) }
    if let shown = piece(of: body, marked) { return Shown(field: .text, snippet: shown.snippet, isCut: shown.isCut) }
    for (field, text) in others {
      let found = matches(in: text)
      if !found.ranges.isEmpty { return Shown(field: field, snippet: found.snippet, isCut: false) }
    }
    if body.isBlank, !title.isEmpty {
      let ranges = ranges(in: title, isTitle: true)
      return Shown(field: .title, snippet: Snippet(of: title, ranges: ranges), isCut: false)
    }
    return Shown(field: .text, snippet: Snippet(of: body, ranges: []), isCut: false)
  }

  /// The words of a text that is looked through at once; nil of a longer one.
  private func marked(_ text: String) -> FoundEntry.MatchedText? {
    text.utf8.count <= Self.piece ? matches(in: text) : nil
  }

  /// The part of a text that has the words, from the first piece of it that has any.
  private func piece(of text: String, _ marked: FoundEntry.MatchedText?) -> (snippet: Snippet, isCut: Bool)? {
    guard query.hasWords else { return nil }
    if let marked { return marked.ranges.isEmpty ? nil : (marked.snippet, false) }
    var start = text.startIndex
    while start < text.endIndex {
      let end = Self.end(of: text, from: start)
      let found = matches(in: String(text[start..<end]))
      if !found.ranges.isEmpty { return (found.snippet, end < text.endIndex) }
      start = end
    }
    return nil
  }

  /// Behind a blank, where there is one: no word is looked for in halves.
  private static func end(of text: String, from start: String.Index) -> String.Index {
    guard let far = text.utf8.index(start, offsetBy: piece, limitedBy: text.endIndex) else { return text.endIndex }
    let end = text.unicodeScalars.index(before: text.unicodeScalars.index(after: far))
    let near = text.unicodeScalars[start..<end].suffix(256)
    guard let blank = near.lastIndex(where: \.properties.isWhitespace) else { return end }
    return text.unicodeScalars.index(after: blank)
  }
}

extension FoundEntry.MatchedText {
  fileprivate var snippet: Snippet { Snippet(of: text, ranges: ranges, terms: terms) }
}
