import Contract
import Exchange
import Kit
import Store
import Wire

enum ExportEntries: FolderExportMethod {
  static let name = "diary/export"
  static let summary = "Exports entries, as of one state of the library, to a folder or a file."
  static let since = 1
  static let doing = Text("doing.exportEntries")

  enum Format: String, Choice {
    case markdown, jsonl
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
        "`markdown`: a folder with one file per entry, its id, day, times, tags, star and journal, place, coordinates, weather and mood as front matter and its text byte for "
        + "byte, except that files it shows are in the folder `files`; `jsonl`: a file with one entry per line. `diary/import` reads both.",
      "from": "The first day. Default: the earliest.", "to": "The last day. Default: the latest.",
      "journal": "Only entries of this journal; with an empty text those of none. Default: all.",
    ])
    static let limits: [String: FieldLimits] = [
      "path": .form(.absolutePath), "journal": .length(0...EntryDetails.longest),
    ]
    var isFolder: Bool { format == .markdown }
  }

  struct Result: Payload {
    var path: String
    var entries: Int
    static let example = Result(path: "/home/ann/diary", entries: 12)
    static let fields = ["path": "The path of the file or folder.", "entries": "The number of entries."]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  /// The entries in the form of their files, and the files that they show.
  static func spool(_ params: Params, of snapshot: Snapshot) throws -> (ExportSpool, FilesBeside) {
    // Only the ids first: all entries together may exceed the memory.
    let journal = try params.journal.map { try Journals.condition(of: $0, in: snapshot.db) }
    let ids = try snapshot.db.texts(
      "SELECT id FROM diaryEntry WHERE day BETWEEN ? AND ? AND \(journal?.sql ?? "1") ORDER BY day, writtenAt, id",
      [.text(params.from?.description ?? "0001-01-01"), .text(params.to?.description ?? "9999-12-31")]
        + (journal?.values ?? []))
    var beside = FilesBeside(snapshot.services.blobs)
    let spool = try ExportSpool(services: snapshot.services) { add in
      for id in ids {
        let record = try snapshot.get(EntryRecord.self, id: id)
        let revision = try FileRevision(of: record, in: snapshot)
        switch params.format {
        case .markdown:
          let text = try beside.exported(record.text, in: snapshot)
          try add(MarkdownFile.name(of: record), MarkdownFile(record, as: revision, text: text).bytes)
        case .jsonl: try add("", Array("\(line(of: record, as: revision))\n".utf8))
        }
      }
    }
    return (spool, beside)
  }

  static func finish(_ count: Int, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(path: plan.params.path, entries: count)
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
    return .object(line)
  }
}
