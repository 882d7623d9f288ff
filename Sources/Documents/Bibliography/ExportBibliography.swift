import Contract
import Exchange
import Glibc
import Kit
import SQLite
import Store
import Wire

enum ExportBibliography: ExportMethod {
  static let name = "documents/exportBibliography"
  static let summary =
    "Exports the bibliographies of all documents that have one (`bibtex`, `ris`, `csl`), in order of addition, as of "
    + "one library state. With `files` also their PDFs, for Zotero and other programs."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportBibliography")

  struct Params: ExportParams {
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var format: CitationFormat
    var tag: String?
    var files: Bool?
    static let example = Params(
      path: "/home/ann/library.bib", inline: nil, overwrite: nil, format: .bibtex, tag: nil, files: nil)
    static let fields = notes([
      "format": CitationFormat.note,
      "tag": "Only documents with this tag or one below it (`a/b` for `a`), ignoring case, width and composition.",
      "files":
        "`true`: `path` is a new folder for the PDFs and for `library.bib` or `library.ris`, whose entries name them. Not "
        + "for `csl`, which has no place for a file.",
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

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    try ExportPlace.require(params)
    if params.files == true {
      guard params.path != nil, params.format != .csl else {
        throw RPCError.invalidParams(field: "files", reason: Text("param.invalid"))
      }
      guard params.overwrite != true else {
        throw RPCError.invalidParams(field: "overwrite", reason: Text("file.folderStays"))
      }
    }
    return Plan(params: params, caller: snapshot.caller)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let params = plan.params
    let entries = try await services.library.read(as: plan.caller) { snapshot in
      var (condition, values): (String, [SQLValue]) = ("WHERE bibliography IS NOT NULL", [])
      if let tag = params.tag {
        let tagged = DocumentSearch.tags.condition(of: tag.trimmingBlanks())
        condition += " AND (\(tagged.sql))"
        values = tagged.values
      }
      return try DocumentRecord.all(in: snapshot.db, condition + " ORDER BY createdAt, id", values)
        .compactMap { document -> Entry? in
          guard var item = try document.item() else { return nil }
          item.add(try DocumentProperties.read(document.properties))
          // A file that only another device has cannot be written.
          let isHere = try params.files == true && !BlobsElsewhere.contains(document.hash, in: snapshot.db)
          return Entry(item: item, hash: isHere ? document.hash : nil)
        }
    }
    if params.files == true, let path = params.path {
      return try await write(entries, as: params.format, into: path, with: services)
    }
    let items = entries.map(\.item)
    let written = try await ExportPlace(params, services: services).write(progress) {
      (Array(Bibliography.text(of: items, as: params.format).utf8), items.count)
    }
    return Result(path: written.path, data: written.data, documents: written.count)
  }

  private struct Entry: Sendable {
    var item: CSLItem
    /// Of its file, if that is exported.
    var hash: String?
  }

  /// Writes `library.bib` and the PDFs, each in a folder of its own: `files/1/knuth1974.pdf`.
  private static func write(
    _ entries: [Entry], as format: CitationFormat, into path: String, with services: Services
  ) async throws -> Result {
    let export = FileExport(to: path, services: services)
    // A linked file that is not at its place cannot be written either.
    var found: [String?] = []
    for entry in entries {
      var source: String?
      do {
        if let hash = entry.hash { source = try await services.source(of: hash).path }
      } catch let error as RPCError where error.kind == .noFile {}
      found.append(source)
    }
    let sources = found
    do {
      try await onThread { checkCancelled in
        try export.writeFolder(checkCancelled: checkCancelled) { folder in
          func make(_ name: String) throws {
            guard mkdir("\(folder)/\(name)", 0o700) == 0 else { throw FileFailure(path: "\(folder)/\(name)", errno) }
          }
          var files: [String?] = Array(repeating: nil, count: entries.count)
          try make("files")
          for (index, entry) in entries.enumerated() {
            try checkCancelled()
            guard let path = sources[index] else { continue }
            let inner = "files/\(index + 1)"
            let file = "\(inner)/\(plain(entry.item["id"] ?? "")).pdf"
            try make(inner)
            let source = try GivenFile(opening: path, limit: .max)
            let output = try NewFile(at: "\(folder)/\(file)")
            try source.forEachPart { try output.write($0) }
            files[index] = file
          }
          let text = Bibliography.text(of: entries.map(\.item), as: format, files: files)
          let ending = format == .ris ? "ris" : "bib"
          try NewFile(at: "\(folder)/library.\(ending)").write(Array(text.utf8))
        }
      }
    } catch let failure as FileFailure {
      throw RPCError(writing: failure)
    }
    return Result(path: path, data: nil, documents: entries.count)
  }

  /// A key as the name of a file that no format has to escape.
  private static func plain(_ key: String) -> String {
    let plain = key.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    return plain.isEmpty ? "document" : String(plain.prefix(100))
  }
}
