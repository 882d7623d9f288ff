import Contract
import PDF
import Store
import Wire

/// Writes marks to the places where they were found. A mark whose place is unchanged is not touched: its anchor still
/// holds, and no client needs to read it again.
struct MarkPlacer {
  let transaction: Transaction
  /// With the bytes into which the marks go.
  let document: DocumentRecord
  let reanchoring: Reanchoring
  private let fileID: String?
  /// Where each page begins in the document, in Unicode scalars; nil after a page whose text is not available.
  private let offsets: [Int?]

  init(into document: DocumentRecord, by reanchoring: Reanchoring, in transaction: Transaction) throws {
    self.transaction = transaction
    self.document = document
    self.reanchoring = reanchoring
    fileID = try Anchor.fileID(of: document.hash, in: transaction.snapshot)
    var offset: Int? = 0
    offsets = reanchoring.text.pages.map { page in
      defer { offset = offset.flatMap { offset in page.map { offset + $0.text.unicodeScalars.count } } }
      return offset
    }
  }

  /// Marks of another document that already exist in this one are merged (`merging`).
  func place(_ marks: DocumentMarks) throws -> [MarkReport] {
    let highlights = try marks.highlights.sorted { $0.place < $1.place }.map(place)
    return try highlights + place(marks.bookmarks, merging: merge) + place(marks.memos, merging: merge)
  }

  // MARK: Highlights

  private func place(_ record: HighlightRecord) throws -> MarkReport {
    if let shape = record.shape, let text = shape.text { return try place(record, shape, besides: Box(quad: text)) }
    if record.isDrawing { return try placeDrawing(record) }
    switch try reanchoring.placement(of: record) {
    case .lost(let loss): return try lose(record, loss)
    case .found(let outcome, let page, let runs, let score):
      guard let text = reanchoring.text.pages[page] else { return try lose(record, .missing) }
      let layout = PageLayout(text)
      let pieces = runs.flatMap(layout.pieces)
      guard let first = pieces.first, let last = pieces.last else { return try lose(record, .missing) }
      let stored = try StoredPage.get(page, of: document, in: transaction.snapshot)
      let anchor = Anchor.of(
        first.range.lowerBound..<last.range.upperBound, in: layout, page: stored, document: document, fileID: fileID,
        pageOffset: offsets[page])
      let lines = HighlightRecord.lines(pieces, keepingText: document.keepsText)
      if let twin = try twin(of: record, page: page, lines: lines) {
        return try report(record, outcome, score: score, page: page, mergedInto: merge(record, into: twin))
      }
      try change(record, page: page, anchor: anchor) { $0.lines = lines }
      return report(record, outcome, score: score, page: page)
    }
  }

  /// How much the box around a shape's text may differ in size from the previous one, as a part of it. Lines that are
  /// broken elsewhere have another box: then the shape's place is uncertain.
  private static let sameSize = 0.9
  /// Differences of places that are due to rounding, in points.
  private static let rounding = 0.5

  /// A shape moves with the text in it or beside it.
  private func place(_ record: HighlightRecord, _ shape: PageShape, besides old: Box) throws -> MarkReport {
    switch try reanchoring.placement(of: record) {
    case .lost(let loss): return try lose(record, loss)
    case .found(let found, let page, let runs, let similarity):
      guard let text = reanchoring.text.pages[page], let first = runs.first, let last = runs.last else {
        return try lose(record, .missing)
      }
      let layout = PageLayout(text)
      let range = first.lowerBound..<last.upperBound
      let stored = try StoredPage.get(page, of: document, in: transaction.snapshot)
      guard let box = layout.box(around: range) else { return try lose(record, .missing) }
      let (x, y) = (box.left - old.left, box.top - old.top)
      let isMoved = max(abs(x), abs(y)) > Self.rounding
      var placed = isMoved ? shape.moved(x: x, y: y) : shape
      guard placed.isOn(stored) else { return try lose(record, .missing) }
      placed.text = isMoved || page != record.page ? box.quad : shape.text
      placed.offset = range.lowerBound
      let size = Self.part(box.width, old.width) * Self.part(box.height, old.height)
      var (outcome, score) = (found, similarity)
      if size < Self.sameSize {
        (outcome, score) = (.fuzzy, similarity * size)
      } else if found == .exact, isMoved {
        outcome = .moved
      }
      let anchor = Anchor.of(
        range, in: layout, page: stored, document: document, fileID: fileID, pageOffset: offsets[page])
      try change(record, page: page, anchor: anchor) { $0.shape = placed }
      return report(record, outcome, score: score, page: page)
    }
  }

  /// The smaller as a part of the larger.
  private static func part(_ one: Double, _ other: Double) -> Double {
    max(one, other) > 0 ? min(one, other) / max(one, other) : 1
  }

  /// A drawing without text is placed by its page.
  private func placeDrawing(_ record: HighlightRecord) throws -> MarkReport {
    switch try reanchoring.pagePlacement(of: record) {
    case .lost(let loss): return try lose(record, loss)
    case .found(let outcome, let page, let score):
      let stored = try StoredPage.get(page, of: document, in: transaction.snapshot)
      if let shape = record.shape, !shape.isOn(stored) { return try lose(record, .missing) }
      let anchor = Anchor.of(
        stored, text: reanchoring.text.pages[page]?.text, document: document, fileID: fileID, pageOffset: offsets[page])
      try change(record, page: page, anchor: anchor)
      return report(record, outcome, score: score, page: page)
    }
  }

  /// An own highlight of the document that marks the same lines as one from another document.
  private func twin(
    of record: HighlightRecord, page: Int, lines: [HighlightRecord.Line]
  ) throws -> HighlightRecord? {
    guard record.document != document.id else { return nil }
    // Only marks of the same kind are one.
    return try HighlightRecord.all(of: document.id, page: page, in: transaction.snapshot).first { other in
      other.kind == record.kind && other.lines.map(\.offset) == lines.map(\.offset)
        && other.lines.map(\.length) == lines.map(\.length)
        && (record.note == nil || other.note == nil || sameBytes(record.note ?? "", other.note ?? ""))
    }
  }

  private func merge(_ record: HighlightRecord, into twin: HighlightRecord) throws -> String {
    try transaction.remove(record)
    if let note = record.note { try transaction.change(twin) { $0.note = note } }
    return twin.id
  }

  // MARK: Bookmarks and memos

  /// The most certain first: of two marks that were found on one page, the first stays there.
  private func place<M: Mark>(_ marks: [M], merging merge: (M, M) throws -> Void) throws -> [MarkReport] {
    var reports: [String: MarkReport] = [:]
    var taken: Set<Int> = []
    let placed = try marks.map { (mark: $0, placement: try reanchoring.pagePlacement(of: $0)) }
      .sorted { $0.placement.certainty > $1.placement.certainty }
    for (mark, placement) in placed {
      switch placement {
      case .lost(let loss): reports[mark.id] = try lose(mark, loss)
      case .found(let outcome, let page, let score):
        // A mark that is on that page already, and is not among those being placed.
        if mark.document != document.id, let own = try M.on(page, of: document.id, in: transaction.snapshot),
          !marks.contains(where: { $0.id == own.id })
        {
          try merge(mark, own)
          reports[mark.id] = report(mark, outcome, score: score, page: page, mergedInto: own.id)
        } else if taken.insert(page).inserted {
          let stored = try StoredPage.get(page, of: document, in: transaction.snapshot)
          let anchor = Anchor.of(
            stored, text: reanchoring.text.pages[page]?.text, document: document, fileID: fileID,
            pageOffset: offsets[page])
          try change(mark, page: page, anchor: anchor)
          reports[mark.id] = report(mark, outcome, score: score, page: page)
        } else {
          reports[mark.id] = try lose(mark, .taken)
        }
      }
    }
    return marks.compactMap { reports[$0.id] }
  }

  private func merge(_ bookmark: BookmarkRecord, into own: BookmarkRecord) throws {
    try own.merge(bookmark, in: transaction)
  }

  /// No written text is lost: text that the memo does not contain yet is appended to it.
  private func merge(_ memo: MemoRecord, into own: MemoRecord) throws {
    try transaction.remove(memo)
    guard !own.text.contains(memo.text) else { return }
    try transaction.change(own) { $0.text += "\n\n" + memo.text }
  }

  // MARK: All marks

  private func change<M: Mark>(_ mark: M, page: Int, anchor: Anchor, _ body: (inout M) -> Void = { _ in }) throws {
    var there = mark
    body(&there)
    var known = try mark.anchor.value()
    (known.hash, known.fileID) = (anchor.hash, anchor.fileID)
    let stored = try StoredJSON(anchor)
    let isSameAnchor = sameBytes(try StoredJSON(known).json, stored.json)
    let isThere = !mark.isOrphan && mark.page == page && mark.document == document.id
    if isThere, isSameAnchor, mark.isPlaced(like: there) { return }
    try transaction.change(mark) { record in
      body(&record)
      record.document = document.id
      record.page = page
      record.anchor = stored
      record.isOrphan = false
    }
  }

  private func lose<M: Mark>(_ mark: M, _ loss: AnchorLoss) throws -> MarkReport {
    try transaction.change(mark) { record in
      record.document = document.id
      record.isOrphan = true
    }
    var report = report(mark, .orphan, score: 1, page: nil)
    report.reason = loss
    return report
  }

  private func report<M: Mark>(
    _ mark: M, _ outcome: AnchorOutcome, score: Double, page: Int?, mergedInto: String? = nil
  ) -> MarkReport {
    MarkReport(
      collection: M.collectionName, id: ItemID(unchecked: mark.id), outcome: outcome,
      score: outcome == .fuzzy ? (score * 1_000).rounded() / 1_000 : nil, reason: nil, from: mark.page, page: page,
      mergedInto: mergedInto.map(ItemID.init(unchecked:)))
  }
}

extension PagePlacement {
  /// How sure a page was found.
  fileprivate var certainty: Double {
    switch self {
    case .found(.exact, _, _): 3
    case .found(.moved, _, _): 2
    case .found(_, _, let score): score
    case .lost: -1
    }
  }
}

extension Mark {
  /// Whether both mark the same lines or the same place.
  fileprivate func isPlaced(like other: Self) -> Bool {
    guard let mine = self as? HighlightRecord, let its = other as? HighlightRecord else { return true }
    return mine.lines == its.lines && mine.shape == its.shape
  }
}
