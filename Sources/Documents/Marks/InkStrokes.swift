import PDF

/// Lines drawn by hand, with fewer points: a pen reports hundreds a second, most of them on the line between their
/// neighbours.
struct InkStrokes {
  /// How far a point may be from the simplified line, in points.
  private static let tolerance = 0.4

  /// x before y.
  let lines: [[Double]]

  /// Lines of one point become dots. Points beside the page are moved to its edge.
  init(_ strokes: [[Double]], on page: StoredPage) {
    lines = strokes.compactMap { stroke in
      let points = stride(from: 0, to: stroke.count - 1, by: 2).map { index in
        Point(x: min(max(stroke[index], 0), page.width), y: min(max(stroke[index + 1], 0), page.height))
      }
      guard let first = points.first else { return nil }
      let kept = points.count == 1 ? [first, first] : Self.simplified(points)
      return kept.flatMap { [$0.x, $0.y].map { ($0 * 100).rounded() / 100 } }
    }
  }

  /// The box around the lines with half of their width on each side; nil if there is none.
  var box: Box? {
    let points = lines.flatMap { line in
      stride(from: 0, to: line.count - 1, by: 2).map { Point(x: line[$0], y: line[$0 + 1]) }
    }
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(), let top = points.map(\.y).min(),
      let bottom = points.map(\.y).max()
    else { return nil }
    let margin = AnnotationEdit.inkWidth / 2
    return Box(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  /// Douglas and Peucker's algorithm, with an explicit stack.
  private static func simplified(_ points: [Point]) -> [Point] {
    var isKept = [Bool](repeating: false, count: points.count)
    (isKept[0], isKept[points.count - 1]) = (true, true)
    var parts = [0..<points.count - 1]
    while let part = parts.popLast() {
      let (first, last) = (points[part.lowerBound], points[part.upperBound])
      let (x, y) = (last.x - first.x, last.y - first.y)
      let length = (x * x + y * y).squareRoot()
      var farthest = (index: part.lowerBound, distance: tolerance)
      for index in part.dropFirst() {
        let (right, down) = (points[index].x - first.x, points[index].y - first.y)
        let distance =
          length == 0 ? (right * right + down * down).squareRoot() : abs(x * down - y * right) / length
        if distance > farthest.distance { farthest = (index, distance) }
      }
      guard farthest.index > part.lowerBound else { continue }
      isKept[farthest.index] = true
      parts += [part.lowerBound..<farthest.index, farthest.index..<part.upperBound]
    }
    return zip(points, isKept).filter(\.1).map(\.0)
  }
}
