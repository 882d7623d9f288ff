/// The end of a drag in the text.
///
/// On a character it selects that character. In a margin it is between two characters, as a text cursor, and selects
/// none: so a drag along an empty margin selects nothing, and a drag that begins or ends there selects the line from
/// its beginning or to its end:
///
///     above a paragraph               before its first character
///     beside a line                   before the line's first character, or after its last
///     below a paragraph               after its last character
///
/// A point between two lines or two words of the text belongs to the nearest character: pointing is not that precise.
extension PageRows {
  /// One character, or an empty range between two; nil on a page without text.
  func end(at point: Point) -> Range<Int>? {
    guard let line = row(for: point), let nearest = letter(of: line, nearest: point) else { return nil }
    let boxes = layout.boxes
    let gap = line.gap(to: point)
    if gap.across > line.height / 2 {
      let place = isAfter(point, line) ? line.range.upperBound : line.range.lowerBound
      return place..<place
    }
    let beside = line.isUpright ? boxes[nearest].gap(to: point).x : boxes[nearest].gap(to: point).y
    if beside == 0 || (gap.along == 0 && beside <= line.height) { return nearest..<nearest + 1 }
    let place = isAfter(point, nearest, in: line) ? nearest + 1 : nearest
    return place..<place
  }

  /// The line of a point. First the nearest column, by the lines that run below and above the point, and then the
  /// line of this column at the point's height or closest to it: a short line's margin is its own, not that of a
  /// longer line above it, and not that of the next column.
  private func row(for point: Point) -> Row? {
    let nearest = rows.min { left, right in
      let (left, right) = (left.gap(to: point), right.gap(to: point))
      return (left.along, left.across) < (right.along, right.across)
    }
    guard let nearest else { return nil }
    return rows.filter { $0.runs(over: nearest) }.min { left, right in
      let (left, right) = (left.gap(to: point), right.gap(to: point))
      return (left.across, left.along) < (right.across, right.along)
    }
  }

  private func letter(of line: Row, nearest point: Point) -> Int? {
    let boxes = layout.boxes
    func distance(_ index: Int) -> Double {
      let gap = boxes[index].gap(to: point)
      return gap.x * gap.x + gap.y * gap.y
    }
    var nearest: (index: Int, distance: Double)?
    for index in line.range where boxes[index].area > 0 {
      let distance = distance(index)
      if nearest.map({ distance < $0.distance }) ?? true { nearest = (index, distance) }
    }
    return nearest?.index
  }

  /// Whether a point above or below a line is on the side of the text that follows it. Text that runs down the page
  /// continues to the left, as on a page that is rotated to the right.
  private func isAfter(_ point: Point, _ line: Row) -> Bool {
    let boxes = layout.boxes
    if line.isUpright { return point.y > line.box.center.y }
    let runsDown = boxes[line.range.upperBound - 1].center.y > boxes[line.range.lowerBound].center.y
    return runsDown ? point.x < line.box.center.x : point.x > line.box.center.x
  }

  /// Whether a point beside a character is on the side of the next one, whatever the direction of the line.
  private func isAfter(_ point: Point, _ index: Int, in line: Row) -> Bool {
    let boxes = layout.boxes
    func place(_ point: Point) -> Double { line.isUpright ? point.x : point.y }
    let here = place(boxes[index].center)
    let isBeyond = place(point) > here
    if index + 1 < line.range.upperBound { return isBeyond == (place(boxes[index + 1].center) > here) }
    if index > line.range.lowerBound { return isBeyond == (place(boxes[index - 1].center) < here) }
    return isBeyond
  }
}
