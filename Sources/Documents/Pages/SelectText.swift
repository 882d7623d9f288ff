import Contract
import Kit
import PDF
import Store
import Wire

enum SelectText: ExternalReadMethod {
  static let name = "documents/select"
  static let summary = "The text that dragging from one point to another selects, in reading order."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt,
  ]
  static let doing = Text("doing.readText")

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var from: MarkedText.Point
    var to: MarkedText.Point
    var granularity: Granularity?
    var password: String?
    static let example = Params(
      id: "0192", page: 2, from: .example, to: MarkedText.Point(x: 240, y: 96), granularity: .word, password: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.", "from": "Where dragging began, in points.",
      "to": "Where dragging is now.", "granularity": "`character` (default), `word` or `line`.",
      "password": "The password of a protected document; stored in memory only.",
    ]
    static let limits: [String: FieldLimits] = ["page": .atLeast(0)]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var text: String
    var lines: [HighlightLine]
    static let example = Result(text: "a line of text", lines: [.example])
    static let fields = [
      "text": "The selected text, lines joined by line ends; empty for a drag within a margin.",
      "lines": "One quad per line.",
    ]
  }

  struct Plan: Sendable {
    var source: PageTextSource
    var from: Point
    var to: Point
    var granularity: Granularity
  }
  typealias Fetched = PageRows

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(
      source: try PageTextSource.plan(
        dragging: params.id.text, page: params.page, password: params.password, in: snapshot),
      from: Point(params.from), to: Point(params.to), granularity: params.granularity ?? .character)
  }

  static func known(_ plan: Plan, in snapshot: Snapshot) -> PageRows? { plan.source.rows }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> PageRows {
    try await plan.source.fetchRows(with: services)
  }

  static func finish(_ rows: PageRows, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    guard let range = rows.selection(from: plan.from, to: plan.to, by: plan.granularity) else {
      return Result(text: "", lines: [])
    }
    let lines = rows.layout.pieces(of: range).map { HighlightLine(text: $0.text, quad: $0.box?.quad ?? []) }
    return Result(text: lines.compactMap(\.text).joined(separator: "\n"), lines: lines)
  }
}
