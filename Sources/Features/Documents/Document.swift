import Contract
import Display
import GRDB
import HTTP
import Store
import Wire

package struct DocumentID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A document as clients see it.
struct Document: Payload {
  var id: DocumentID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var link: String
  var title: String
  var url: String?
  var origins: [String]
  var state: DocumentState
  var pageCount: Int
  var position: Position
  var size: Int64
  var hash: String
  var isProtected: Bool
  var credential: String?
  var broken: Bool?
  var similarTo: [DocumentID]?
  var existing: Bool?
  var repaired: Bool?
  var unconfirmed: Bool?
  var display: Display

  struct Position: Payload {
    var page: Int
    var y: Double
    static let example = Position(page: 2, y: 0)
    static let fields = ["page": "The page, from 0.", "y": "How far down the page, 0 to 1."]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("page", page)
      json.member("y", y)
      json.endObject()
    }
  }

  struct Display: Payload {
    var position: String
    var size: String
    var added: String
    var existing: String?
    static let example = Display(position: "3 / 12", size: "259 kB", added: "21 Nov 2026", existing: nil)
    static let fields = [
      "position": "The page where reading goes on, from 1, of how many.", "size": "The file's size.",
      "added": "The day on which it was added.",
      "existing": "In the reply to `documents/add`: that it was there already and keeps its title, not the given one.",
    ]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("position", position)
      json.member("size", size)
      json.member("added", added)
      json.member("existing", existing)
      json.endObject()
    }
  }

  static let example = Document(
    id: "0192", revision: 42, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), link: "commonplace:/documents/0192", title: "The R language",
    url: "https://example.org/R-lang.pdf", origins: ["https://example.org/R-lang.pdf"], state: .ready, pageCount: 12,
    position: .example, size: 259_216, hash: String(repeating: "0", count: 64), isProtected: false, credential: nil,
    broken: nil,
    similarTo: nil, existing: nil, repaired: nil, unconfirmed: nil, display: .example)

  static let fields = [
    "id": "The document.",
    "revision":
      "Changes whenever title, URL, credential or bytes do; not with what comes of reading it or of adding it again: "
      + "state, position, origins. Compared for equality only.",
    "createdAt": "When it was added.", "updatedAt": "When it last changed.",
    "link": "Its stable link, for notes and other programs; `documents/resolve` reads it.",
    "title": "Its title in the library.",
    "url":
      "Where it is fetched from, with `{credential}` in place of a token; absent for one that was added as bytes.",
    "origins": "All URLs and paths that it came from.",
    "state": "`indexing`: readable, its text is still being taken out; `ready`; `failed`: some pages have no text.",
    "pageCount": "How many pages it has.", "position": "Where reading goes on; shared by all front ends.",
    "size": "Bytes of the file.", "hash": "SHA-256 of the file.", "isProtected": "Opens only with a password.",
    "credential": "The name of the credential of config.toml that is its password.",
    "broken": "True when the URL cannot be understood any more; `documents/update` gives another.",
    "similarTo":
      "Documents whose files say that they are versions of the same one; in the reply to `documents/add` also those that "
      + "have nine tenths of its pages' text. `documents/adopt` takes over their marks.",
    "existing": "True when the bytes were there already and nothing was added; the title stays as it was.",
    "repaired":
      "True when the file that was added is damaged and was read as far as it could be: pages may be missing.",
    "unconfirmed":
      "True while nobody has confirmed a URL or path that came with an archive: it is asked at public addresses only, and "
      + "no file is read. `documents/update` with the `url` confirms it.",
    "display": "Strings for people.",
  ]

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("link", link)
    json.member("title", title)
    json.member("url", url)
    json.member("origins", origins)
    json.member("state", state.rawValue)
    json.member("pageCount", pageCount)
    json.member("position")
    position.write(to: &json)
    json.member("size", size)
    json.member("hash", hash)
    json.member("isProtected", isProtected)
    json.member("credential", credential)
    json.member("broken", broken)
    json.member("similarTo", similarTo.map { $0.map(\.text) })
    json.member("existing", existing)
    json.member("repaired", repaired)
    json.member("unconfirmed", unconfirmed)
    json.member("display")
    display.write(to: &json)
    json.endObject()
  }
}

extension Document {
  init(_ record: DocumentRecord, in snapshot: Snapshot) throws {
    id = DocumentID(unchecked: record.id)
    revision = record.revision
    createdAt = record.createdAt
    updatedAt = record.updatedAt
    link = DocumentLink(id).text
    title = record.title
    // Stored without tokens; others may have made the library.
    url = record.url.map(WebURL.storable)
    origins = JSONList.strings(record.origins).map(WebURL.storable)
    let standing = try record.standing(in: snapshot)
    state = standing.state
    pageCount = record.pageCount
    position = Position(page: record.page, y: record.y)
    size = record.size
    hash = record.hash
    isProtected = record.isProtected
    credential = record.credential
    broken = record.url.map { DocumentURL($0) == nil } == true ? true : nil
    unconfirmed = record.isTyped ? nil : true
    similarTo = standing.hasVersions ? try record.similar(in: snapshot) : nil
    let reader = snapshot.reader
    let services = snapshot.services
    display = Display(
      position: pageLabel(page: record.page, of: record.pageCount),
      size: ByteCount(record.size).string(in: reader.language, catalogue: services.catalogue),
      added: services.dates.string(.mediumDate, at: record.createdAt.milliseconds, for: reader))
  }
}

extension DocumentRecord {
  private static let selectStanding = KeptStatement(
    """
    SELECT failure IS NOT NULL, EXISTS (SELECT 1 FROM pdfPage WHERE hash = ?1 AND text IS NULL),
      EXISTS (SELECT 1 FROM pdf q WHERE q.permanentID = pdf.permanentID AND q.hash <> ?1)
    FROM pdf WHERE hash = ?1
    """)

  /// What its bytes say: how far their text is taken out, and whether there are other versions of the same file.
  /// One statement, since every document of a list asks.
  func standing(in snapshot: Snapshot) throws -> (state: DocumentState, hasVersions: Bool) {
    let standing = try snapshot.db.first(
      Self.selectStanding, { $0.add(hash) },
      { row in
        let state: DocumentState = !keepsText ? .ready : row.bool(1) ? .indexing : row.bool(0) ? .failed : .ready
        return (state: state, hasVersions: row.bool(2))
      })
    return standing ?? (.ready, false)
  }
}

/// A list of texts in one column.
enum JSONList {
  static func strings(_ json: String) -> [String] {
    // Most documents came once, as bytes or from one place: `[]` or `["…"]`.
    if json == "[]" { return [] }
    if let only = only(json) { return [only] }
    var json = json
    let value = json.withUTF8 { try? JSONParser.parse($0) }
    return value?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// The text of a list of one, if it stands there as it is.
  private static func only(_ json: String) -> String? {
    var json = json
    return json.withUTF8 { bytes in
      guard bytes.count >= 4, bytes[1] == UInt8(ascii: "\""), bytes[bytes.count - 2] == UInt8(ascii: "\"") else {
        return nil
      }
      let text = UnsafeBufferPointer(rebasing: bytes[2..<bytes.count - 2])
      for byte in text where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return nil }
      return String(decoding: text, as: UTF8.self)
    }
  }

  static func json(_ strings: [String]) -> String {
    String(describing: JSONValue.array(strings.map(JSONValue.string)))
  }
}
