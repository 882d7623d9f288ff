import Contract
import Display
import Exchange
import FoundationEssentials
import Glibc
import Kit
import Store
import Wire
import Zip

enum ImportEntries: ImportMethod {
  static let name = "diary/import"
  static let summary =
    "Imports entries from a file, in one undo step: all that can be read, or nothing. Importing again creates no "
    + "duplicates. Later edits in the file are imported too; if the same lines were also changed here, the entry keeps "
    + "its text, and `changes/conflicts` lists the file's. Entries deleted from the file stay here."
  static let effects: Effects = [.writes, .files]
  static let doing = Text("doing.importEntries")
  static let errors: [ErrorKind] = [.corrupt, .diskFull, .exists, .notAllowed, .notFound, .tooLarge]

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: ImportFormat?
    var journal: String?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/journal.json", data: nil, format: .jrnl, journal: "Work", dryRun: nil, confirm: nil)
    static let fields = [
      "path":
        "An absolute path; for `markdown` a file, or a folder with everything in it. An edited entry is matched by the "
        + "path and an unchanged key: for `markdown` the file's name; for `sample` and `jrnl` the time, plus the title "
        + "if several share it; for files of `diary/export` the entry's id. If the file was moved or renamed, an "
        + "edited entry is added as new.",
      "data":
        "The file's bytes in base64, instead of a path. Then an edited entry is matched only by the ids of `dayone` "
        + "and of files of `diary/export`; any other is added as new.",
      "format":
        "`sample`: JSON `[{title, body, created_at}]`, with seconds since 1970 or ISO 8601; `jrnl`: its JSON or its "
        + "own text; `dayone`: its JSON zip with photos, videos, sound and PDFs, or a `Journal.json` from it; `markdown`: one file per entry; `jsonl`: the "
        + "format of `diary/export`. Default: detected from the file; `markdown` by its front matter, the extension "
        + "`.md`, or a folder.",
      "journal":
        "The journal of the entries that state none: those of `jrnl`, whose journals are files, `sample` and `markdown` "
        + "without `journal` in the front matter. Those of `dayone` are in the journal that their file is named after.",
      "dryRun": "Only report what would be imported.",
      "confirm": "The `confirm` of a dry run of the same file; required for more than 10,000 entries.",
    ]
    static let limits: [String: FieldLimits] = [
      "path": .form(.absolutePath), "data": FieldLimits(maximumLength: 16 << 20, form: .base64),
      "journal": .length(1...EntryDetails.longest, notBlank: true), "confirm": .length(1...64),
    ]
    static let exactlyOne = [["path", "data"]]
  }

  struct Plan: Sendable {
    var params: Params
    var zone: Zone
    /// As the library writes it.
    var journal: String
    var epoch: String
    var caller: any Caller
  }

  struct Fetched: Sendable {
    var reading: ImportReading
    var format: ImportFormat
    /// Only if needed: it is computed from all entries.
    var confirmation: LargeImport?
  }
  typealias Position = ItemImport<EntryRecord>

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(
      params: params, zone: snapshot.reader.zone,
      journal: try Journals.name(params.journal ?? "", in: snapshot.db),
      epoch: snapshot.services.library.identity.epoch, caller: snapshot.caller)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let start = ImportReading(zone: plan.zone, dayStartsAt: services.days.dayStartsAt)
    let source = plan.params.path ?? "data"
    do {
      let (format, bytes) = try await onThread { _ in
        let bytes = plan.params.data.map { Array(Data(base64Encoded: $0) ?? Data()) }
        let format =
          try plan.params.format
          ?? plan.params.path.map { try ImportFormat.detect(at: $0, limit: ImportReading.fileLimit) }
          ?? ImportFormat.detect(in: bytes ?? [])
        return (format, bytes)
      }
      let knownUUIDs =
        format == .dayone
        ? try await services.library.read(as: plan.caller) { try EntryRecord.idsByUUID(in: $0.db) } : [:]
      let fetched = try await onThread { checkCancelled in
        var reading = start
        reading.journal = plan.journal
        reading.knownUUIDs = knownUUIDs
        let folder = plan.params.path.map(Self.folder)
        reading.files = IncomingFiles(
          in: folder?.path, isFolder: folder?.isWhole == true, isDryRun: plan.params.dryRun == true,
          services: services)
        do {
          if let bytes {
            try reading.read(data: bytes, as: format, checkCancelled: checkCancelled)
          } else if let path = plan.params.path {
            try reading.read(path: path, as: format, checkCancelled: checkCancelled)
          }
        } catch {
          throw RPCError.reading(error, of: source, format: format.rawValue)
        }
        reading.settleOrigins()
        return Fetched(reading: reading, format: format, confirmation: reading.confirmation(of: plan, format: format))
      }
      try fetched.confirmation?.require(
        plan.params.confirm, count: fetched.reading.entries.count, isDryRun: plan.params.dryRun)
      return fetched
    } catch {
      throw RPCError.reading(error, of: source, format: "")
    }
  }

  /// The folder of a file, or the folder itself.
  private static func folder(of path: String) -> (path: String, isWhole: Bool) {
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder ? (path, true) : (parentFolder(of: path), false)
  }

  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: ItemImport<EntryRecord>?, in transaction: Transaction
  ) throws -> Sliced<ItemImport<EntryRecord>, ImportReport> {
    let reading = fetched.reading
    let isDryRun = plan.params.dryRun == true
    var progress = position ?? ItemImport()
    try progress.resume(in: transaction.snapshot)
    while progress.index < reading.entries.count {
      guard transaction.hasRoom else { return .more(progress) }
      let entry = reading.entries[progress.index]
      if !isDryRun { try reading.files?.keep(shownIn: entry.text, in: transaction) }
      try progress.take(entry, isDryRun: isDryRun, in: transaction)
    }
    return .done(
      ImportReport(
        progress.counts, notes: reading.notes, format: fetched.format.rawValue,
        confirm: isDryRun ? fetched.confirmation?.token : nil, for: transaction.reader, services: transaction.services))
  }
}

extension ImportReading {
  /// Computed from the entries: a folder has no bytes of its own, and an archive also contains photos.
  fileprivate func confirmation(of plan: ImportEntries.Plan, format: ImportFormat) -> LargeImport? {
    let params = plan.params
    guard params.dryRun == true || params.confirm != nil || entries.count > LargeImport.unconfirmed else { return nil }
    let content = entries.map { "\($0.id)/\($0.contentID)/\($0.day)" }.joined(separator: "\n")
    return LargeImport(Array(content.utf8), format: format.rawValue, epoch: plan.epoch)
  }

  fileprivate static let fileLimit = MarkdownFolder.limit
  /// Most of an archive is photos and videos, each of which may be as large as a file of the library.
  static let archiveLimit = 64 << 30

  fileprivate mutating func read(path: String, as format: ImportFormat, checkCancelled: @escaping () throws -> Void)
    throws
  {
    source = URL(filePath: path).resolvingSymlinksInPath().path
    var isFolder = false
    if format == .markdown, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
      try MarkdownFolder.each(in: path, checkCancelled: checkCancelled) { relative, number, bytes in
        guard let bytes else { return note(.unreadable, at: ImportNote.Place(file: relative, number: number)) }
        try readMarkdown(bytes, file: relative, number: number, path: source.map { "\($0)/\(relative)" })
      }
    } else if format == .markdown {
      let bytes = try GivenFile(named: path, limit: Self.fileLimit).bytes()
      try readMarkdown(bytes, file: path.split(separator: "/").last.map(String.init), number: 1, path: source)
    } else {
      let given = try GivenFile(named: path, limit: format == .dayone ? Self.archiveLimit : Self.fileLimit)
      if try format == .dayone && given.isZip() {
        let (descriptor, size) = (given.descriptor, given.size)
        try readDayOne { limits, body in
          lseek(descriptor, 0, SEEK_SET)
          let reader = ZipReader(limits: limits, checkCancelled: checkCancelled)
          try reader.forEachEntry(ofDescriptor: descriptor, size: size, body)
        }
      } else {
        guard given.size <= Self.fileLimit else { throw GivenFile.tooLarge(Self.fileLimit) }
        if format == .dayone {
          try readDayOne(given.bytes(), file: nil, journal: Self.journal(ofFile: path))
        } else {
          try read(given.bytes(), as: format)
        }
      }
    }
  }

  fileprivate mutating func read(data: [UInt8], as format: ImportFormat, checkCancelled: @escaping () throws -> Void)
    throws
  {
    guard format == .dayone, GivenFile.isZip(data) else { return try read(data, as: format) }
    try readDayOne { limits, body in
      try ZipReader(limits: limits, checkCancelled: checkCancelled).forEachEntry(of: data, body)
    }
  }
}
