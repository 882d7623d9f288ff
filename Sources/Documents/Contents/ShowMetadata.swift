import Contract
import Display
import Kit
import PDF
import Store
import Wire

enum ShowMetadata: ContentsMethod {
  static let name = "documents/metadata"
  static let summary = "The metadata of the file: title, authors, dates, programs, permissions, fonts, XMP."
  static let part = WorkerContents.metadata

  enum Layout: String, Choice {
    case singlePage, oneColumn, twoColumnLeft, twoColumnRight, twoPageLeft, twoPageRight
  }

  enum Mode: String, Choice {
    case none, outlines, thumbnails, fullScreen, layers, attachments
  }

  enum Permission: String, Choice {
    case print, modify, copy, annotate, fillForms, extractForAccess, assemble, printFinely
  }

  struct Font: Payload {
    var name: String
    var type: String
    var embedded: Bool
    var subset: Bool
    static let example = Font(name: "NimbusRomNo9L-Regu", type: "Type 1C", embedded: true, subset: true)
    static let fields = [
      "name": "The name in the file.", "type": "The type, such as `Type 1`, `TrueType`, `CID Type 0C`.",
      "embedded": "Whether it is embedded in the file.", "subset": "Whether only the glyphs in use are embedded.",
    ]
  }

  struct Display: Payload {
    var created: String?
    var modified: String?
    static let example = Display(created: "21 Nov 2026", modified: nil)
    static let fields = ["created": "The day when it was created.", "modified": "The day when it was last modified."]
  }

  struct Result: Payload {
    var title: String?
    var author: String?
    var subject: String?
    var keywords: String?
    var creator: String?
    var producer: String?
    var createdAt: Instant?
    var modifiedAt: Instant?
    var version: String?
    var standard: String?
    var layout: Layout?
    var mode: Mode?
    var linearized: Bool
    var tagged: Bool
    var scripts: Bool
    var encrypted: Bool
    var permissions: [Permission]
    var signatures: Int
    var attachments: Int
    var fonts: [Font]
    var xmp: String?
    var display: Display

    static let example = Result(
      title: "R Language Definition", author: "R Core Team", subject: nil, keywords: nil,
      creator: "LaTeX with hyperref",
      producer: "pdfTeX-1.40.24", createdAt: Instant(milliseconds: 1_795_225_445_000), modifiedAt: nil,
      version: "PDF-1.5", standard: nil, layout: nil, mode: .outlines, linearized: false, tagged: false, scripts: false,
      encrypted: false, permissions: Permission.allCases, signatures: 0, attachments: 0, fonts: [.example], xmp: nil,
      display: .example)
    static let fields = [
      "title": "The file's own title; the library's may differ.", "author": "Its authors, as in the file.",
      "subject": "Its subject.", "keywords": "Its keywords, as in the file.",
      "creator": "The program that it was written with.", "producer": "The program that made the PDF.",
      "createdAt": "Its creation time, as the file states.", "modifiedAt": "Its modification time, as stated.",
      "version": "The version of the PDF format.",
      "standard": "PDF/A, PDF/X or PDF/UA with its part, as the file states.",
      "layout": "The page layout that it requests.",
      "mode": "The page mode that it requests, such as an outline beside the pages.",
      "linearized": "Whether it is linearized for reading during download.",
      "tagged": "Whether it is tagged with headings, paragraphs and tables.",
      "scripts": "Whether it has JavaScript, which is never run.",
      "encrypted": "Whether it is encrypted, with or without a password for reading.",
      "permissions": "What its author permits. Only `annotate` is enforced here.",
      "signatures": "The number of signature fields.",
      "attachments": "The number of embedded files; `documents/attachments` also lists those attached to pages.",
      "fonts": "The fonts of the first 100 pages.", "xmp": "The XMP as XML, unchanged, up to 1 MiB.",
      "display": "Strings for people.",
    ]
  }

  static func fetch(_ plan: ContentsPlan, with services: Services, progress: Progress) async throws -> DocumentMetadata
  {
    try await plan.answer(
      with: services, read: HostileInput.metadata, write: { $0.write($1) }, ask: { try await $0.metadata($1) })
  }

  static func finish(_ said: DocumentMetadata, of plan: ContentsPlan, in snapshot: Snapshot) throws -> Result {
    func instant(_ seconds: Int64?) -> Instant? { seconds.map { Instant(milliseconds: $0 * 1_000) } }
    func day(_ seconds: Int64?) -> String? {
      seconds.map { snapshot.services.dates.string(.mediumDate, at: $0 * 1_000, for: snapshot.reader) }
    }
    return Result(
      title: said.title, author: said.author, subject: said.subject, keywords: said.keywords, creator: said.creator,
      producer: said.producer, createdAt: instant(said.created), modifiedAt: instant(said.modified),
      version: said.version, standard: said.standard, layout: Layout(said.layout), mode: Mode(said.mode),
      linearized: said.isLinearized, tagged: said.isTagged, scripts: said.hasScripts, encrypted: said.isEncrypted,
      permissions: permissions(said.permissions), signatures: said.signatures, attachments: said.attachments,
      fonts: said.fonts.map { Font(name: $0.name, type: $0.type, embedded: $0.isEmbedded, subset: $0.isSubset) },
      xmp: said.xmp, display: Display(created: day(said.created), modified: day(said.modified)))
  }

  /// In the order of their bits, which is that of the cases.
  private static func permissions(_ permissions: DocumentInfo.Permissions) -> [Permission] {
    zip(Permission.allCases, 0...).compactMap { word, bit in permissions.rawValue & 1 << bit != 0 ? word : nil }
  }
}

extension ShowMetadata.Layout {
  /// Nil if the file does not state it.
  fileprivate init?(_ layout: DocumentMetadata.Layout) { self.init(rawValue: "\(layout)") }
}

extension ShowMetadata.Mode {
  fileprivate init?(_ mode: DocumentMetadata.Mode) { self.init(rawValue: "\(mode)") }
}
