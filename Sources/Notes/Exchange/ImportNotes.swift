import Contract
import Exchange
import FoundationEssentials
import Kit
import Store
import Wire

enum ImportNotes: ImportMethod {
  static let name = "notes/import"
  static let summary =
    "Imports notes from a file or a folder, such as a vault of Obsidian or a graph of Logseq, in one undo step: all that "
    + "can be read, or nothing. Importing again creates no duplicates. Later edits in the files are imported too; if the "
    + "same lines were also changed here, the note keeps its text, and `changes/conflicts` lists the file's. Notes "
    + "deleted from the folder stay here."
  static let effects: Effects = [.writes, .files]
  static let doing = Text("doing.importNotes")

  enum Format: String, Choice {
    case markdown, jsonl, eml
  }

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: Format?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/vault", data: nil, format: .markdown, dryRun: nil, confirm: nil)
    static let fields = GivenImport.notes(
      format: "`markdown`: a note per file; `jsonl`: a note per line. Both as `notes/export` writes them. `eml`: a "
        + "mail message with its attachments as one note, which is matched by the message's id. Default: `jsonl` for a "
        + "name that ends in `.jsonl`, `eml` for `.eml`, else `markdown`.",
      items: "notes"
    ).merging([
      "path":
        "An absolute path: a file, or a folder with everything in it. The name of a file becomes the first line, "
        + "unless the text begins with it; folders and `#tags` become tags; front matter is stored for the export; "
        + "`[[links]]` lead to the notes; pictures and other files of the folder that notes show are "
        + "stored. A note is matched by the path of its file, for files of `notes/export` by its id."
    ]) { $1 }
    static let limits = GivenImport.limits
    static let exactlyOne = GivenImport.exactlyOne
  }
  typealias Plan = ImportPlan<Params>

  struct Fetched: Sendable {
    var reading: NoteReading
    var format: Format
    /// Only if needed: it is computed from all notes.
    var confirmation: LargeImport?
  }
  typealias Position = ItemImport<NoteRecord>

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let params = plan.params
    let name = params.path?.lowercased() ?? ""
    let usual: Format = name.hasSuffix(".jsonl") ? .jsonl : name.hasSuffix(".eml") ? .eml : .markdown
    let format = params.format ?? usual
    do {
      let reading = try await onThread { try read(params, as: format, with: services, checkCancelled: $0) }
      let fetched = Fetched(
        reading: reading, format: format, confirmation: confirmation(of: reading, as: format, plan))
      try fetched.confirmation?.require(params.confirm, count: reading.notes.count, isDryRun: params.dryRun)
      return fetched
    } catch {
      throw RPCError.reading(error, of: params.path ?? "data", format: format.rawValue)
    }
  }

  /// Computed from the notes, since a folder has no bytes of its own.
  private static func confirmation(of reading: NoteReading, as format: Format, _ plan: Plan) -> LargeImport? {
    let params = plan.params
    guard params.dryRun == true || params.confirm != nil || reading.notes.count > LargeImport.unconfirmed else {
      return nil
    }
    let hashes = reading.notes.map { note in
      "\(note.item.id)/\(Blobs.hash(of: JSONWriter.bytes(of: .object(note.item.given))))"
    }
    return LargeImport(Array(hashes.joined(separator: "\n").utf8), format: format.rawValue, epoch: plan.epoch)
  }

  private static func read(
    _ params: Params, as format: Format, with services: Services, checkCancelled: @escaping () throws -> Void
  ) throws -> NoteReading {
    var reading = NoteReading()
    let resolved = params.path.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    var isFolder = false
    if format == .markdown, let path = params.path, let resolved,
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder
    {
      reading.files = IncomingFiles(
        in: path, isFolder: true, isDryRun: params.dryRun == true, services: services)
      try reading.read(folder: path, resolved: resolved, checkCancelled: checkCancelled)
      return reading
    }
    let bytes =
      if let path = params.path {
        try GivenFile(named: path, limit: format == .eml ? NoteMail.limit : MarkdownFolder.limit).bytes()
      } else {
        Array(Data(base64Encoded: params.data ?? "") ?? Data())
      }
    try checkCancelled()
    switch format {
    case .markdown:
      let folder = params.path.map { parentFolder(of: $0) }
      reading.files = IncomingFiles(
        in: folder, isFolder: false, isDryRun: params.dryRun == true, services: services)
      try reading.read(bytes, file: params.path?.split(separator: "/").last.map(String.init), path: resolved)
    case .eml:
      reading.files = IncomingFiles(in: nil, isFolder: false, isDryRun: params.dryRun == true, services: services)
      try reading.read(mail: bytes, checkCancelled: checkCancelled)
    case .jsonl:
      reading.read(try ItemFile(bytes, as: .jsonl, checkCancelled: checkCancelled), path: resolved)
    }
    return reading
  }

  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, ImportReport> {
    let (notes, isDryRun) = (fetched.reading.notes, plan.params.dryRun == true)
    var items = position ?? Position()
    try items.resume(in: transaction.snapshot)
    while items.index < notes.count {
      guard transaction.hasRoom else { return .more(items) }
      let note = notes[items.index]
      if !isDryRun {
        try fetched.reading.files?.keep(shownIn: note.item.given["text"]?.stringValue ?? "", in: transaction)
      }
      try take(note, isDryRun: isDryRun, &items, in: transaction)
      items.index += 1
    }
    return .done(
      ImportReport(
        items.counts, notes: fetched.reading.problems, format: fetched.format.rawValue,
        confirm: isDryRun ? fetched.confirmation?.token : nil, for: transaction.reader, services: transaction.services))
  }

  private static func take(
    _ note: NoteReading.Note, isDryRun: Bool, _ items: inout Position, in transaction: Transaction
  ) throws {
    var item = note.item
    if !note.isOwn { item.id = try id(of: note, isDryRun: isDryRun, in: transaction) }
    let key = ItemKey(collection: NoteRecord.collectionName, id: item.id)
    let isKnown = try transaction.snapshot.holds(key)
    try items.take(item, from: note.path, isDryRun: isDryRun, in: transaction)
    // A file of ours is named after the note that is here.
    guard !isDryRun, !note.names.isEmpty, !(note.isOwn && isKnown), try transaction.snapshot.holds(key) else { return }
    try transaction.addNames(note.names, to: key)
  }

  private static let withPath =
    "SELECT id FROM note WHERE taken IS NOT NULL AND json_extract(taken, '$.path') = ? LIMIT 1"
  private static let withText =
    "SELECT id FROM note WHERE fold(title) = fold(?) AND text = ? AND revision < ? ORDER BY createdAt, id LIMIT 1"

  /// The id of the note that was imported from this file, or of one with the same text: the file was moved, or the note
  /// was imported without a path. Then this is its file from now on.
  private static func id(
    of note: NoteReading.Note, isDryRun: Bool, in transaction: Transaction
  ) throws -> String {
    let (db, snapshot) = (transaction.db, transaction.snapshot)
    if let path = note.path, let id = try db.first(withPath, [.text(path)], { $0.text(0) }) { return id }
    if try snapshot.find(NoteRecord.self, id: note.item.id) != nil { return note.item.id }
    let text = note.item.given["text"]?.stringValue ?? ""
    let same = try db.first(
      withText, [.text(NoteText.title(of: text)), .text(text), .integer(transaction.clock)]
    ) { $0.text(0) }
    guard let same else { return note.item.id }
    if !isDryRun {
      let known = try snapshot.get(NoteRecord.self, id: same)
      try transaction.noteFile(of: ImportDecision(.noteFile, of: known), at: note.item.revision, from: note.path)
    }
    return same
  }
}
