import Contract
import Store
import Wire

package struct HighlightID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A highlight as clients see it.
struct Highlight: Payload {
  var id: HighlightID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var document: DocumentID
  var page: Int
  var link: String
  var text: String?
  var prefix: String?
  var suffix: String?
  var color: String
  var note: String?
  var lines: [Line]
  var locked: Bool?
  var state: MarkState?
  var imported: ImportedMark?

  struct Line: Payload {
    var text: String?
    var quad: [Double]
    static let example = Line(text: "a line of text", quad: [72, 90, 240, 90, 240, 102, 72, 102])
    static let fields = [
      "text": "The line's text; absent while the highlight is `locked`.",
      "quad": "`[x1,y1,x2,y2,x3,y3,x4,y4]` in points from the top left of the page as displayed.",
    ]
    static let limits: [String: FieldLimits] = [:]
  }

  static let example = Highlight(
    id: "0193", revision: 43, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), document: "0192", page: 2, text: "a line of text",
    prefix: "This is ", suffix: " and more.", color: "#ffd60a", note: nil, lines: [.example], state: nil,
    imported: nil)
  static let fields = [
    "id": "The highlight.", "revision": "Changes whenever it is changed.", "createdAt": "When it was made.",
    "updatedAt": "When it last changed.", "document": "Where it is.", "page": "The page, from 0.",
    "link": "Its stable link, for notes and other programs; `documents/resolve` reads it.",
    "text": "The text that is marked, lines joined by line ends; absent while it is `locked`.",
    "prefix": "The 32 characters before it; absent while it is `locked`.",
    "suffix": "The 32 characters behind it; absent while it is `locked`.", "color": "`#rrggbb`.",
    "note": "What the reader wrote about it.",
    "lines": "One quad a line; none of an imported mark that lies on no text.",
    "locked":
      "True while its words are not there: those of a protected document lie in no library, and `documents/text` of the "
      + "page with the password brings them back. Those of an orphan are in an earlier file.",
    "state":
      "`orphan`: its text is not in the present file, or at several places that nothing tells apart. Then `page` and "
      + "`lines` are those of an earlier file, and `documents/placeHighlight` places it by hand.",
    "imported": "What it was in the file that `documents/importMarks` took it from.",
  ]

  init(
    id: HighlightID, revision: Int64, createdAt: Instant, updatedAt: Instant, document: DocumentID, page: Int,
    text: String?, prefix: String?, suffix: String?, color: String, note: String?, lines: [Line], locked: Bool? = nil,
    state: MarkState?, imported: ImportedMark?
  ) {
    self.id = id
    self.revision = revision
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.document = document
    self.page = page
    link = DocumentLink(document, .highlight(id)).text
    self.text = text
    self.prefix = prefix
    self.suffix = suffix
    self.color = color
    self.note = note
    self.lines = lines
    self.locked = locked
    self.state = state
    self.imported = imported
  }

  /// Of a protected document the words are filled in from memory, as far as the file was unlocked; else they are absent,
  /// for an empty text would say that nothing is marked.
  init(_ record: HighlightRecord, of document: DocumentRecord, in snapshot: Snapshot) throws {
    let anchor = try record.anchor.value()
    let text =
      document.keepsText || record.isOrphan ? nil : try snapshot.text(of: record.page, in: document)
    let isLocked = text == nil && record.lacksWords
    var lines = record.lines.map { Line(text: isLocked ? nil : $0.text, quad: $0.quad) }
    var prefix = isLocked ? nil : anchor.prefix
    var suffix = isLocked ? nil : anchor.suffix
    if let text {
      let layout = PageLayout(text)
      func part(_ range: Range<Int>) -> String { layout.string(range.clamped(to: 0..<layout.scalars.count)) }
      lines = record.lines.map { Line(text: part($0.offset..<$0.offset + $0.length), quad: $0.quad) }
      let start = anchor.offset
      let end = start + anchor.length
      prefix = part(max(0, start - Anchor.context)..<start)
      suffix = part(end..<end + Anchor.context)
    }
    self.init(
      id: HighlightID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, document: DocumentID(unchecked: record.document), page: record.page,
      text: isLocked ? nil : lines.compactMap(\.text).joined(separator: "\n"), prefix: prefix, suffix: suffix,
      color: record.color, note: record.note, lines: lines, locked: isLocked ? true : nil,
      state: record.isOrphan ? .orphan : nil, imported: try record.importedMark())
  }
}
