/// A page's lines with the boxes around them: computed once for a page that is dragged over dozens of times a second.
struct PageRows: Sendable {
  let layout: PageLayout
  let rows: [Row]

  init(_ layout: PageLayout) {
    self.layout = layout
    rows = layout.lines.compactMap { line in
      let letters = layout.trimmed(line)
      return layout.box(around: letters).map { Row(range: letters, box: $0) }
    }
  }

  /// A line of characters with the box around it.
  struct Row: Sendable {
    var range: Range<Int>
    var box: Box

    /// On a turned page lines run from top to bottom.
    var isUpright: Bool { range.count == 1 || box.width >= box.height }
    var height: Double { isUpright ? box.height : box.width }

    /// How far a point is from the line in the direction in which it runs, and beside it.
    func gap(to point: Point) -> (along: Double, across: Double) {
      let gap = box.gap(to: point)
      return isUpright ? (gap.x, gap.y) : (gap.y, gap.x)
    }

    func runs(over other: Row) -> Bool {
      isUpright
        ? box.left < other.box.right && other.box.left < box.right
        : box.top < other.box.bottom && other.box.top < box.bottom
    }
  }
}
