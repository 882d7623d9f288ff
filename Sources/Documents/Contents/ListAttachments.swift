import Contract
import Kit
import PDF
import Store
import Wire

enum ListAttachments: ExternalReadMethod {
  static let name = "documents/attachments"
  static let summary = "The files that a document carries: its own, and those that are pinned to its pages."
  static let since = 1
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [
    .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt,
  ]
  static let doing = Text("doing.readDocument")
  typealias Params = SaidParams

  struct Attachment: Payload {
    var index: Int
    var name: String
    var note: String?
    var size: Int64?
    var createdAt: Instant?
    var modifiedAt: Instant?
    var page: Int?
    static let example = Attachment(
      index: 0, name: "figures.csv", note: "The figures of table 2", size: 5_120,
      createdAt: Instant(milliseconds: 1_795_225_445_000), modifiedAt: nil, page: nil)
    static let fields = [
      "index": "Which it is; `documents/saveAttachment` takes it.",
      "name": "Its name, as the document has it: anything may stand there.", "note": "What is said of it.",
      "size": "Its bytes, as the document claims.", "createdAt": "When it says that it was made.",
      "modifiedAt": "When it says that it last changed.", "page": "The page that it is pinned to, from 0.",
    ]
  }

  struct Result: Payload {
    var items: [Attachment]
    var truncated: Bool?
    static let example = Result(items: [.example], truncated: nil)
    static let fields = [
      "items": "The files, those of the document first.",
      "truncated": "True when there are more than 1,000, or more than 5,000 pages to look at.",
    ]
  }

  typealias Plan = SaidPlan
  typealias Fetched = EmbeddedFiles

  static func prepare(_ params: SaidParams, in snapshot: Snapshot) throws -> SaidPlan {
    try SaidPlan(.attachments, of: params.id.text, password: params.password, in: snapshot)
  }

  static func fetch(_ plan: SaidPlan, with services: Services, progress: Progress) async throws -> EmbeddedFiles {
    try await plan.answer(
      with: services, read: HostileInput.embeddedFiles, write: { $0.write($1) },
      ask: { try await $0.embeddedFiles($1) })
  }

  static func finish(_ files: EmbeddedFiles, of plan: SaidPlan, in snapshot: Snapshot) throws -> Result {
    func instant(_ seconds: Int64?) -> Instant? { seconds.map { Instant(milliseconds: $0 * 1_000) } }
    return Result(
      items: files.files.enumerated().map { index, file in
        Attachment(
          index: index, name: file.name, note: file.note, size: file.size, createdAt: instant(file.created),
          modifiedAt: instant(file.modified), page: file.page)
      }, truncated: files.isCut ? true : nil)
  }
}
