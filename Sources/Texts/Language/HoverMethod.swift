import Contract
import Display
import Kit
import Store
import Wire

/// LSP's `textDocument/hover`.
enum HoverText: LanguageMethod {
  static let name = "textDocument/hover"
  static let summary =
    "The item that a link or an anchor means, the day of a `due:` or `start:`, or the page of a quote."
  static let replacesOlder = true
  typealias Params = PositionParams
  typealias Result = JSONValue

  struct Plan: Sendable {
    var place: PlaceRequest
    var contents: String?
    var range: Range<Int>?
    /// A quote to locate in the documents.
    var quote: String?
  }

  static func prepare(_ params: PositionParams, in snapshot: Snapshot) throws -> Plan? {
    guard let place = PlaceRequest(params, in: snapshot) else { return nil }
    var plan = Plan(place: place)
    if let mark = try place.mark(in: snapshot) {
      let cards = try mark.items.prefix(LinkReads.mostCandidates).compactMap { try ItemCard($0, in: snapshot) }
      guard !cards.isEmpty else { return nil }
      plan.contents = cards.map { $0.text(isMarkdown: place.request.client.abilities.markdownHover) }
        .joined(separator: "\n\n")
      plan.range = mark.range
    } else if let due = place.content.fields.first(where: { $0.isDay && $0.contains(place.byte) }) {
      guard let day = due.day(in: snapshot) else { return nil }
      plan.contents = DayDistance(day, in: snapshot).sentence
      plan.range = due.range
    } else {
      plan.quote = Quote.around(place.line, in: place.text)
      if plan.quote == nil { return nil }
    }
    return plan
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    var plan = plan
    if let quote = plan.quote {
      guard let passage = try await Quote.locate(quote, for: caller) else { return .null }
      plan.contents = passage.sentence(for: caller)
    }
    guard let contents = plan.contents else { return .null }
    let isMarkdown = plan.place.request.client.abilities.markdownHover
    var hover: JSONObject = [
      "contents": ["kind": isMarkdown ? "markdown" : "plaintext", "value": .string(contents)]
    ]
    if let range = plan.range { hover["range"] = plan.place.request.range(plan.place.line, range) }
    return .object(hover)
  }
}

/// An item as hover and completion show it.
struct ItemCard {
  private static let mostLines = 12

  let title: String
  /// The name of its collection, the day that it is about, and its author.
  let facts: String
  let lines: [String]
  let backlinks: String?

  /// Nil if the item was removed.
  ///
  /// - Throws: `DatabaseError`.
  init?(_ item: ItemKey, in snapshot: Snapshot) throws {
    guard let shown = try snapshot.shown(item) else { return nil }
    title = shown.title.isEmpty ? snapshot.words(Text("day.noTitle")) : shown.title
    let day = shown.day.map { snapshot.services.dates.string(.mediumDate, on: $0.yearMonthDay, for: snapshot.reader) }
    facts = [snapshot.name(of: item.collection), day, shown.author].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: " · ")
    let places = TextPlaces(snapshot)
    let place = try places.place(of: TextTarget(collection: item.collection, id: item.id))
    let text = try place.flatMap { try places.render($0.path)?.text } ?? ""
    lines = text.split(separator: "\n", maxSplits: Self.mostLines, omittingEmptySubsequences: false)
      .prefix(Self.mostLines).map { String($0.prefix(400)) }
    let count = try snapshot.links(to: item, limit: 0).total
    backlinks = count == 0 ? nil : snapshot.words(Text("text.backlinks", ["count": String(count)]))
  }

  func text(isMarkdown: Bool) -> String {
    let head = isMarkdown ? "**\(title.markdownEscaped)** · \(facts.markdownEscaped)" : "\(title) · \(facts)"
    var parts = [head]
    var body = lines
    while body.last?.allSatisfy(\.isWhitespace) == true { body.removeLast() }
    // The text of an untitled entry is its title.
    if body != [title], !body.isEmpty { parts.append(body.joined(separator: "\n")) }
    if let backlinks { parts.append(isMarkdown ? "*\(backlinks)*" : backlinks) }
    return parts.joined(separator: "\n\n")
  }
}

extension String {
  /// The text with Markdown's own characters quoted.
  var markdownEscaped: String {
    String(flatMap { "\\`*_[]<>#".contains($0) ? ["\\", $0] : [$0] })
  }
}
