import Contract
import Display
import HTTP
import Kit
import SQLite
import Store
import Wire

/// A document in replies.
typealias Document = ItemJSON<ShownDocument>

/// A document for one client.
struct ShownDocument: SnapshotItem {
  static let name = "Document"

  let item: DocumentRecord
  private let snapshot: Snapshot
  private let facts: DocumentRecord.Facts
  /// Documents with versions of the same file.
  var similar: [DocumentID]?
  // Only `documents/add` answers these.
  var existing: Bool?
  var attached: Bool?
  var repaired: Bool?
  /// Set if this title of the document was not replaced by the given one.
  var keptTitle: String?
  /// Only `documents/get` returns it.
  var file: String?
  /// The path of the user's own file that it is linked to.
  let linked: String?

  init(_ record: DocumentRecord, in snapshot: Snapshot) throws {
    (item, self.snapshot) = (record, snapshot)
    facts = try record.facts(in: snapshot)
    linked = facts.linked
    similar = facts.hasVersions ? try record.similar(in: snapshot) : nil
  }

  static let headNotes = [
    "revision":
      "Changes with the title, URL, credential or bytes; not with the effects of reading it or of adding it again: "
      + "state, position, lastReadAt, origins. Compare for equality only."
  ]

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "link", "Its stable link, for notes and other programs; `documents/resolve` resolves it.",
      example: "commonplace:/documents/0192"
    ) { DocumentLink(DocumentID(unchecked: $0.item.id)).text },
    DerivedMember(
      "state",
      "`indexing`: readable, its text is still being extracted; `ready`; `failed`: some pages have no text; "
        + "`elsewhere`: only another device has its file, which is fetched once a page is requested; `missing`, "
        + "`changed`: when it was last used, the file that it is linked to was gone, or had other bytes, which "
        + "`documents/refresh` takes in; `noFile`: it is a reference, whose file `documents/refresh` or "
        + "`documents/add` brings.",
      example: "ready"
    ) { $0.facts.state },
    DerivedMember(
      "position", "Where reading continues; shared by all front ends.", example: ["page": 2, "y": 0]
    ) { ReadingPosition(page: $0.item.page, y: $0.item.y) },
    DerivedMember(
      "highlightCount", "The number of its highlights, including orphans. It changes with them, not with `revision`.",
      example: 4
    ) { $0.facts.highlightCount },
    DerivedMember("bookmarkCount", "The number of its bookmarks, including orphans.", example: 1) {
      $0.facts.bookmarkCount
    },
    DerivedMember("memoCount", "The number of its memos, including orphans.", example: 2) { $0.facts.memoCount },
    DerivedMember(
      "file", path.optional,
      "In the reply of `documents/get`: the path of its file, for other programs to open. Unless it is `linked`, the "
        + "file is read-only, has no extension, and must not be changed.", example: nil
    ) { $0.file },
    DerivedMember(
      "linked", path.optional,
      "The path of the user's own file with its bytes, if that was not copied into the library (`documents/add` with "
        + "`link`). The library only reads it. Other devices, archives and, by default, backups get the document "
        + "without it.", example: nil
    ) { $0.linked },
    DerivedMember(
      "broken", "True if the stored URL is no longer valid; set another with `documents/update`.", example: nil
    ) { $0.item.url.map { DocumentURL($0) == nil } == true ? true : nil },
    DerivedMember(
      "similarTo",
      "Documents whose files are versions of the same one, as the files state. In the reply of `documents/add` also "
        + "those with nine tenths of its pages' text. `documents/adopt` moves their marks here.", example: nil
    ) { $0.similar },
    DerivedMember(
      "existing", "True if the bytes already existed and nothing was added; the title did not change.",
      example: nil
    ) { $0.existing },
    DerivedMember(
      "attached",
      "True if the file is now that of this document, which had none: the bibliography that it was imported from names "
        + "the file, or its DOI and title are on the file's first pages. One undo detaches it.", example: nil
    ) { $0.attached },
    DerivedMember(
      "repaired",
      "True if the added file is damaged and was read as far as possible: pages may be missing.",
      example: nil
    ) { $0.repaired },
    DerivedMember(
      "unconfirmed",
      "True until a URL or path imported with an archive is confirmed: it is fetched from public addresses only, and "
        + "no file is read. Confirm it with `documents/update` and the `url`.", example: nil
    ) { $0.item.isTyped ? nil : true },
    DerivedMember("display", of: "Document.Display", "Strings for people.") {
      DerivedMember(
        "position", "The page where reading continues, from 1, and the number of pages; empty without a file.",
        example: "3 / 12"
      ) {
        $0.item.hasFile ? pageLabel(page: $0.item.page, of: $0.item.pageCount) : ""
      }
      DerivedMember("size", "The file's size, or that there is none yet.", example: "259 kB") {
        guard $0.item.hasFile else { return $0.snapshot.words(Text("documents.noFileYet")) }
        return ByteCount($0.item.size).string(
          in: $0.snapshot.reader.language, catalogue: $0.snapshot.services.catalogue)
      }
      DerivedMember("added", "The day when it was added.", example: "21 Nov 2026") {
        $0.snapshot.services.dates.string(
          .mediumDate, at: $0.item.createdAt.milliseconds, for: $0.snapshot.reader)
      }
      DerivedMember(
        "existing",
        "In the reply of `documents/add`: a sentence that it already existed and keeps its own title.",
        example: nil
      ) { $0.keptTitle }
    },
  ]

  private static let path = WireType<String>(.text(.absolutePath)) { $1.write(string: $0) }

  static let example: DocumentRecord = {
    var document = DocumentRecord()
    (document.id, document.revision) = ("0192", 42)
    document.createdAt = Instant(milliseconds: 1_795_225_445_678)
    document.updatedAt = document.createdAt
    (document.title, document.url) = ("The R language", "https://example.org/R-lang.pdf")
    (document.author, document.tags) = ("R Core Team", ["statistics"])
    document.lastReadAt = Instant(milliseconds: 1_795_225_545_678)
    (document.pageCount, document.size) = (12, 259_216)
    document.hash = String(repeating: "0", count: 64)
    document.citationKey = "team2026"
    document.bibliography = #"{"type":"report","title":"The R language"}"#
    document.properties = #"{"correspondent":"R Foundation"}"#
    document.origins = #"["https://example.org/R-lang.pdf"]"#
    return document
  }()
}

/// The page and place at which reading continues.
struct ReadingPosition: Payload {
  var page: Int
  var y: Double
  static let example = ReadingPosition(page: 2, y: 0)
  static let fields = ["page": "The page, from 0.", "y": "The position down the page, 0 to 1."]

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("page", page)
    json.member("y", y)
    json.endObject()
  }
}

extension DocumentRecord {
  /// The facts that a reply shows about a document in addition to its row.
  struct Facts {
    /// How far the text of its file is extracted.
    var state = DocumentState.ready
    /// The path of the user's own file that it is linked to.
    var linked: String?
    /// Whether there are other versions of the same file.
    var hasVersions = false
    var highlightCount = 0
    var bookmarkCount = 0
    var memoCount = 0
  }

  private static let selectFacts = CachedStatement(
    """
    SELECT failure IS NOT NULL, EXISTS (SELECT 1 FROM pdfPage WHERE hash = ?1 AND text IS NULL),
      EXISTS (SELECT 1 FROM pdf q WHERE q.permanentID = pdf.permanentID AND q.hash <> ?1),
      ifnull(highlights, 0), ifnull(bookmarks, 0), ifnull(memos, 0),
      away.hash IS NOT NULL, away.path, away.problem
    FROM (SELECT 1) LEFT JOIN pdf ON pdf.hash = ?1 LEFT JOIN documentMarks AS marks ON marks.document = ?2
      LEFT JOIN blobElsewhere AS away ON away.hash = ?1
    """)

  /// One statement, since it runs for every document of a list.
  func facts(in snapshot: Snapshot) throws -> Facts {
    let facts = try snapshot.db.first(
      Self.selectFacts,
      {
        $0.add(hash)
        $0.add(id)
      },
      { row in
        let linked = row.optionalText(7)
        let text: DocumentState = !keepsText ? .ready : row.bool(1) ? .indexing : row.bool(0) ? .failed : .ready
        let problem = row.optionalText(8).flatMap(DocumentState.init(rawValue:))
        return Facts(
          state: row.bool(6) && linked == nil ? .elsewhere : problem ?? text, linked: linked,
          hasVersions: row.bool(2), highlightCount: row.int(3), bookmarkCount: row.int(4), memoCount: row.int(5))
      })
    var shown = facts ?? Facts()
    if !hasFile { shown.state = .noFile }
    return shown
  }
}
