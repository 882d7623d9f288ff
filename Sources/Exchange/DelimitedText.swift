import Kit
import Wire

/// A table as text: RFC 4180, and common deviations from it.
///
/// A cell in quotation marks may contain delimiters, line ends and doubled quotation marks. Lines end at CRLF, LF or
/// CR. A byte order mark at the beginning is skipped. A quotation mark inside a cell that does not begin with one is an
/// ordinary character: Goodreads writes `="0439785960"` to keep a spreadsheet from converting it to a number.
package struct DelimitedText: Sendable {
  struct Row: Sendable, Equatable {
    var cells: [String]
    /// The number of its first line, from 1.
    var line: Int
  }

  private(set) var rows: [Row] = []

  /// If `delimiter` is nil, it is detected in the first line: the most frequent of tab, semicolon and comma; among
  /// equally frequent ones, the one that is rarer in texts.
  ///
  /// - Throws: `WrongFormat` for NUL bytes, bytes that are not UTF-8 or an open quotation mark, or the error of
  ///   `checkCancelled`.
  package init(_ bytes: [UInt8], delimiter: UInt8? = nil, checkCancelled: () throws -> Void = {}) throws {
    let start = bytes.withoutByteOrderMark.startIndex
    guard !bytes.contains(0) else { throw WrongFormat(reason: "hasNUL") }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw WrongFormat(reason: "notUTF8") }
    let delimiter = delimiter ?? Self.delimiter(of: bytes[start...])
    var place = start
    var line = 1
    while place < bytes.count {
      var row = Row(cells: [], line: line)
      repeat {
        row.cells.append(try Self.cell(bytes, &place, &line, delimiter))
      } while Self.take(delimiter, bytes, &place)
      Self.takeLineEnd(bytes, &place, &line)
      // An empty line is no row.
      if row.cells != [""] { rows.append(row) }
      if rows.count.isMultiple(of: 1_024) { try checkCancelled() }
    }
  }

  private static func cell(
    _ bytes: [UInt8], _ place: inout Int, _ line: inout Int, _ delimiter: UInt8
  ) throws(WrongFormat) -> String {
    guard place < bytes.count else { return "" }
    guard bytes[place] == UInt8(ascii: "\"") else {
      let start = place
      while place < bytes.count, bytes[place] != delimiter, !isLineEnd(bytes[place]) { place += 1 }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
    let first = line
    var cell: [UInt8] = []
    place += 1
    while true {
      guard place < bytes.count else { throw WrongFormat(reason: "openQuote", line: first) }
      if bytes[place] == UInt8(ascii: "\"") {
        place += 1
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { break }
      } else if bytes[place] == 0x0A || bytes[place] == 0x0D && !(place + 1 < bytes.count && bytes[place + 1] == 0x0A) {
        line += 1
      }
      cell.append(bytes[place])
      place += 1
    }
    // Text after the closing quotation mark belongs to the cell, though that is not valid CSV.
    while place < bytes.count, bytes[place] != delimiter, !isLineEnd(bytes[place]) {
      cell.append(bytes[place])
      place += 1
    }
    return String(decoding: cell, as: UTF8.self)
  }

  private static func take(_ delimiter: UInt8, _ bytes: [UInt8], _ place: inout Int) -> Bool {
    guard place < bytes.count, bytes[place] == delimiter else { return false }
    place += 1
    return true
  }

  private static func takeLineEnd(_ bytes: [UInt8], _ place: inout Int, _ line: inout Int) {
    guard place < bytes.count, isLineEnd(bytes[place]) else { return }
    if bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] == 0x0A { place += 1 }
    place += 1
    line += 1
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func delimiter(of bytes: ArraySlice<UInt8>) -> UInt8 {
    let head = bytes.prefix { !isLineEnd($0) }
    let counted = [0x09, UInt8(ascii: ";"), UInt8(ascii: ",")].map { delimiter in
      (delimiter, head.count { $0 == delimiter })
    }
    return counted.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil } ?? UInt8(ascii: ",")
  }

  // MARK: - Writing

  /// One line with its end, by RFC 4180: with quotation marks only where needed.
  package static func line(_ cells: [String]) -> String {
    cells.map { cell in
      let needsQuotes =
        cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.first == " " || cell.last == " "
      return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }.joined(separator: ",") + "\r\n"
  }
}

/// A table whose first row names its columns. Names are case-insensitive.
package struct NamedRows: Sendable {
  package struct Row: Sendable {
    var names: [String]
    var cells: [String]
    /// From 1, without the row of names.
    package var number: Int
    package var line: Int

    /// The cell of a column, without surrounding white space; `nil` if it is blank or the column does not exist.
    package subscript(name: String) -> String? {
      guard let place = names.firstIndex(where: { $0.lowercased() == name.lowercased() }), cells.indices.contains(place)
      else { return nil }
      return cells[place].readable
    }

    /// A cell with its white space; nil if it is empty.
    package func exact(_ name: String) -> String? {
      guard let place = names.firstIndex(where: { $0.lowercased() == name.lowercased() }),
        cells.indices.contains(place),
        !cells[place].isEmpty
      else { return nil }
      return cells[place]
    }

    /// Every non-empty cell by its column name; cells beyond the named columns by their number.
    package var members: JSONObject {
      var object: JSONObject = [:]
      for (place, cell) in cells.enumerated() where !cell.isEmpty {
        object[names.indices.contains(place) ? names[place] : "#\(place + 1)"] = .string(cell)
      }
      return object
    }

    package var isBlank: Bool { cells.allSatisfy { $0.readable == nil } }
  }

  let names: [String]
  package let rows: [Row]

  /// - Throws: `WrongFormat` for a table without rows.
  package init(_ table: DelimitedText) throws(WrongFormat) {
    guard let head = table.rows.first else { throw WrongFormat(reason: "noColumns") }
    names = head.cells.map { $0.readable ?? "" }
    let names = names
    rows = table.rows.dropFirst().enumerated().map { place, row in
      Row(names: names, cells: row.cells, number: place + 1, line: row.line)
    }
  }

  package func has(_ columns: String...) -> Bool {
    columns.allSatisfy { column in names.contains { $0.lowercased() == column.lowercased() } }
  }
}
