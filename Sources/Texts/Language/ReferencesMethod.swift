import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/references`.
enum ReferText: LanguageMethod {
  static let name = "textDocument/references"
  static let summary = "Every link of the library to the item that a link, an anchor or a heading line means."

  struct Params: Payload {
    var textDocument: TextName
    var position: JSONValue
    var context: JSONValue?
    static let example = Params(
      textDocument: .example, position: ["line": 0, "character": 3], context: ["includeDeclaration": false])
    static let fields = [
      "textDocument": "The text.", "position": "LSP's position, in the client's encoding.",
      "context": "`includeDeclaration`: whether the item itself is among the results.",
    ]
  }
  typealias Result = JSONValue

  struct Plan: Sendable {
    var client: LanguageClient
    var item: ItemKey
    var includesItem: Bool
  }

  private static let most = 1_000
  private static let mostInPart = 100

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan? {
    let position = PositionParams(textDocument: params.textDocument, position: params.position)
    guard let place = PlaceRequest(position, in: snapshot) else { return nil }
    let item = try place.mark(in: snapshot)?.items.first ?? place.text.source(ofLine: place.line, in: snapshot)
    guard let item else { return nil }
    return Plan(
      client: place.request.client, item: item,
      includesItem: params.context?["includeDeclaration"]?.boolValue ?? false)
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    var targets = try await caller.services.library.read(as: caller) { snapshot in
      var occurrences = LinkOccurrences()
      return try snapshot.links(to: plan.item, limit: most).links.compactMap {
        try TextTarget($0, &occurrences, in: snapshot)
      }
    }
    if plan.includesItem { targets.insert(TextTarget(collection: plan.item.collection, id: plan.item.id), at: 0) }
    var locations: [JSONValue] = []
    for start in stride(from: 0, to: targets.count, by: mostInPart) {
      let part = Array(targets[start..<min(start + mostInPart, targets.count)])
      let found = try await plan.client.locations(of: part, for: caller).compactMap { $0?.json }
      if progress.takesParts { progress.part(.array(found)) } else { locations += found }
    }
    return .array(locations)
  }
}

extension TextTarget {
  /// The place of a link in the text that has it.
  ///
  /// - Throws: `DatabaseError`.
  init?(_ link: StoredLink, _ occurrences: inout LinkOccurrences, in snapshot: Snapshot) throws {
    guard let links = snapshot.services.library.links(of: link.source.collection) else { return nil }
    let offset = try occurrences.first(of: link, links, in: snapshot.db)?.range.lowerBound ?? 0
    self.init(collection: link.source.collection, id: link.source.id, field: link.field, offset: offset)
  }
}
