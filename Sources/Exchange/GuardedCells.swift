import Kit

/// Puts an apostrophe before cells that a spreadsheet would treat as a formula (OWASP, “CSV Injection”): titles and
/// descriptions come from catalogues and other files, not from the user.
///
/// If the list separator is a semicolon, as in most of Europe, a spreadsheet splits a cell at each of its semicolons,
/// tabs and line ends, quoted or not. So each part of a cell may be a formula: in `Kim; =1+1` the second one.
///
/// The last column names the guarded columns of a row, so that an import removes no other apostrophe.
package enum GuardedCells {
  package static let column = "guarded"

  /// The note on the parameter `spreadsheet`. `reader` is the method that imports such a table.
  package static func note(_ reader: String) -> String {
    "Whether the `csv` table is for a spreadsheet, which parses text after `=`, `+`, `-` or `@` as a formula, at the "
      + "beginning of a cell or after a `;`, tab or line end in it. If true, an apostrophe is put before such text, and "
      + "a last column, `guarded`, names the columns that have one, so that \(reader) can remove it. Default: cells are "
      + "written unchanged."
  }

  private static let formulas: Set<Unicode.Scalar> = ["=", "+", "-", "@"]
  private static let separators: Set<Unicode.Scalar> = [";", "\t", "\r", "\n"]
  /// Characters that programs skip at the beginning of a cell.
  private static let skipped: Set<Unicode.Scalar> = ["\t", "\r", "\n"]

  /// The apostrophes before each formula of a cell; an empty range if there is none.
  private static func marks(in cell: String) -> [Range<String.Index>] {
    let scalars = cell.unicodeScalars
    var marks: [Range<String.Index>] = []
    var part = scalars.startIndex
    while part < scalars.endIndex {
      let start = scalars[part...].firstIndex { $0 != " " && $0 != "\"" } ?? scalars.endIndex
      let end = scalars[start...].firstIndex { $0 != "'" } ?? scalars.endIndex
      if end < scalars.endIndex {
        let isSkipped = start == scalars.startIndex && skipped.contains(scalars[end])
        if formulas.contains(scalars[end]) || isSkipped { marks.append(start..<end) }
      }
      part = scalars[end...].firstIndex(where: separators.contains).map(scalars.index(after:)) ?? scalars.endIndex
    }
    return marks
  }

  /// - Returns: nil for a cell that needs no guard.
  private static func guarded(_ cell: String) -> String? {
    let marks = marks(in: cell)
    if marks.isEmpty { return nil }
    var cell = cell
    for mark in marks.reversed() { cell.unicodeScalars.insert("'", at: mark.lowerBound) }
    return cell
  }

  /// The original text of a cell in a guarded column.
  private static func opened(_ cell: String) -> String {
    var opened = cell
    for mark in marks(in: cell).reversed() where !mark.isEmpty { opened.unicodeScalars.remove(at: mark.lowerBound) }
    return opened
  }

  package static func line(_ cells: [String], of columns: [String]) -> String {
    var (cells, guarded) = (cells, [String]())
    for (place, cell) in cells.enumerated() {
      guard let cell = Self.guarded(cell) else { continue }
      cells[place] = cell
      guarded.append(columns[place])
    }
    return DelimitedText.line(cells + [guarded.joined(separator: "; ")])
  }

  /// The original row.
  package static func opened(_ row: NamedRows.Row) -> NamedRows.Row {
    guard let guarded = row[column] else { return row }
    var row = row
    for name in guarded.split(separator: "; ").map(String.init) + [column] {
      guard let place = row.names.firstIndex(of: name), row.cells.indices.contains(place) else { continue }
      row.cells[place] = name == column ? "" : opened(row.cells[place])
    }
    return row
  }
}
