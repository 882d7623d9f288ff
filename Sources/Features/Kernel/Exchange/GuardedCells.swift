/// Cells that a spreadsheet would take for formulas, with an apostrophe before them (OWASP, “CSV Injection”): titles and
/// descriptions are words of catalogues and other files, and not the reader's own.
///
/// The last column names the columns of a row that have got one, so that what comes back loses no other apostrophe.
enum GuardedCells {
  static let column = "guarded"

  /// What an export says of its parameter `spreadsheet`. `reader` is the method that takes such a table back.
  static func note(_ reader: String) -> String {
    "Whether the table of `csv` is for a spreadsheet, which takes a cell that begins with `=`, `+`, `-` or "
      + "`@` for a formula: such a cell gets an apostrophe before it, and a last column, `guarded`, names the columns "
      + "that have got one, by which \(reader) takes it off again. Default: cells are written as they are."
  }

  /// What formulas begin with, and what programs skip before one.
  private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n"]

  static func line(_ cells: [String], of columns: [String]) -> String {
    var (cells, guarded) = (cells, [String]())
    for (place, cell) in cells.enumerated() {
      guard let first = cell.unicodeScalars.first, beginnings.contains(first) else { continue }
      cells[place] = "'" + cell
      guarded.append(columns[place])
    }
    return DelimitedText.line(cells + [guarded.joined(separator: "; ")])
  }

  /// A row as it was before.
  static func opened(_ row: NamedRows.Row) -> NamedRows.Row {
    guard let guarded = row[column] else { return row }
    var row = row
    for name in guarded.split(separator: "; ").map(String.init) + [column] {
      guard let place = row.names.firstIndex(of: name), row.cells.indices.contains(place) else { continue }
      if name == column {
        row.cells[place] = ""
      } else if row.cells[place].hasPrefix("'") {
        row.cells[place].removeFirst()
      }
    }
    return row
  }
}
