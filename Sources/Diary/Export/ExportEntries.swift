import Contract
import Exchange
import Kit
import Store
import Wire

enum ExportEntries: FolderExportMethod {
  static let name = "diary/export"
  static let summary = "Exports entries, as of one state of the library, to a folder or a file."
  static let doing = Text("doing.exportEntries")

  enum Format: String, Choice {
    case markdown, jsonl, dayone, html
  }

  struct Params: FolderExportParams {
    var path: String
    var format: Format
    var overwrite: Bool?
    var from: CalendarDay?
    var to: CalendarDay?
    var journal: String?
    static let example = Params(
      path: "/home/ann/diary", format: .markdown, overwrite: nil, from: nil, to: nil, journal: nil)
    static let fields = notes([
      "format":
        "`markdown`: a folder with one file per entry, its id, day, times, tags, star and journal, place, coordinates, weather, mood and further lines as front matter and its text byte for "
        + "byte, except that files it shows are in the folder `files`; `jsonl`: a file with one entry per line; `dayone`: a zip "
        + "for Day One, with a file for each journal and the photos, videos, sound and PDFs that the entries show; `html`: a folder with `diary.html`, a book of the entries "
        + "by month and day for reading and printing, and the files. `diary/import` reads all but `html`.",
      "from": "The first day. Default: the earliest.", "to": "The last day. Default: the latest.",
      "journal": "Only entries of this journal; with an empty text those of none. Default: all.",
    ])
    static let limits: [String: FieldLimits] = [
      "path": .form(.absolutePath), "journal": .length(0...EntryDetails.longest),
    ]
    var isFolder: Bool { [.markdown, .html].contains(format) }
  }

  struct Result: Payload {
    var path: String
    var entries: Int
    var filesLeftOut: Int?
    static let example = Result(path: "/home/ann/diary", entries: 12, filesLeftOut: nil)
    static let fields = [
      "path": "The path of the file or folder.", "entries": "The number of entries.",
      "filesLeftOut":
        "With `dayone`, the number of files that entries show and Day One has no place for, such as archives, or that only "
        + "another device has; absent for none.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  /// The files that exported entries show.
  struct ShownFiles: Sendable {
    var beside: FilesBeside
    private var mediaByID: [String: FileRecord] = [:]
    var media: [FileRecord] { Array(mediaByID.values) }
    /// The ids of those that Day One has no place for.
    var leftOut: Set<String> = []
    /// The beginning of a book; empty in other formats.
    var bookHead = ""

    let blobs: Blobs

    init(_ blobs: Blobs) { (beside, self.blobs) = (FilesBeside(blobs), blobs) }

    /// The library's files that a text shows, by id.
    mutating func files(in text: String, _ snapshot: Snapshot) throws -> [String: FileRecord] {
      let files = try FilesBeside.files(in: text, snapshot)
      let media = files.filter { DayOneEntry.Kind(of: $0.value) != nil }
      mediaByID.merge(media) { $1 }
      if text.utf8.contains(UInt8(ascii: "(")) {
        leftOut.formUnion(FileEmbeds.hashes(in: text).filter { media[$0] == nil })
      }
      return media
    }
  }

  static func write(
    _ spool: ExportSpool, beside shown: ShownFiles, _ plan: Plan, to export: FileExport, _ progress: Progress,
    checkCancelled: () throws -> Void
  ) throws {
    switch plan.params.format {
    case .markdown: try export.writeFolder(spool, beside: shown.beside, progress, checkCancelled: checkCancelled)
    case .jsonl: try export.writeFile(spool, progress, checkCancelled: checkCancelled)
    case .html:
      try DiaryBook.write(
        spool, below: shown.bookHead, beside: shown.beside, to: export, progress, checkCancelled: checkCancelled)
    case .dayone:
      let media = shown.media.sorted { $0.id < $1.id }
      try DayOneArchive(spool: spool, files: media, blobs: shown.blobs)
        .write(to: export, progress, checkCancelled: checkCancelled)
    }
  }

  /// The entries in the form of their files, and the files that they show.
  static func spool(_ params: Params, of snapshot: Snapshot) throws -> (ExportSpool, ShownFiles) {
    // Only the ids first: all entries together may exceed the memory.
    let journal = try params.journal.map { try Journals.condition(of: $0, in: snapshot.db) }
    let order = params.format == .dayone ? "fold(journal), day, writtenAt, id" : "day, writtenAt, id"
    let ids = try snapshot.db.texts(
      "SELECT id FROM diaryEntry WHERE day BETWEEN ? AND ? AND \(journal?.sql ?? "1") ORDER BY \(order)",
      [.text(params.from?.description ?? "0001-01-01"), .text(params.to?.description ?? "9999-12-31")]
        + (journal?.values ?? []))
    let exported = params.format == .dayone ? EntryRecord.uuids(of: ids) : [:]
    var shown = ShownFiles(snapshot.services.blobs)
    var names = DayOneArchive.Names()
    var book = DiaryBook(for: snapshot)
    if params.format == .html { shown.bookHead = book.head }
    let spool = try ExportSpool(services: snapshot.services) { add in
      for id in ids {
        let record = try snapshot.get(EntryRecord.self, id: id)
        let revision = try FileRevision(of: record, in: snapshot)
        switch params.format {
        case .markdown:
          let text = try shown.beside.exported(record.text, in: snapshot)
          try add(MarkdownFile.name(of: record), MarkdownFile(record, as: revision, text: text).bytes)
        case .html:
          let text = try shown.beside.exported(record.text, in: snapshot)
          try add("", Array(book.page(of: record, text: text).utf8))
        case .jsonl: try add("", Array("\(line(of: record, as: revision))\n".utf8))
        case .dayone:
          let entry = DayOneEntry(record, as: revision, files: try shown.files(in: record.text, snapshot))
          try add(names.file(of: record.details.journal), Array("\(entry.json(among: exported))".utf8))
        }
      }
    }
    return (spool, shown)
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let leftOut = fetched.beside.leftOut.count
    return Result(path: plan.params.path, entries: fetched.count, filesLeftOut: leftOut > 0 ? leftOut : nil)
  }

  private static func line(of record: EntryRecord, as revision: FileRevision) -> JSONValue {
    var line: JSONObject = [
      "id": .string(record.id), "revision": .integer(revision.number), "epoch": .string(revision.history ?? ""),
      "day": .string(record.day.description), "timeZone": .string(record.timeZone),
      "writtenAt": .string(record.writtenAt.description),
      "text": .string(record.text),
    ]
    if !record.tags.isEmpty { line["tags"] = .array(record.tags.map { .string($0) }) }
    if record.isStarred { line["starred"] = true }
    for (name, text) in record.details.stated { line[name] = .string(text) }
    if !record.frontMatter.isEmpty { line["frontMatter"] = .string(record.frontMatter) }
    return .object(line)
  }
}
