import Contract
import Wire

/// Objects without a title, one per row, with a column for each of their members:
///
///     clock  client       method                    when              undoable
///     42     commonplace  documents/toggleBookmark  2026-11-21 12:04  yes
///
/// Nothing is cut, an id without room is below its row, and a wide list and a wide heading continue on the next line.
/// There is no table if that does not fit, or if there is longer text.
struct ObjectTable {
  private struct Column {
    var name: String
    var heading: String
    var cells: [String]
    /// Whether its cells may be broken.
    var isList: Bool
    var width: Int { ([heading] + cells).map { TextWidth.columns(of: $0) }.max() ?? 0 }
    /// With the heading broken between its words.
    var leastWidth: Int {
      (heading.split(separator: " ").map(String.init) + cells).map { TextWidth.columns(of: $0) }.max() ?? 0
    }

    func cell(_ row: Int) -> String { row < cells.count ? cells[row] : "" }
  }

  private let columns: [Column]
  private let widths: [Int]
  private let isIDBelow: Bool
  private let rows: Int

  /// A longer text is shown as a paragraph instead.
  private static let longest = 40
  /// A list with less room is not wrapped.
  private static let leastOfList = 16
  private static let indent = "  "

  init?(_ objects: [JSONObject], shape: ObjectShape?, on screen: Screen, width: Int) {
    var columns: [Column] = []
    for (row, object) in objects.enumerated() {
      for member in ShownMember.members(of: object, shape: shape, isInList: true) {
        let isID = sameBytes(member.name, "id")
        guard let words = member.words(on: screen), !words.contains(where: \.isNewline) else { return nil }
        let cell = TerminalText.line(words)
        let isList = member.value.arrayValue != nil
        guard isID || isList || TextWidth.columns(of: cell) <= Self.longest else { return nil }
        let index = columns.firstIndex { sameBytes($0.name, member.name) } ?? columns.endIndex
        if index == columns.endIndex {
          columns.append(Column(name: member.name, heading: screen.label(member.term), cells: [], isList: isList))
        }
        // Preceding rows may have had no such value.
        columns[index].cells += Array(repeating: "", count: row - columns[index].cells.count) + [cell]
      }
    }
    // In the order of the shape, though the first row may lack a later row's member; the id, which is typed next, is
    // last.
    let order = (shape?.fields.map(\.name) ?? []).filter { !sameBytes($0, "id") }
    func place(_ column: Column) -> Int {
      order.firstIndex { sameBytes($0, column.name) } ?? order.count + (sameBytes(column.name, "id") ? 1 : 0)
    }
    columns = columns.enumerated().sorted { left, right in
      (place(left.element), left.offset) < (place(right.element), right.offset)
    }.map(\.element)
    var widths = columns.map(\.width)
    func fits(_ widths: some Collection<Int>) -> Bool {
      widths.reduce(0, +) + TableLayout.gap * (widths.count - 1) <= width
    }
    isIDBelow = !fits(widths) && columns.count > 1 && columns.last.map { sameBytes($0.name, "id") } == true
    let beside = isIDBelow ? columns.dropLast() : columns[...]
    if !fits(widths.prefix(beside.count)), let list = beside.lastIndex(where: \.isList) {
      let others = widths.prefix(beside.count).reduce(-widths[list], +) + TableLayout.gap * (beside.count - 1)
      widths[list] = max(width - others, min(widths[list], Self.leastOfList))
    }
    for index in beside.indices.reversed() where !beside[index].isList && !fits(widths.prefix(beside.count)) {
      let others = widths.prefix(beside.count).reduce(-widths[index], +) + TableLayout.gap * (beside.count - 1)
      widths[index] = max(beside[index].leastWidth, min(widths[index], width - others))
    }
    guard !columns.isEmpty, fits(widths.prefix(beside.count)) else { return nil }
    self.columns = columns
    self.widths = widths
    rows = objects.count
  }

  func lines(_ ink: Ink) -> [String] {
    let beside = isIDBelow ? columns.dropLast() : columns[...]
    return lines(of: beside.map(\.heading)).map(ink.faint)
      + (0..<rows).flatMap { row in
        lines(of: beside.map { $0.cell(row) })
          + (isIDBelow ? columns.suffix(1).map { Self.indent + ink.faint($0.cell(row)) } : [])
      }
  }

  private func lines(of cells: [String]) -> [String] {
    let broken = zip(cells, widths).map { cell, width in
      TextWidth.columns(of: cell) <= width ? [cell] : TerminalText.lines(cell, width: width)
    }
    return (0..<max(broken.map(\.count).max() ?? 1, 1)).map { number in
      line(broken.map { number < $0.count ? $0[number] : "" })
    }
  }

  private func line(_ cells: [String]) -> String {
    let padded = zip(cells, widths).map { cell, width in TextWidth.padded(cell, to: width) }
    let line = padded.joined(separator: String(repeating: " ", count: TableLayout.gap))
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
