import Contract
import Wire

/// Objects without a title in rows below each other, a column for each of their members:
///
///     clock  client       method                    when              undoable
///     42     commonplace  documents/toggleBookmark  2026-11-21 12:04  yes
///
/// Nothing is cut, and an id that has no room stands below its row. There is no table where that does not fit, or where
/// there is something to read.
struct ObjectTable {
  private struct Column {
    var name: String
    var heading: String
    var cells: [String]
    var width: Int { ([heading] + cells).map { TextWidth.columns(of: $0) }.max() ?? 0 }

    func cell(_ row: Int) -> String { row < cells.count ? cells[row] : "" }
  }

  private let columns: [Column]
  private let isIDBelow: Bool
  private let rows: Int

  /// A text that is longer is one to read.
  private static let longest = 40
  private static let indent = "  "

  init?(_ objects: [JSONObject], shape: ObjectShape?, on screen: Screen, width: Int) {
    var columns: [Column] = []
    for (row, object) in objects.enumerated() {
      for member in ShownMember.members(of: object, shape: shape, isInList: true) {
        let isID = sameBytes(member.name, "id")
        guard let words = member.words(on: screen), !words.contains(where: \.isNewline) else { return nil }
        let cell = TerminalText.line(words)
        guard isID || TextWidth.columns(of: cell) <= Self.longest else { return nil }
        let index = columns.firstIndex { sameBytes($0.name, member.name) } ?? columns.endIndex
        if index == columns.endIndex {
          columns.append(Column(name: member.name, heading: screen.label(member.name), cells: []))
        }
        // Rows before may have had nothing to say there.
        columns[index].cells += Array(repeating: "", count: row - columns[index].cells.count) + [cell]
      }
    }
    // In the order of the shape, though the first row may lack what a later one has; what is typed next stands last.
    let order = (shape?.fields.map(\.name) ?? []).filter { !sameBytes($0, "id") }
    func place(_ column: Column) -> Int {
      order.firstIndex { sameBytes($0, column.name) } ?? order.count + (sameBytes(column.name, "id") ? 1 : 0)
    }
    columns = columns.enumerated().sorted { left, right in
      (place(left.element), left.offset) < (place(right.element), right.offset)
    }.map(\.element)
    let widths = columns.map(\.width)
    func fits(_ widths: some Collection<Int>) -> Bool {
      widths.reduce(0, +) + TableLayout.gap * (widths.count - 1) <= width
    }
    isIDBelow = !fits(widths) && columns.count > 1 && columns.last.map { sameBytes($0.name, "id") } == true
    guard !columns.isEmpty, fits(isIDBelow ? widths.dropLast() : widths[...]) else { return nil }
    self.columns = columns
    rows = objects.count
  }

  func lines(_ ink: Ink) -> [String] {
    let beside = isIDBelow ? columns.dropLast() : columns[...]
    return [ink.faint(line(beside.map(\.heading), beside))]
      + (0..<rows).flatMap { row in
        [line(beside.map { $0.cell(row) }, beside)]
          + (isIDBelow ? columns.suffix(1).map { Self.indent + ink.faint($0.cell(row)) } : [])
      }
  }

  private func line(_ cells: [String], _ columns: ArraySlice<Column>) -> String {
    let padded = zip(cells, columns).map { cell, column in TextWidth.padded(cell, to: column.width) }
    let line = padded.joined(separator: String(repeating: " ", count: TableLayout.gap))
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
