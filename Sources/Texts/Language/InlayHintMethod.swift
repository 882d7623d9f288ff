import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/inlayHint`.
enum HintText: LanguageMethod {
  static let name = "textDocument/inlayHint"
  static let summary = "After the days of tasks how far they are, and after `after:^k3f2` the title of that card."
  static let replacesOlder = true

  struct Params: Payload {
    var textDocument: TextName
    var range: JSONValue
    static let example = Params(
      textDocument: .example,
      range: ["start": ["line": 0, "character": 0], "end": ["line": 80, "character": 0]])
    static let fields = ["textDocument": "The text.", "range": "The lines that are shown."]
  }
  typealias Result = JSONValue

  struct Plan: Sendable {
    var request: TextRequest
    var lines: Range<Int>
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) -> Plan? {
    guard let request = TextRequest(params.textDocument.uri, in: snapshot), let range = PositionRange(params.range),
      TextScan.isProse(request.text.languageID)
    else { return nil }
    let count = request.text.lines.count
    let first = min(range.start.line, count)
    return Plan(request: request, lines: first..<max(first, min(range.end.line, count - 1) + 1))
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let hints: [JSONValue] = try await caller.services.library.read(as: caller) { snapshot in
      try plan.lines.flatMap { line -> [JSONValue] in
        let content = plan.request.text.content(line)
        guard content.box != nil else { return [] }
        return try content.fields.compactMap { field in
          try hint(field, in: snapshot).map { label in
            let end = field.range.upperBound
            return [
              "position": plan.request.text.range(line, end..<end, in: plan.request.encoding).start.json,
              "label": .string(label), "paddingLeft": true,
            ]
          }
        }
      }
    }
    try plan.request.requireCurrent()
    return .array(hints)
  }

  private static func hint(_ field: LineField, in snapshot: Snapshot) throws -> String? {
    switch field.name {
    case .due: return field.day(in: snapshot).map { DayDistance($0, in: snapshot).short }
    case .start:
      // One that is past says nothing any more.
      guard let day = field.isDay ? field.day(in: snapshot) : nil else { return nil }
      let distance = DayDistance(day, in: snapshot)
      return distance.days > 0 ? distance.short : nil
    case .after:
      return try snapshot.services.anchors.item(with: field.value, in: "projects", for: snapshot)
        .flatMap { try snapshot.shown(ItemKey(collection: "projects", id: $0))?.title }
    case .tag: return nil
    }
  }
}
