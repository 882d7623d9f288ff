import Contract
import Kit
import Store
import Wire

/// A highlight in replies.
typealias Highlight = ItemJSON<ShownHighlight>

extension Highlight {
  init(_ record: HighlightRecord, of document: DocumentRecord, in snapshot: Snapshot) throws {
    try self.init(ShownHighlight(record, of: document, in: snapshot))
  }
}

/// A line of a highlight, or of a selection.
struct HighlightLine: Payload {
  var text: String?
  var quad: [Double]
  static let example = HighlightLine(text: "a line of text", quad: [72, 90, 240, 90, 240, 102, 72, 102])
  static let fields = [
    "text": "The line's text; absent if the highlight is `locked`.",
    "quad": "`[x1,y1,x2,y2,x3,y3,x4,y4]` in points from the top left of the page as displayed.",
  ]

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("text", text)
    json.member("quad")
    try [Double].wireType.write(quad, &json)
    json.endObject()
  }
}

/// A highlight for one client.
struct ShownHighlight: ShownItem {
  static let name = "Highlight"

  let item: HighlightRecord
  let lines: [HighlightLine]
  /// The characters around it; nil while it is locked.
  let prefix: String?
  let suffix: String?
  let isLocked: Bool
  /// The text in a shape, or beside it; nil for a mark of text, and for a shape that has none or is locked.
  private let shapeText: String?
  /// Only in a list of several documents' highlights.
  var documentTitle: String?

  /// For a protected document the text is filled in from memory, as far as the file was unlocked; else it is absent,
  /// since an empty text would mean that nothing is marked.
  init(_ record: HighlightRecord, of document: DocumentRecord, in snapshot: Snapshot) throws {
    item = record
    let anchor = try record.anchor.value()
    let hasText = record.shape?.text != nil
    if let text = document.keepsText || record.isOrphan ? nil : try snapshot.text(of: record.page, in: document) {
      let layout = PageLayout(text)
      func part(_ range: Range<Int>) -> String { layout.string(range.clamped(to: 0..<layout.scalars.count)) }
      isLocked = false
      lines = record.lines.map { HighlightLine(text: part($0.offset..<$0.offset + $0.length), quad: $0.quad) }
      let start = anchor.offset
      let end = start + anchor.length
      shapeText = hasText ? part(start..<end) : nil
      prefix = part(max(0, start - Anchor.context)..<start)
      suffix = part(end..<end + Anchor.context)
    } else {
      let isLocked = record.lacksWords || hasText && anchor.quote.isEmpty
      shapeText = hasText && !isLocked ? anchor.quote : nil
      self.isLocked = isLocked
      lines = record.lines.map { HighlightLine(text: isLocked ? nil : $0.text, quad: $0.quad) }
      (prefix, suffix) = isLocked ? (nil, nil) : (anchor.prefix, anchor.suffix)
    }
  }

  var text: String? { isLocked ? nil : shapeText ?? lines.compactMap(\.text).joined(separator: "\n") }

  /// The lines of its text, of a shape those of the text in it or beside it; empty while it is locked.
  var textLines: [String] {
    shapeText?.split(separator: "\n").map(String.init) ?? lines.compactMap(\.text)
  }

  /// The box around a mark without lines.
  var quad: [Double]? { item.shape?.quad ?? (item.lines.isEmpty ? try? item.importedMark()?.quad : nil) }

  var link: String {
    DocumentLink(DocumentID(unchecked: item.document), .highlight(HighlightID(unchecked: item.id))).text
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "link", "Its stable link, for notes and other programs; `documents/resolve` resolves it.",
      example: "commonplace:/documents/0192#highlight=0193"
    ) { $0.link },
    DerivedMember(
      "documentTitle", "The title of its document, if the list spans the whole library.", example: nil
    ) { $0.documentTitle },
    DerivedMember(
      "text",
      "The marked text, lines joined by line ends; for an area the text in it, for a note the line beside it. Absent if "
        + "it is `locked`.",
      example: "a line of text"
    ) { $0.text },
    DerivedMember("prefix", "The 32 characters before it; absent if it is `locked`.", example: "This is ") {
      $0.prefix
    },
    DerivedMember("suffix", "The 32 characters after it; absent if it is `locked`.", example: " and more.") {
      $0.suffix
    },
    DerivedMember(
      "lines", "One quad per line; empty for a mark that is not of text.",
      example: [["text": "a line of text", "quad": [72, 90, 240, 90, 240, 102, 72, 102]]]
    ) { $0.lines },
    DerivedMember(
      "quad", "The box around a mark that is not of text, as four corners in points from the top left of the page.",
      example: nil
    ) { $0.quad },
    DerivedMember(
      "strokes", "The lines of a drawing: `[x1,y1,x2,y2,…]` each, in the same points.", example: nil
    ) { $0.item.shape?.strokes },
    DerivedMember(
      "locked",
      "True while its text is unavailable: that of a protected document is not stored, and `documents/text` of the "
        + "page with the password restores it. That of an orphan is in an earlier file.", example: nil
    ) { $0.isLocked ? true : nil },
    DerivedMember(
      "state",
      "`orphan`: its text is not in the present file, or at several places that cannot be distinguished. Then `page` and "
        + "`lines` refer to an earlier file, and `documents/placeHighlight` places it manually.", example: nil
    ) { $0.item.isOrphan ? MarkState.orphan : nil },
  ]

  static let example = HighlightRecord(
    id: "0193", revision: 43, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), document: "0192", page: 2, color: "#ffd60a",
    note: "Compare chapter 3.")
}
