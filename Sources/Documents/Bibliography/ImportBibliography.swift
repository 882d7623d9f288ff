import Contract
import Exchange
import Kit
import Store
import Wire

enum ImportBibliography: ImportMethod {
  static let name = "documents/importBibliography"
  static let summary =
    "Imports a file of BibTeX, RIS or CSL-JSON as the bibliographies of documents in the library, in one undo step. An "
    + "entry finds its document by the file that it names, by DOI, or by title. Its keywords and groups become tags. "
    + "Imported again, it changes what has changed in the file and not here. Entries without a document are added as "
    + "references with `add`; else they are listed in `notes`, as are those that differ from your bibliography."
  static let effects: Effects = [.writes, .files]
  static let doing = Text("doing.importBibliography")

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: CitationFormat?
    var retitle: Bool?
    var add: Bool?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/My Library/My Library.bib", data: nil, format: .bibtex, retitle: nil, add: true, dryRun: nil,
      confirm: nil)
    static let fields = GivenImport.notes(
      format:
        "`bibtex`, as Zotero, JabRef and Mendeley export it, best with files; `ris`; `csl`: CSL-JSON. Default: detected "
        + "from the beginning.", items: "entries"
    ).merging([
      "retitle": "`true`: the documents get the titles of their entries.",
      "add":
        "`true`: an entry of which no document is here is added as a document without a file, whose state is `noFile`. "
        + "`documents/add` recognises its file later; `documents/refresh` sets any.",
    ]) { $1 }
    static let limits = GivenImport.limits
    static let exactlyOne = GivenImport.exactlyOne
  }
  typealias Plan = ImportPlan<Params>

  struct Fetched: Sendable {
    var file: BibliographyFile
    /// The SHA-256 of the files of each entry, as far as they could be read.
    var hashes: [[String]]
    var format: BibliographyFile.Format
    var confirmation: LargeImport
  }
  typealias Position = BibliographyImport

  private static let fileLimit = 64 << 20
  /// The largest file that an entry names and that is read, in bytes.
  private static let documentLimit = 1 << 30

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let params = plan.params
    let given = GivenImport(
      path: params.path, data: params.data, limit: fileLimit, format: params.format?.rawValue ?? "bibtex")
    let folder = params.path.map(parentFolder(of:))
    let fetched = try await given.read { bytes, checkCancelled in
      let named = params.format.flatMap { BibliographyFile.Format(rawValue: $0.rawValue) }
      guard let format = named ?? BibliographyFile.format(of: bytes) else { throw WrongFormat(reason: "noEntries") }
      let file = try BibliographyFile(bytes, as: format, checkCancelled: checkCancelled)
      let hashes = try file.entries.map { entry in
        try entry.paths(in: folder).compactMap { path in
          try checkCancelled()
          return hash(of: path)
        }
      }
      return Fetched(
        file: file, hashes: hashes, format: format,
        confirmation: LargeImport(bytes, format: format.rawValue, epoch: plan.epoch))
    }
    try fetched.confirmation.require(params.confirm, count: fetched.file.entries.count, isDryRun: params.dryRun)
    return fetched
  }

  /// The SHA-256 of a file; nil if it is missing or no PDF.
  private static func hash(of path: String) -> String? {
    guard path.lowercased().hasSuffix(".pdf"),
      let file = try? GivenFile(named: path, limit: documentLimit, followingLinks: false)
    else { return nil }
    return try? Blobs.hash(descriptor: file.descriptor, path: path).hash
  }

  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: BibliographyImport?, in transaction: Transaction
  ) throws -> Sliced<BibliographyImport, ImportReport> {
    var progress =
      try position
      ?? BibliographyImport(
        as: fetched.format, from: plan.params.path, retitles: plan.params.retitle == true,
        addsMissing: plan.params.add == true, in: transaction.snapshot)
    let isDryRun = plan.params.dryRun == true
    while progress.index < fetched.file.entries.count {
      guard transaction.hasRoom else { return .more(progress) }
      let index = progress.index
      try progress.take(fetched.file.entries[index], fetched.hashes[index], isDryRun: isDryRun, in: transaction)
    }
    return .done(
      ImportReport(
        progress.counts, notes: fetched.file.notes, inOrder: true, format: fetched.format.rawValue,
        confirm: isDryRun ? fetched.confirmation.token : nil, for: transaction.reader,
        services: transaction.services))
  }
}
