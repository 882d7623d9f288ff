import PDF
import Store

/// The place of a mark that covers no lines of text: a note at a point, an area, a drawing by hand, or an imported
/// mark of another kind.
///
///     {"quad": [72, 90, 240, 90, 240, 190, 72, 190], "strokes": [[80, 100, 90, 110]], "text": [72, 60, …], "offset": 31}
///
/// Its anchor is the text in it or beside it, if there is any. When the document gets other bytes the shape moves with
/// that text. Otherwise its anchor is its page, and it keeps its place there.
struct PageShape: Codable, Equatable, Sendable {
  /// The box around it, as four corners in points from the top left of the displayed page.
  var quad: [Double]
  /// The lines of a drawing, x before y; nil for other marks.
  var strokes: [[Double]]?
  /// The box around the anchor's text when the shape was placed; nil if its anchor is its page.
  var text: [Double]?
  /// Where the anchor's text begins, in Unicode scalars of the page's text.
  var offset: Int?

  init(_ box: Box, strokes: [[Double]]? = nil) {
    quad = box.quad
    self.strokes = strokes?.isEmpty == true ? nil : strokes
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    quad = try TextPlace.checked(quad: fields.decode([Double].self, forKey: .quad))
    guard quad.count == 8 else { throw StoreError.broken(path: "", reason: "quad") }
    strokes = try fields.decodeIfPresent([[Double]].self, forKey: .strokes).map { strokes in
      guard strokes.count <= HostileInput.mostStrokes else { throw StoreError.broken(path: "", reason: "strokes") }
      return try strokes.map { try TextPlace.checked(line: $0) }
    }
    text = try fields.decodeIfPresent([Double].self, forKey: .text).map { text in
      guard text.count == 8 else { throw StoreError.broken(path: "", reason: "quad") }
      return try TextPlace.checked(quad: text)
    }
    offset = try fields.decodeIfPresent(Int.self, forKey: .offset).map {
      try TextPlace.checked($0, CodingKeys.offset)
    }
  }

  var box: Box { Box(quad: quad) }

  func moved(x: Double, y: Double) -> PageShape {
    func moved(_ points: [Double]) -> [Double] {
      points.enumerated().map { (($0.element + ($0.offset.isMultiple(of: 2) ? x : y)) * 1_000).rounded() / 1_000 }
    }
    var shape = self
    shape.quad = moved(quad)
    shape.strokes = strokes?.map(moved)
    return shape
  }

  /// Whether its middle is on a page.
  func isOn(_ page: StoredPage) -> Bool {
    Box(left: 0, top: 0, right: page.width, bottom: page.height).contains(box.center)
  }

  // MARK: Anchors

  /// The farthest that a line of text beside it may be, in points.
  private static let farthestText = 100.0
  /// The longest text of an anchor, in Unicode scalars.
  private static let longestText = 1_000

  /// The shape with its anchor on a page.
  ///
  /// - Parameter layout: nil if the page's text is not available.
  func anchored(
    in layout: PageLayout?, page: StoredPage, of document: DocumentRecord, snapshot: Snapshot
  ) throws -> (shape: PageShape, anchor: Anchor) {
    var shape = self
    guard let layout, let range = textRange(in: layout), let box = layout.box(around: range) else {
      (shape.text, shape.offset) = (nil, nil)
      return (shape, try Anchor.of(page, document: document, snapshot: snapshot))
    }
    (shape.text, shape.offset) = (box.quad, range.lowerBound)
    return (shape, try Anchor.of(range, in: layout, page: page, document: document, snapshot: snapshot))
  }

  /// The longest run of text in it; else the nearest line. Nil if there is none.
  private func textRange(in layout: PageLayout) -> Range<Int>? {
    guard layout.hasPlaces else { return nil }
    let box = box
    var (longest, run) = (0..<0, 0..<0)
    for index in layout.scalars.indices where !layout.scalars[index].isBlank {
      guard box.contains(layout.boxes[index].center) else {
        run = index + 1..<index + 1
        continue
      }
      run = (run.isEmpty ? index : run.lowerBound)..<index + 1
      if run.count > longest.count, run.count <= Self.longestText { longest = run }
    }
    if !longest.isEmpty { return longest }
    let lines = layout.lines.compactMap { line -> (range: Range<Int>, distance: Double)? in
      let range = layout.trimmed(line)
      guard !range.isEmpty, let text = layout.box(around: range) else { return nil }
      let x = max(text.left - box.right, 0, box.left - text.right)
      let y = max(text.top - box.bottom, 0, box.top - text.bottom)
      return (range, (x * x + y * y).squareRoot())
    }
    guard let nearest = lines.min(by: { $0.distance < $1.distance }), nearest.distance <= Self.farthestText else {
      return nil
    }
    return nearest.range.prefix(Self.longestText)
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range { lowerBound..<Swift.min(upperBound, lowerBound + count) }
}
