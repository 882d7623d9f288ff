import Contract
import Kit
import PDF
import Store
import Wire

enum ListAttachments: ContentsMethod {
  static let name = "documents/attachments"
  static let summary = "The files embedded in a document: its own, and those attached to pages."
  static let part = WorkerContents.attachments

  struct Attachment: Payload {
    var index: Int
    var name: String
    var note: String?
    var size: Int64?
    var createdAt: Instant?
    var modifiedAt: Instant?
    var page: Int?
    static let example = Attachment(
      index: 0, name: "figures.csv", note: "The figures of table 2", size: 5_120,
      createdAt: Instant(milliseconds: 1_795_225_445_000), modifiedAt: nil, page: nil)
    static let fields = [
      "index": "Its index, for `documents/saveAttachment`.",
      "name": "Its name in the document; may be any text.", "note": "Its description.",
      "size": "Its size in bytes, as the document states.", "createdAt": "Its creation time, as stated.",
      "modifiedAt": "Its modification time, as stated.", "page": "The page that it is attached to, from 0.",
    ]
  }

  struct Result: Payload {
    var items: [Attachment]
    var truncated: Bool?
    static let example = Result(items: [.example], truncated: nil)
    static let fields = [
      "items": "The files, the document's own first.",
      "truncated": "True if there are more than 1,000 files, or more than 5,000 pages to scan.",
    ]
  }

  static func fetch(_ plan: ContentsPlan, with services: Services, progress: Progress) async throws -> EmbeddedFiles {
    try await plan.answer(
      with: services, read: HostileInput.embeddedFiles, write: { $0.write($1) },
      ask: { try await $0.embeddedFiles($1) })
  }

  static func finish(_ files: EmbeddedFiles, of plan: ContentsPlan, in snapshot: Snapshot) throws -> Result {
    func instant(_ seconds: Int64?) -> Instant? { seconds.map { Instant(milliseconds: $0 * 1_000) } }
    return Result(
      items: files.files.enumerated().map { index, file in
        Attachment(
          index: index, name: file.name, note: file.note, size: file.size, createdAt: instant(file.created),
          modifiedAt: instant(file.modified), page: file.page)
      }, truncated: files.isCut ? true : nil)
  }
}
