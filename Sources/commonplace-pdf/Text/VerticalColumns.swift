import PDF

// Text in vertical columns, read from the rightmost column, as in Chinese and Japanese books. poppler 22.12 returns the
// characters of each column in order, and the columns like words of a line: from left to right, and those of the upper
// half of a page between those of the lower half.

extension DirectedText {
  /// A part of a column: vertically consecutive characters.
  private struct Column {
    var range: Range<Int>
    var left: Int
    var right: Int
    var top: Int
    var bottom: Int
  }

  /// Puts columns in reading order, on a page with most characters in such columns: tiers from the top, in each of them
  /// columns from the right. Each column becomes a line.
  mutating func orderColumns(_ boxes: inout [CharacterBox]) {
    guard scalars.contains(where: isIdeographic) else { return }
    let columns = columns(boxes)
    let letters = scalars.count { !$0.isSpace }
    let lettersInColumns = columns.reduce(0) { $0 + ($1.range.count > 1 ? $1.range.count : 0) }
    guard 5 * lettersInColumns > 4 * letters else { return }
    var newScalars: [Unicode.Scalar] = []
    var newBoxes: [CharacterBox] = []
    var last: Column?
    for column in inReadingOrder(columns) {
      if let last {
        newScalars.append("\n")
        let (left, bottom) = (Int16(clamping: last.left), Int16(clamping: last.bottom))
        newBoxes.append(CharacterBox(left: left, top: bottom, right: left, bottom: bottom))
      }
      newScalars += scalars[column.range]
      newBoxes += boxes[column.range]
      last = column
    }
    scalars = newScalars
    boxes = newBoxes
    runs = []
  }

  private func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    (0x3040...0x30FF).contains(scalar.value) || scalar.isIdeograph
  }

  /// Runs of characters, without blanks, each of which is directly below the previous one.
  private func columns(_ boxes: [CharacterBox]) -> [Column] {
    var columns: [Column] = []
    for index in scalars.indices where !scalars[index].isSpace {
      let box = boxes[index]
      let (left, right) = (Int(min(box.left, box.right)), Int(max(box.left, box.right)))
      let (top, bottom) = (Int(box.top), Int(box.bottom))
      let width = max(1, right - left)
      if let column = columns.last, column.range.upperBound == index,
        abs(left + right - column.left - column.right) < width, abs(top - column.bottom) < width
      {
        columns[columns.count - 1] = Column(
          range: column.range.lowerBound..<index + 1, left: min(left, column.left), right: max(right, column.right),
          top: column.top, bottom: bottom)
      } else {
        columns.append(Column(range: index..<index + 1, left: left, right: right, top: top, bottom: bottom))
      }
    }
    return columns
  }

  private func inReadingOrder(_ columns: [Column]) -> [Column] {
    var tiers: [(bottom: Int, columns: [Column])] = []
    for column in columns.sorted(by: { $0.top < $1.top }) {
      if let last = tiers.last, column.top < last.bottom {
        tiers[tiers.count - 1].columns.append(column)
        tiers[tiers.count - 1].bottom = max(last.bottom, column.bottom)
      } else {
        tiers.append((column.bottom, [column]))
      }
    }
    // Parts of one column with a gap between them are read from its top.
    return tiers.flatMap { tier in
      var rows: [[Column]] = []
      for column in tier.columns.sorted(by: { $0.left + $0.right > $1.left + $1.right }) {
        if let row = rows.last?.last,
          abs(row.left + row.right - column.left - column.right) < column.right - column.left
        {
          rows[rows.count - 1].append(column)
        } else {
          rows.append([column])
        }
      }
      return rows.flatMap { $0.sorted { $0.top < $1.top } }
    }
  }
}
