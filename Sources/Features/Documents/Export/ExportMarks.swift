import Contract
import Display
import Store
import Wire

enum ExportMarks: ExternalReadMethod {
  static let name = "documents/export"
  static let summary = "Writes the marks of a document for other programs, as one state of the library has them."
  static let since = 1
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [.notFound, .exists, .diskFull, .notAllowed, .tooLarge]

  enum Format: String, Choice {
    case markdown, w3c
  }

  struct Params: Payload {
    var id: DocumentID
    var format: Format
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    static let example = Params(
      id: "0192", format: .markdown, path: "/home/ann/notes.md", inline: nil, overwrite: nil)
    static let fields = [
      "id": "The document.",
      "format":
        "`markdown`: quotes by page with notes, memos, bookmarks and stable links; `w3c`: W3C Web Annotations (JSON-LD) "
        + "with page, quote and position selectors.",
      "path": "An absolute path at which there is nothing yet, or a file with `overwrite`.",
      "inline": "Answer the bytes as `data` instead.", "overwrite": ExportPlace.overwriteNote,
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
    static let exactlyOne = [["path", "inline"]]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var marks: Int
    static let example = Result(path: "/home/ann/notes.md", data: nil, marks: 12)
    static let fields = [
      "path": "Where they are.", "data": "What was written, in base64.", "marks": "How many there are.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: FeatureCaller
  }
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    try ExportPlace.require(path: params.path, inline: params.inline)
    _ = try snapshot.get(DocumentRecord.self, id: params.id.text)
    return Plan(params: params, caller: snapshot.feature)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let params = plan.params
    let language = plan.caller.reader.language
    let marks = try await services.library.read(as: plan.caller) { try ExportedMarks(of: params.id.text, in: $0) }
    let place = ExportPlace(path: params.path, overwrite: params.overwrite, services: services)
    let written = try await place.write {
      (Array(text(of: marks, as: params.format, language: language, catalogue: services.catalogue).utf8), marks.count)
    }
    return Result(path: written.path, data: written.data, marks: written.count)
  }

  private static func text(
    of marks: ExportedMarks, as format: Format, language: Language, catalogue: Catalogue
  ) -> String {
    switch format {
    case .markdown:
      MarkdownMarks(marks: marks) { catalogue.string(for: Text($0, $1), language: language) }.text
    case .w3c: AnnotationCollection(marks: marks).json.description + "\n"
    }
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result { result }
}
