import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/foldingRange`.
enum FoldText: LanguageMethod {
  static let name = "textDocument/foldingRange"
  static let summary =
    "The parts of a text that can be folded: what is under a heading; in a text of the library entries too."
  typealias Params = TextParams
  typealias Result = JSONValue

  struct Plan: Sendable {
    var request: TextRequest
    var isLibraryText: Bool
  }

  static func prepare(_ params: TextParams, in snapshot: Snapshot) -> Plan? {
    TextRequest(params.textDocument.uri, in: snapshot).map {
      Plan(request: $0, isLibraryText: $0.text.path(in: snapshot.services) != nil)
    }
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard TextScan.isProse(plan.request.text.languageID) else { return .null }
    let text = plan.request.text
    let ranges = TextOutline(of: text, isLibraryText: plan.isLibraryText).entries.compactMap { entry -> JSONValue? in
      var last = entry.end - 1
      while last > entry.line, text.content(last).allSatisfy(\.isWhitespace) { last -= 1 }
      guard last > entry.line else { return nil }
      return ["startLine": .integer(Int64(entry.line)), "endLine": .integer(Int64(last)), "kind": "region"]
    }
    try plan.request.requireCurrent()
    return .array(ranges)
  }
}
