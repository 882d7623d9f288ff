import Glibc

/// An incremental update that poppler appended to a document: its objects, and its cross-reference table, to which a
/// further update refers.
///
/// Only reads the formats that poppler writes: tables without free objects between the other lines, or uncompressed
/// cross-reference streams.
struct DocumentUpdate {
  struct Object {
    var number: Int
    var generation: Int
    /// Offset from the beginning of the document.
    var offset: Int
  }

  let bytes: [UInt8]
  private(set) var objects: [Object] = []
  /// The number of the next new object.
  private(set) var size = 0
  private let start: Int
  private let table: Int
  private var isStream = false
  /// The trailer entries that are the same in each update.
  private var lasting: [UInt8] = []

  /// Nil for any other format.
  ///
  /// - Parameter start: offset of the update in the document.
  init?(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    self.start = start
    guard let table = bytes.withUnsafeBytes({ CrossReferences.start(of: $0, within: 64) }), table >= start else {
      return nil
    }
    self.table = table
    let isRead = bytes.withUnsafeBytes { read($0) }
    guard isRead else { return nil }
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var syntax = Syntax(bytes, at: table - start)
    guard let first = syntax.value() else { return false }
    let entries: [String: PDFValue]
    let dictionary: Int
    if first.isWord("xref") {
      while true {
        let value = syntax.value()
        if value?.isWord("trailer") == true { break }
        guard let number = value?.integer, let count = syntax.value()?.integer, readLines(number, count, &syntax)
        else { return false }
      }
      dictionary = syntax.position
      guard let trailer = syntax.value()?.entries else { return false }
      entries = trailer
    } else {
      guard first.integer != nil, syntax.value()?.integer == 0, syntax.takes("obj") else { return false }
      dictionary = syntax.position
      guard let stream = PDFStream(bytes, from: &syntax, length: { $0.integer }), readRows(stream) else { return false }
      entries = stream.entries
      isStream = true
    }
    guard let size = entries["Size"]?.integer, size > 0, let opening = position(of: "<<", in: rest(bytes, dictionary))
    else { return false }
    self.size = size
    return copyLasting(bytes, at: dictionary + opening + 2)
  }

  private func rest(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[offset...])
  }

  private mutating func readLines(_ first: Int, _ count: Int, _ syntax: inout Syntax) -> Bool {
    guard first >= 0, 0...bytes.count ~= count else { return false }
    for number in first..<first + count {
      guard let offset = syntax.value()?.integer, let generation = syntax.value()?.integer,
        case .word(let kind)? = syntax.value()
      else { return false }
      if kind == "n" { objects.append(Object(number: number, generation: generation, offset: offset)) }
    }
    return true
  }

  private mutating func readRows(_ stream: PDFStream) -> Bool {
    guard stream.entries["Filter"] == nil, let widths = stream.entries["W"]?.list?.compactMap(\.integer),
      widths.count == 3, widths.allSatisfy((1...7).contains),
      let index = stream.entries["Index"]?.list?.compactMap(\.integer), index.count.isMultiple(of: 2)
    else { return false }
    let rows = [UInt8](stream.packed)
    var at = 0
    func field(_ width: Int) -> Int {
      defer { at += width }
      return rows[at..<at + width].reduce(0) { $0 << 8 | Int($1) }
    }
    for pair in stride(from: 0, to: index.count, by: 2) {
      for number in index[pair]..<index[pair] + max(0, min(rows.count, index[pair + 1])) {
        guard at + widths.reduce(0, +) <= rows.count else { return false }
        let (kind, offset, generation) = (field(widths[0]), field(widths[1]), field(widths[2]))
        if kind == 1 { objects.append(Object(number: number, generation: generation, offset: offset)) }
      }
    }
    return true
  }

  private mutating func copyLasting(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
    let own: Set = ["Size", "Prev", "Type", "W", "Index", "Length", "XRefStm"]
    var syntax = Syntax(bytes, at: place)
    while case .name(let name)? = syntax.value() {
      let begin = syntax.position
      guard syntax.value() != nil else { return false }
      guard !own.contains(name) else { continue }
      lasting += "/\(name) ".utf8
      lasting += bytes[begin..<syntax.position]
    }
    return true
  }

  /// An object's value and its range in `bytes`; nil if it cannot be read.
  func value(of object: Object) -> (value: PDFValue, place: Range<Int>)? {
    bytes.withUnsafeBytes { bytes in
      guard 0..<bytes.count ~= object.offset - start else { return nil }
      var syntax = Syntax(bytes, at: object.offset - start)
      guard syntax.value()?.integer == object.number, syntax.value()?.integer == object.generation,
        syntax.takes("obj")
      else { return nil }
      let begin = syntax.position
      guard let value = syntax.value() else { return nil }
      return (value, begin..<syntax.position)
    }
  }

  /// An object's bytes, including its closing `>>`.
  func dictionary(of object: Object) -> ArraySlice<UInt8> {
    value(of: object).map { bytes[$0.place] } ?? []
  }

  /// The entries of an object's dictionary in their order, each with the bytes of its value.
  func entries(of object: Object) -> [(name: String, value: [UInt8])] {
    Array(dictionary(of: object)).withUnsafeBytes { bytes in
      guard let opening = position(of: "<<", in: bytes) else { return [] }
      var entries: [(name: String, value: [UInt8])] = []
      var syntax = Syntax(bytes, at: opening + 2)
      while case .name(let name)? = syntax.value() {
        let begin = syntax.position
        guard syntax.value() != nil else { break }
        entries.append((name, Array(bytes[begin..<syntax.position])))
      }
      return entries
    }
  }

  /// The end of an update with these objects: a table in the same format as this update's.
  ///
  /// - Parameters:
  ///   - objects: the objects with their offsets.
  ///   - size: the number of the next new object.
  ///   - offset: the offset of the table.
  func references(to objects: [Object], size: Int, at offset: Int) -> [UInt8] {
    var objects = objects
    if isStream { objects.append(Object(number: size, generation: 0, offset: offset)) }
    objects.sort { $0.number < $1.number }
    let entries = "/Size \(isStream ? size + 1 : size)/Prev \(table)"
    var text: [UInt8] = []
    if isStream {
      let index = objects.map { "\($0.number) 1" }.joined(separator: " ")
      text += "\(size) 0 obj\n<</Type/XRef/W[1 5 2]/Index[\(index)]/Length \(8 * objects.count)\(entries)".utf8
      text += lasting
      text += ">>\nstream\n".utf8
      for object in objects {
        text.append(1)
        text += (0..<5).reversed().map { UInt8(truncatingIfNeeded: object.offset >> (8 * $0)) }
        text += [UInt8(truncatingIfNeeded: object.generation >> 8), UInt8(truncatingIfNeeded: object.generation)]
      }
      text += "\nendstream\nendobj\n".utf8
    } else {
      text += "xref\n".utf8
      for object in objects {
        let line = "\(Self.padded(object.offset, 10)) \(Self.padded(object.generation, 5)) n \n"
        text += "\(object.number) 1\n\(line)".utf8
      }
      text += "trailer\n<<\(entries)".utf8
      text += lasting
      text += ">>\n".utf8
    }
    text += "startxref\n\(offset)\n%%EOF\n".utf8
    return text
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
