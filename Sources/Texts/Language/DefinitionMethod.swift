import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/definition`.
enum DefineText: LanguageMethod {
  static let name = "textDocument/definition"
  static let summary =
    "The texts of the items that the link at a position leads to, or the passage that is quoted there."
  typealias Params = PositionParams
  typealias Result = JSONValue

  struct Plan: Sendable {
    var place: PlaceRequest
    var targets: [TextTarget]
    /// The range of the link, the anchor or the quote's line at the position, in UTF-8 bytes of its line.
    var origin: Range<Int>
    /// A quote to locate in the documents.
    var quote: String?
  }

  static func prepare(_ params: PositionParams, in snapshot: Snapshot) throws -> Plan? {
    guard let place = PlaceRequest(params, in: snapshot) else { return nil }
    if let mark = try place.mark(in: snapshot) { return Plan(place: place, targets: mark.targets, origin: mark.range) }
    guard let quote = Quote.around(place.line, in: place.text) else { return nil }
    return Plan(place: place, targets: [], origin: 0..<place.text.content(place.line).utf8.count, quote: quote)
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    var plan = plan
    var passage: Quote.Passage?
    if let quote = plan.quote {
      passage = try await Quote.locate(quote, for: caller)
      plan.targets = passage.flatMap(\.target).map { [$0] } ?? []
    }
    if plan.targets.isEmpty { return .null }
    let client = plan.place.request.client
    let origin = plan.place.request.range(plan.place.line, plan.origin)
    let found = try await client.locations(of: plan.targets, for: caller).compactMap(\.self)
    var range: PositionRange?
    if let passage, let location = found.first { range = try await passage.range(in: location.uri, for: caller) }
    return .array(
      found.map { location in
        let range = (range ?? location.range).json
        guard client.abilities.linkSupport else { return ["uri": .string(location.uri), "range": range] }
        return [
          "originSelectionRange": origin, "targetUri": .string(location.uri), "targetRange": range,
          "targetSelectionRange": range,
        ]
      })
  }
}

/// A link, or an anchor of a library text, at a position of a text, and the items that it means.
struct ItemMark: Sendable {
  var items: [ItemKey]
  var places: [StableLink.Place]
  var trouble: LinkMeaning.Trouble?
  /// In UTF-8 bytes of the line.
  var range: Range<Int>
  /// The link, if it is one.
  var link: TextScan.Link?

  var targets: [TextTarget] {
    items.map { TextTarget(collection: $0.collection, id: $0.id, places: places) }
  }
}

extension PlaceRequest {
  /// - Throws: `DatabaseError`.
  func mark(in snapshot: Snapshot) throws -> ItemMark? {
    if let link {
      let meaning = try snapshot.meaning(of: link.target, in: text.source(ofLine: line, in: snapshot))
      return ItemMark(
        items: meaning.items, places: meaning.places, trouble: meaning.trouble, range: link.range, link: link)
    }
    guard let anchor = content.anchor, anchor.range.lowerBound <= byte, byte <= anchor.range.upperBound else {
      return nil
    }
    let items = try snapshot.services.anchors.items(with: anchor.name, for: snapshot)
    return ItemMark(items: items, places: [], trouble: nil, range: anchor.range, link: nil)
  }
}

extension String {
  /// The anchor at the end of a line, ` ^k3f2`: its name, and its place without the blank, in UTF-8 bytes.
  var anchor: (name: String, range: Range<Int>)? {
    let (rest, anchor) = TextAnchor.split(self[...])
    return anchor.map { ($0, rest.utf8.count + 1..<utf8.count) }
  }
}
