import Contract
import Display
import Exchange
import Glibc
import Kit
import PDF
import Store
import Wire

enum ExportDocument: ExportMethod {
  static let name = "documents/export"
  static let summary =
    "Exports a document's marks for other programs, or a copy of the file with them as PDF annotations. It reflects "
    + "one state of the library."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportDocument")
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .exists, .notAllowed, .diskFull, .tooLarge, .signed, .passwordRequired,
    .workerCrashed,
    .sandboxUnavailable, .timedOut,
    .corrupt,
  ]

  enum Format: String, Choice {
    case markdown, w3c, pdf
  }

  struct Params: ExportParams {
    var id: DocumentID
    var format: Format
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var pictures: Bool?
    var confirm: String?
    var password: String?
    static let example = Params(
      id: "0192", format: .pdf, path: "/home/ann/R-lang-marked.pdf", inline: nil, overwrite: nil,
      pictures: nil, confirm: nil, password: nil)
    static let fields = notes([
      "id": "The document.",
      "format":
        "`markdown`: quotes by page with notes, memos, bookmarks and stable links; `w3c`: W3C Web Annotations "
        + "(JSON-LD) with page, quote and position selectors; `pdf`: a copy of the file with annotations that any PDF "
        + "viewer shows.",
      "pictures": "For `markdown`: includes the pictures of areas, as data URLs. Default false.",
      "confirm": "For a copy of a signed file: the `confirm` from the error `signed`.",
      "password": "The password of a protected document; stored in memory only.",
    ])
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath), "confirm": .length(1...64)]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var marks: Int?
    var size: Int64?
    var hash: String?
    var added: Int?
    var changed: Int?
    var present: Int?
    var unplaced: Int?
    static let example = Result(
      path: "/home/ann/R-lang-marked.pdf", data: nil, marks: nil, size: 260_100,
      hash: String(repeating: "0", count: 64), added: 4, changed: 0, present: 0, unplaced: 0)
    static let fields = [
      "path": "The path of the file.", "data": "The bytes in base64.",
      "marks": "The number of marks in it; absent for a copy.",
      "size": "For a copy: its size in bytes.", "hash": "For a copy: its SHA-256.",
      "added": "For a copy: the number of marks added to those of the file.",
      "changed": "For a copy: the number of the file's annotations updated from the library.",
      "present": "For a copy: the number of marks that the file already had.",
      "unplaced": "For a copy: the number of marks omitted for lack of a place, including orphans.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: FeatureCaller
    var copy: PDFCopy?
    /// The source of the text of a protected document's highlights.
    var supply: PageTextSupply
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    try ExportPlace.require(params)
    _ = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let copy =
      params.format == .pdf ? try PDFCopy(of: params.id.text, password: params.password, in: snapshot) : nil
    let supply = try PageTextSupply.plan(params.id.text, password: params.password, in: snapshot)
    return Plan(params: params, caller: snapshot.feature, copy: copy, supply: supply)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    if let copy = plan.copy { return try await write(copy, as: plan.params, with: services, progress: progress) }
    let params = plan.params
    let language = plan.caller.reader.language
    let marks = try await marks(of: plan, with: services)
    let place = ExportPlace(params, services: services)
    let written = try await place.write(progress) {
      let pictures =
        params.pictures == true && params.format == .markdown ? try marks.pictures(in: services.blobs) : [:]
      let text = text(
        of: marks, as: params.format, pictures, language: language, catalogue: services.catalogue)
      return (Array(text.utf8), marks.count)
    }
    return Result(path: written.path, data: written.data, marks: written.count)
  }

  /// With all their words: an empty quote would be a disguised error.
  private static func marks(of plan: Plan, with services: Services) async throws -> ExportedMarks {
    let (id, document) = (plan.params.id.text, plan.supply.document)
    let marks = try await services.library.read(as: plan.caller) { try ExportedMarks(of: id, in: $0) }
    let locked = marks.lockedPages
    // A password is checked even if it is not needed: a wrong one is refused.
    let pages = locked.isEmpty && !plan.supply.password.isProven ? Array(marks.pages.prefix(1)) : locked
    guard !pages.isEmpty else { return marks }
    do {
      try await plan.supply.take(pages, with: services)
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: document.title)
    }
    let read = try await services.library.read(as: plan.caller) { try ExportedMarks(of: id, in: $0) }
    if let page = read.lockedPages.first {
      throw RPCError(WorkerFailure.pageUnavailable(page: page), source: document.title)
    }
    return read
  }

  private static func text(
    of marks: ExportedMarks, as format: Format, _ pictures: [String: String], language: Language,
    catalogue: Catalogue
  ) -> String {
    format == .w3c
      ? AnnotationCollection(marks: marks).json.description + "\n"
      : MarkdownMarks(marks: marks, pictures: pictures) {
        catalogue.string(for: Text($0, $1), language: language)
      }.text
  }

  /// For a reply the copy is first written beside the library: a worker's output is checked in a file.
  private static func write(
    _ copy: PDFCopy, as params: Params, with services: Services, progress: Progress
  ) async throws -> Result {
    let path = params.path ?? services.folder.parts + "/" + services.newID() + ".tmp"
    defer { if params.path == nil { unlink(path) } }
    // The client has not named the file beside the library.
    let confinement = params.path == nil ? nil : FileConfinement.current
    let written = try await FileConfinement.$current.withValue(confinement) {
      try await copy.write(
        to: path, overwrite: params.overwrite ?? false, confirm: params.confirm, with: services, progress: progress)
    }
    let data = params.path == nil ? try await InlineBytes.base64(of: path, progress) : nil
    return Result(
      path: params.path, data: data, size: written.size, hash: written.hash, added: written.added,
      changed: written.changed, present: written.present, unplaced: written.unplaced)
  }
}
