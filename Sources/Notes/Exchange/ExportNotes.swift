import Contract
import Exchange
import Kit
import Store
import Wire

enum ExportNotes: FolderExportMethod {
  static let name = "notes/export"
  static let summary = "Exports notes, as of one state of the library, to a folder or a file."
  static let doing = Text("doing.exportNotes")

  enum Format: String, Choice {
    case markdown, jsonl
  }

  struct Params: FolderExportParams {
    var path: String
    var format: Format
    var overwrite: Bool?
    static let example = Params(path: "/home/ann/notes", format: .markdown, overwrite: nil)
    static let fields = notes([
      "format":
        "`markdown`: a folder with one file per note, named after its title, its id, tags and front matter before its "
        + "text, which is written byte for byte, except that files it shows are in the folder `files`. A note that was imported from a folder is in a folder of that name as "
        + "long as it has it as a tag. `jsonl`: a file with one note per line. `notes/import` reads both."
    ])
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
    var isFolder: Bool { format == .markdown }
  }

  struct Result: Payload {
    var path: String
    var notes: Int
    static let example = Result(path: "/home/ann/notes", notes: 12)
    static let fields = ["path": "The path of the file or folder.", "notes": "The number of notes."]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  /// The notes in the form of their files, and the files that they show.
  static func spool(_ params: Params, of snapshot: Snapshot) throws -> (ExportSpool, FilesBeside) {
    var names = NoteFile.Names()
    // Only the ids first: all notes together may exceed the memory.
    let ids = try snapshot.db.texts("SELECT id FROM note ORDER BY createdAt, id", [])
    var beside = FilesBeside(snapshot.services.blobs)
    let spool = try ExportSpool(services: snapshot.services) { add in
      for id in ids {
        let note = try snapshot.get(NoteRecord.self, id: id)
        let revision = try FileRevision(of: note, in: snapshot)
        switch params.format {
        case .markdown:
          let name = try names.name(of: note)
          let depth = name.count { $0 == "/" }
          let text = try beside.exported(note.text, depth: depth, in: snapshot)
          try add(name, NoteFile(note, as: revision, text: text).bytes)
        case .jsonl: try add("", Array("\(line(of: note, as: revision))\n".utf8))
        }
      }
    }
    return (spool, beside)
  }

  static func finish(_ exported: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(path: plan.params.path, notes: exported.count)
  }

  private static func line(of note: NoteRecord, as revision: FileRevision) -> JSONValue {
    [
      "id": .string(note.id), "revision": .integer(revision.number), "epoch": .string(revision.history ?? ""),
      "createdAt": .string(note.createdAt.description), "text": .string(note.text),
      "tags": .array(note.tags.map { .string($0) }), "frontMatter": .string(note.frontMatter),
    ]
  }
}
