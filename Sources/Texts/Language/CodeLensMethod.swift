import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/codeLens`.
enum LensText: LanguageMethod {
  static let name = "textDocument/codeLens"
  static let summary = "Above the first line of a text of the library the number of links that lead to its item."
  typealias Params = TextParams
  typealias Result = JSONValue

  struct Plan: Sendable {
    var request: TextRequest
    var item: ItemKey
  }

  static func prepare(_ params: TextParams, in snapshot: Snapshot) throws -> Plan? {
    guard let request = TextRequest(params.textDocument.uri, in: snapshot),
      let path = request.text.path(in: snapshot.services),
      let text = try TextPlaces(snapshot).render(path), text.items.count == 1
    else { return nil }
    return Plan(request: request, item: text.items[0].key)
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let title: String? = try await caller.services.library.read(as: caller) { snapshot in
      let count = try snapshot.links(to: plan.item, limit: 0).total
      return count == 0 ? nil : snapshot.words(Text("text.backlinks", ["count": String(count)]))
    }
    try plan.request.requireCurrent()
    guard let title else { return .array([]) }
    // A lens needs a command; one without a name shows its title alone.
    return [["range": plan.request.range(0, 0..<0), "command": ["title": .string(title), "command": ""]]]
  }
}
