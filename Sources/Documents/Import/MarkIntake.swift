import Contract
import PDF
import Store
import Wire

/// Imports the marks of a file into the library, one after the other.
///
///     the item exists, by its own id or by the id that is derived from its place    known
///     a memo of ours, on a page that has none                                       a memo
///     anything else                                                                 a highlight, with its kind
struct MarkIntake {
  struct Counts: Sendable {
    var index = 0
    var added = 0
    var memos = 0
    var known = 0
    var differing: [ImportMarks.Difference] = []
  }

  private(set) var counts: Counts
  private let document: DocumentRecord
  private let transaction: Transaction
  /// The page of the last mark: marks are imported page by page.
  private var page: StoredPage?
  private var layout: PageLayout?

  private static let mostDiffering = 1_000

  init(of document: DocumentRecord, in transaction: Transaction, _ counts: Counts) {
    self.document = document
    self.transaction = transaction
    self.counts = counts
  }

  mutating func take(_ mark: FileMark) throws {
    counts.index += 1
    if try isKnown(mark) {
      counts.known += 1
      return
    }
    let page = try page(mark.page)
    let snapshot = transaction.snapshot
    if mark.name?.collection == MemoRecord.collectionName, mark.kind == .note, let text = mark.annotation.remark,
      try MemoRecord.on(mark.page, of: document.id, in: snapshot) == nil
    {
      try transaction.insert(
        MemoRecord(
          id: try freeID(for: mark, as: MemoRecord.self), document: document.id, page: mark.page, text: text,
          anchor: try StoredJSON(Anchor.of(page, document: document, snapshot: snapshot))))
      counts.memos += 1
      return
    }
    try transaction.insert(highlight(mark, on: page))
    counts.added += 1
  }

  /// Whether the library has it. Changes that the user made here since stay, and differences from the file are
  /// reported.
  private mutating func isKnown(_ mark: FileMark) throws -> Bool {
    let snapshot = transaction.snapshot
    for id in mark.ids(in: document.id) {
      if let highlight = try snapshot.find(HighlightRecord.self, id: id), highlight.document == document.id {
        note(mark, HighlightRecord.collectionName, id, highlight.note)
        return true
      }
      if let memo = try snapshot.find(MemoRecord.self, id: id), memo.document == document.id {
        note(mark, MemoRecord.collectionName, id, memo.text)
        return true
      }
    }
    return false
  }

  private mutating func note(_ mark: FileMark, _ collection: String, _ id: String, _ text: String?) {
    let said = mark.annotation.remark ?? ""
    guard !sameBytes(said, text ?? ""), counts.differing.count < Self.mostDiffering else { return }
    counts.differing.append(
      .init(collection: collection, id: ItemID(unchecked: id), page: mark.page, contents: said))
  }

  /// The first of its ids that is unused.
  private func freeID<Item: StoredItem>(for mark: FileMark, as type: Item.Type) throws -> String {
    let ids = mark.ids(in: document.id)
    let isOwn = mark.name?.collection == Item.collectionName
    return try ids.dropFirst(isOwn || ids.count == 1 ? 0 : 1).first {
      try transaction.snapshot.find(Item.self, id: $0) == nil
    } ?? transaction.services.newID()
  }

  private mutating func page(_ number: Int) throws -> StoredPage {
    if let page, page.page == number { return page }
    let page = try StoredPage.get(number, of: document, in: transaction.snapshot)
    self.page = page
    layout = try transaction.snapshot.text(of: number, in: document).map { PageLayout($0) }
    return page
  }

  private func highlight(_ mark: FileMark, on page: StoredPage) throws -> HighlightRecord {
    let annotation = mark.annotation
    let snapshot = transaction.snapshot
    let boxes = annotation.boxes(on: page)
    var pieces: [PageLayout.Piece] = []
    if mark.kind.isOnText, let layout {
      pieces = try MarkedText(from: nil, to: nil, lines: nil, quads: boxes.map(\.quad))
        .piecesIfAny(in: layout, page: page.page)
    }
    var anchor: Anchor
    let lines: [HighlightRecord.Line]
    var shape: PageShape?
    if let layout, let first = pieces.first, let last = pieces.last {
      anchor = try Anchor.of(
        first.range.lowerBound..<last.range.upperBound, in: layout, page: page, document: document, snapshot: snapshot)
      lines = HighlightRecord.lines(pieces, keepingText: document.keepsText)
    } else {
      // There is no text at that place, such as on a scan: only the places are stored.
      anchor = try Anchor.of(page, document: document, snapshot: snapshot)
      lines =
        mark.kind.isOnText
        ? boxes.map { HighlightRecord.Line(text: "", quad: $0.quad, offset: 0, length: 0) } : []
    }
    let kind = mark.kindInLibrary
    if !kind.isOnText {
      let strokes = annotation.strokes.map { stroke in
        stride(from: 0, to: stroke.count - 1, by: 2).flatMap { index in
          let point = page.shown(Point(x: stroke[index], y: stroke[index + 1]))
          return [point.x.rounded(toPlaces: 3), point.y.rounded(toPlaces: 3)]
        }
      }
      let placed = try PageShape(annotation.box(on: page), strokes: strokes)
        .anchored(in: layout, page: page, of: document, snapshot: snapshot)
      (shape, anchor) = (placed.shape, placed.anchor)
    }
    return HighlightRecord(
      id: try freeID(for: mark, as: HighlightRecord.self), document: document.id, page: page.page,
      color: annotation.colorText, note: annotation.remark, kind: kind, lines: lines, anchor: try StoredJSON(anchor),
      shape: shape, imported: try imported(mark, on: page).map { try StoredJSON($0).json })
  }

  /// Nil for a plain mark exported by us.
  private func imported(_ mark: FileMark, on page: StoredPage) -> ImportedMark? {
    let annotation = mark.annotation
    func text(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    let author = text(annotation.author)
    let subject = text(annotation.subject)
    if mark.name?.collection == HighlightRecord.collectionName, author == nil, subject == nil,
      mark.kind == .highlight || mark.kindInLibrary == .area || !annotation.strokes.isEmpty
    {
      return nil
    }
    return ImportedMark(
      kind: mark.kind, author: author, subject: subject,
      modifiedAt: annotation.modified.flatMap(PDFDate.seconds(of:)).map { Instant(milliseconds: $0 * 1_000) },
      quad: annotation.box(on: page).quad)
  }
}
