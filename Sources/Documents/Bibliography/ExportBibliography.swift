import Contract
import Exchange
import Kit
import SQLite
import Store
import Wire

enum ExportBibliography: ExportMethod {
  static let name = "documents/exportBibliography"
  static let summary =
    "Exports the bibliographies of all documents that have one (`bibtex`, `ris`, `csl`), in order of addition, as of "
    + "one library state."
  static let since = 1
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportBibliography")
  static let errors: [ErrorKind] = [.exists, .diskFull, .notAllowed, .notFound, .tooLarge]

  struct Params: ExportParams {
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var format: CitationFormat
    var tag: String?
    static let example = Params(
      path: "/home/ann/library.bib", inline: nil, overwrite: nil, format: .bibtex, tag: nil)
    static let fields = notes([
      "format": CitationFormat.note,
      "tag": "Only documents with this tag or one below it (`a/b` for `a`), ignoring case, width and composition.",
    ])
    static let limits: [String: FieldLimits] = [
      "path": .form(.absolutePath), "tag": .length(1...TagList.longest, notBlank: true),
    ]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var documents: Int
    static let example = Result(path: "/home/ann/library.bib", data: nil, documents: 12)
    static let fields = [
      "path": "The path of the file.", "data": "The file in base64.",
      "documents": "The number of documents with a bibliography.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  typealias Plan = ExportPlan<Params>

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let params = plan.params
    let items = try await services.library.read(as: plan.caller) { snapshot in
      var (condition, values): (String, [SQLValue]) = ("WHERE bibliography IS NOT NULL", [])
      if let tag = params.tag {
        let tagged = DocumentSearch.tags.condition(of: tag.trimmingBlanks())
        condition += " AND (\(tagged.sql))"
        values = tagged.values
      }
      return try DocumentRecord.all(in: snapshot.db, condition + " ORDER BY createdAt, id", values)
        .compactMap { document in
          var item = try document.item()
          item?.add(try DocumentProperties.read(document.properties))
          return item
        }
    }
    let written = try await ExportPlace(params, services: services).write(progress) {
      (Array(Bibliography.text(of: items, as: params.format).utf8), items.count)
    }
    return Result(path: written.path, data: written.data, documents: written.count)
  }
}
