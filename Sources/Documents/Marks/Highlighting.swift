import Contract
import Store
import Wire

/// How toggling changes the highlights of a page. Marks of another kind, such as underlines, are not affected.
///
///     a line already highlighted (half of it covered)   its highlight loses that line, or is removed with its last one
///     the others                                        become one new highlight
struct Highlighting {
  let transaction: Transaction
  let document: DocumentRecord
  let page: StoredPage
  let layout: PageLayout

  init(_ id: String, page: Int, in transaction: Transaction) throws {
    let snapshot = transaction.snapshot
    self.transaction = transaction
    document = try snapshot.get(DocumentRecord.self, id: id)
    self.page = try StoredPage.get(page, of: document, in: transaction.snapshot)
    layout = PageLayout(try snapshot.requireText(of: page, in: document))
  }

  /// What a new mark is like, apart from its place.
  struct Look {
    var kind: ImportedMark.Kind
    var color: String
    var note: String?
  }

  struct Removal: Payload {
    var id: HighlightID
    var lines: [HighlightLine]
    static let example = Removal(id: "0193", lines: [.example])
    static let fields = ["id": "The highlight that lost lines.", "lines": "The lines unmarked."]
  }

  /// The existing highlight with the id that a client chose.
  ///
  /// - Throws: `exists` if a highlight at another place has this id.
  func known(_ id: HighlightID?) throws -> Highlight? {
    guard let id, let known = try transaction.snapshot.find(HighlightRecord.self, id: id.text) else { return nil }
    guard known.document == document.id, known.page == page.page else {
      throw RPCError(.exists, text: Text("documents.highlightTaken", ["id": id.text]))
    }
    return try Highlight(known, of: document, in: transaction.snapshot)
  }

  func toggle(
    _ text: MarkedText, id: String, as look: Look
  ) throws -> (added: [Highlight], removed: [Removal]) {
    let pieces = try text.pieces(in: layout, page: page.page)
    var removed: [Removal] = []
    var covered: Set<Int> = []
    for record in try HighlightRecord.all(of: document.id, page: page.page, in: transaction.snapshot)
    where record.kind == look.kind {
      var lost: Set<Int> = []
      for (number, piece) in pieces.enumerated() {
        let hits = record.lines.indices.filter { coverage(of: piece, by: record.lines[$0]) >= 0.5 }
        if !hits.isEmpty { covered.insert(number) }
        lost.formUnion(hits)
      }
      guard !lost.isEmpty else { continue }
      removed.append(try take(lost, from: record))
    }
    let rest = pieces.enumerated().filter { !covered.contains($0.offset) }.map(\.element)
    return (rest.isEmpty ? [] : [try add(rest, id: id, as: look)], removed)
  }

  func add(_ text: MarkedText, id: String, as look: Look) throws -> Highlight {
    try add(text.pieces(in: layout, page: page.page), id: id, as: look)
  }

  /// Moves a highlight to the selection; its id, color and note stay.
  func place(_ record: HighlightRecord, on text: MarkedText) throws -> Highlight {
    let pieces = try text.pieces(in: layout, page: page.page)
    let whole = pieces.first!.range.lowerBound..<pieces.last!.range.upperBound
    let placed = try transaction.change(record) { record in
      record.page = page.page
      record.lines = HighlightRecord.lines(pieces, keepingText: document.keepsText)
      record.anchor = try anchor(of: whole)
      record.isOrphan = false
    }
    return try Highlight(placed, of: document, in: transaction.snapshot)
  }

  private func add(_ pieces: [PageLayout.Piece], id: String, as look: Look) throws -> Highlight {
    let whole = pieces.first!.range.lowerBound..<pieces.last!.range.upperBound
    let record = try transaction.insert(
      HighlightRecord(
        id: id, document: document.id, page: page.page, color: look.color, note: look.note, kind: look.kind,
        lines: HighlightRecord.lines(pieces, keepingText: document.keepsText), anchor: try anchor(of: whole)))
    return try Highlight(record, of: document, in: transaction.snapshot)
  }

  private func anchor(of range: Range<Int>) throws -> StoredJSON<Anchor> {
    try StoredJSON(
      Anchor.of(range, in: layout, page: page, document: document, snapshot: transaction.snapshot))
  }

  private func take(_ lost: Set<Int>, from record: HighlightRecord) throws -> Removal {
    let lines = try ShownHighlight(record, of: document, in: transaction.snapshot).lines
    let removal = Removal(id: HighlightID(unchecked: record.id), lines: lost.sorted().map { lines[$0] })
    let rest = record.lines.enumerated().filter { !lost.contains($0.offset) }.map(\.element)
    guard let first = rest.first, let last = rest.last else {
      try transaction.remove(record)
      return removal
    }
    let range = first.offset..<max(first.offset, last.offset + last.length)
    try transaction.change(record) { record in
      record.lines = rest
      record.anchor = try anchor(of: range.clamped(to: 0..<layout.scalars.count))
    }
    return removal
  }

  /// How much of a piece a marked line covers, 0 to 1: by area, or by characters if places are unknown.
  private func coverage(of piece: PageLayout.Piece, by line: HighlightRecord.Line) -> Double {
    if let box = piece.box, box.area > 0, line.quad.count == 8 {
      return box.intersection(Box(quad: line.quad)) / box.area
    }
    let common = piece.range.clamped(to: line.offset..<line.offset + line.length)
    return piece.range.isEmpty ? 0 : Double(common.count) / Double(piece.range.count)
  }
}
