import Contract
import Store
import Wire

enum ExportDocument: ExternalReadMethod {
  static let name = "documents/export"
  static let summary = "Writes a document with its marks into a file: `pdf` is a copy with real annotations."
  static let since = 1
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [
    .notFound, .exists, .notAllowed, .diskFull, .tooLarge, .signed, .passwordRequired, .workerCrashed, .timedOut,
    .corrupt,
  ]

  enum Format: String, Choice {
    case pdf
  }

  struct Params: Payload {
    var id: DocumentID
    var format: Format
    var path: String
    var overwrite: Bool?
    var confirm: String?
    var password: String?
    static let example = Params(
      id: "0192", format: .pdf, path: "/home/ann/R-lang-marked.pdf", overwrite: nil, confirm: nil, password: nil)
    static let fields = [
      "id": "The document.", "format": "What is written.", "path": "An absolute path.",
      "overwrite": "Take the place of a file that is there. Default false.",
      "confirm": "Of a signed file: the `confirm` of the error `signed`.",
      "password": "What opens a protected document; kept in memory only.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath), "confirm": .length(1...64)]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var path: String
    var size: Int64
    var hash: String
    var added: Int
    var changed: Int
    var present: Int
    var unplaced: Int
    static let example = Result(
      path: "/home/ann/R-lang-marked.pdf", size: 260_100, hash: String(repeating: "0", count: 64), added: 4, changed: 0,
      present: 0, unplaced: 0)
    static let fields = [
      "path": "Where it is.", "size": "Its bytes.", "hash": "SHA-256 of them.",
      "added": "Marks that the copy has and the document's file has not.",
      "changed": "Annotations of the file that say now what the library says.",
      "present": "Marks that the file had already.", "unplaced": "Marks without a known place, which are not in it.",
    ]
  }

  struct Plan: Sendable {
    var copy: PDFCopy
    var params: Params
  }
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(copy: try PDFCopy(of: params.id.text, password: params.password, in: snapshot), params: params)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let written = try await plan.copy.write(
      to: plan.params.path, overwrite: plan.params.overwrite ?? false, confirm: plan.params.confirm, with: services,
      progress: progress)
    return Result(
      path: written.path, size: written.size, hash: written.hash, added: written.added, changed: written.changed,
      present: written.present, unplaced: written.unplaced)
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result { result }
}
