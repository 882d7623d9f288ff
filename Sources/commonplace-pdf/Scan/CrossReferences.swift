import Glibc

/// The offsets of a file's objects according to its cross-reference tables, newest first.
///
/// Like ``Syntax`` it repairs nothing. A file is not read if its tables are damaged, if it is encrypted, or if a table
/// refers to a second one of the other format for missing objects (`XRefStm`).
final class CrossReferences {
  enum Place {
    /// A free object, which counts as null.
    case free
    /// Offset from the beginning of the file.
    case offset(Int)
    case packed(stream: Int, index: Int)
  }

  private enum Section {
    /// Lines of twenty bytes from this offset.
    case lines(first: Int, count: Int, offset: Int)
    case rows(first: Int, count: Int, offset: Int, table: Int)
  }

  private struct Table {
    var rows: [UInt8]
    var widths: [Int]
    let width: Int
  }

  private static let mostTables = 64
  /// Sections are searched linearly for each object.
  private static let mostSections = 2_048
  /// The most bytes of rows in all tables, which stay decompressed in memory.
  private static let mostRows = 32 * 1_024 * 1_024
  private static let mostObjects = 10_000_000

  let trailer: [String: PDFValue]
  private let file: UnsafeRawBufferPointer
  private var sections: [Section] = []
  private var tables: [Table] = []

  init?(_ file: UnsafeRawBufferPointer) {
    self.file = file
    guard position(of: "%PDF-", in: UnsafeRawBufferPointer(rebasing: file.prefix(5))) == 0,
      let start = Self.start(of: file)
    else { return nil }
    var newest: [String: PDFValue]?
    var next: Int? = start
    var seen: Set<Int> = []
    // Local variables until the trailer is known and `self` can be initialized.
    var sections: [Section] = []
    var tables: [Table] = []
    while let offset = next {
      guard seen.insert(offset).inserted, seen.count <= Self.mostTables, 0..<file.count ~= offset,
        let trailer = Self.read(file, at: offset, &sections, &tables), trailer["XRefStm"] == nil
      else { return nil }
      newest = newest ?? trailer
      switch trailer["Prev"] {
      case nil: next = nil
      case .some(let previous):
        guard let previous = previous.integer else { return nil }
        next = previous
      }
    }
    guard let newest, newest["Encrypt"] == nil else { return nil }
    trailer = newest
    self.sections = sections
    self.tables = tables
  }

  /// The location of an object. Nil for an unsupported entry, and for objects of other generations than the first.
  func place(of object: Int) -> Place? {
    for section in sections {
      switch section {
      case .lines(let first, let count, let offset):
        guard first..<first + count ~= object else { continue }
        return line(at: offset + 20 * (object - first))
      case .rows(let first, let count, let offset, let table):
        guard first..<first + count ~= object else { continue }
        return row(at: offset + object - first, of: tables[table])
      }
    }
    return .free
  }

  private func line(at offset: Int) -> Place? {
    var syntax = Syntax(UnsafeRawBufferPointer(rebasing: file[offset..<offset + 20]), hasReferences: false)
    guard let place = syntax.value()?.integer, let generation = syntax.value()?.integer, let kind = syntax.value()
    else { return nil }
    if kind.isWord("f") { return .free }
    return kind.isWord("n") && place > 0 && generation == 0 ? .offset(place) : nil
  }

  private func row(at index: Int, of table: Table) -> Place? {
    var at = index * table.width
    guard index >= 0, at + table.width <= table.rows.count else { return nil }
    var fields: [Int] = []
    for width in table.widths {
      fields.append(table.rows[at..<at + width].reduce(0) { $0 << 8 | Int($1) })
      at += width
    }
    switch table.widths[0] == 0 ? 1 : fields[0] {
    case 0: return .free
    case 1: return fields[2] == 0 ? .offset(fields[1]) : nil
    case 2: return .packed(stream: fields[1], index: fields[2])
    default: return nil
    }
  }

  /// The offset of the newest table, from the last `startxref` in the last `count` bytes of the file.
  static func start(of file: UnsafeRawBufferPointer, within count: Int = 1_024) -> Int? {
    var end = UnsafeRawBufferPointer(rebasing: file.suffix(count))
    var start: Int?
    while let found = position(of: "startxref", in: end) {
      end = UnsafeRawBufferPointer(rebasing: end[(found + 9)...])
      var syntax = Syntax(end, hasReferences: false)
      start = syntax.value()?.integer
    }
    return start
  }

  private static func read(
    _ file: UnsafeRawBufferPointer, at offset: Int, _ sections: inout [Section], _ tables: inout [Table]
  ) -> [String: PDFValue]? {
    var syntax = Syntax(file, at: offset)
    guard let first = syntax.value() else { return nil }
    if first.isWord("xref") { return lines(file, &syntax, &sections) }
    guard first.integer != nil, syntax.value()?.integer == 0, syntax.takes("obj"),
      let stream = PDFStream(file, from: &syntax, length: { $0.integer }), stream.entries["Type"]?.name == "XRef"
    else { return nil }
    return rows(stream, &sections, &tables) ? stream.entries : nil
  }

  private static func lines(
    _ file: UnsafeRawBufferPointer, _ syntax: inout Syntax, _ sections: inout [Section]
  ) -> [String: PDFValue]? {
    while let value = syntax.value() {
      if value.isWord("trailer") { return syntax.value()?.entries }
      guard let first = value.integer, let count = syntax.value()?.integer, first >= 0, 0...mostObjects ~= count,
        first <= mostObjects
      else { return nil }
      var offset = syntax.position
      while offset < file.count, isBlank(file[offset]) { offset += 1 }
      guard offset + 20 * count <= file.count else { return nil }
      // poppler shifts a table that begins with the free object but is numbered from 1.
      if first == 1, count > 0, file[offset + 17] == UInt8(ascii: "f") { return nil }
      guard sections.count < mostSections else { return nil }
      sections.append(.lines(first: first, count: count, offset: offset))
      syntax = Syntax(file, at: offset + 20 * count)
    }
    return nil
  }

  private static func rows(_ stream: PDFStream, _ sections: inout [Section], _ tables: inout [Table]) -> Bool {
    guard let size = stream.entries["Size"]?.integer, 0...mostObjects ~= size,
      let widths = stream.entries["W"]?.list?.map({ $0.integer ?? -1 }), widths.count == 3,
      widths.allSatisfy((0...8).contains), widths[1] > 0
    else { return false }
    let width = widths.reduce(0, +)
    let rest = mostRows - tables.reduce(0) { $0 + $1.rows.count }
    // Compressed rows have one more byte each. Some writers append a line break.
    guard let rows = stream.unpacked(most: min(rest, size * (width + 1) + 2)) else { return false }
    let table = Table(rows: rows, widths: widths, width: width)
    let index = stream.entries["Index"]?.list?.map { $0.integer ?? -1 } ?? [0, size]
    guard index.count.isMultiple(of: 2) else { return false }
    var offset = 0
    for pair in stride(from: 0, to: index.count, by: 2) {
      let (first, count) = (index[pair], index[pair + 1])
      guard 0...mostObjects ~= first, 0...mostObjects ~= count,
        (offset + count) * table.width <= table.rows.count, sections.count < mostSections
      else { return false }
      sections.append(.rows(first: first, count: count, offset: offset, table: tables.count))
      offset += count
    }
    tables.append(table)
    return true
  }
}
