import Glibc

/// Whether a PDF's own table leads to its objects (ISO 32000-1, 7.5.4 and 7.5.5).
///
/// A PDF library that opens a truncated or manually edited file collects the objects it finds, and shows a document
/// from which pages may be missing. poppler does so silently, so the bytes are checked:
///
///     …  xref  0000000017 00000 n  …  startxref  1068  %%EOF
///          ▲          └─► “1 0 obj”                │
///          └───────────────────────────────────────┘
///
/// Tables inside compressed streams are assumed correct if they are where they should be.
struct ObjectTable {
  private let descriptor: Int32
  /// Places are counted from `%PDF-`, before which there may be rubbish.
  private let start: Int

  /// The length of the file's end that contains the table's offset; poppler searches no further.
  private static let end = 1_024
  /// The number of objects that are checked: a damaged table is rarely right at its beginning.
  private static let mostEntries = 256

  static func isSound(inFile path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let head = bytes(of: descriptor, at: 0, count: 1_024)
    guard let start = position(of: "%PDF-", in: head) else { return false }
    return ObjectTable(descriptor: descriptor, start: start).isSound
  }

  private var isSound: Bool {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let tail = Self.bytes(of: descriptor, at: max(0, size - Self.end), count: Self.end)
    guard let mark = Self.position(of: "startxref", in: tail) else { return false }
    var words = Words(tail[(mark + 9)...])
    guard let place = words.number() else { return false }
    return isTable(at: place)
  }

  private func isTable(at place: Int) -> Bool {
    var words = Words(Self.bytes(of: descriptor, at: start + place, count: 64 + 20 * Self.mostEntries)[...])
    if words.take("xref") { return leadsToItsObjects(&words) }
    // A stream that contains the table is an object like any other.
    return words.number() != nil && words.number() != nil && words.take("obj")
  }

  /// The entries of the first part of a table.
  private func leadsToItsObjects(_ words: inout Words) -> Bool {
    guard let first = words.number(), let count = words.number() else { return false }
    for number in first..<first + min(count, Self.mostEntries) {
      guard let place = words.number(), let generation = words.number() else { return false }
      if words.take("f") { continue }
      guard words.take("n") else { return false }
      // Some programs write this for a number that they never used.
      if place == 0 { continue }
      var object = Words(Self.bytes(of: descriptor, at: start + place, count: 32)[...])
      guard object.number() == number, object.number() == generation, object.take("obj") else { return false }
    }
    return true
  }

  private static func bytes(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }

  /// The last one: a file with incremental updates has several.
  private static func position(of mark: StaticString, in bytes: [UInt8]) -> Int? {
    let mark = mark.withUTF8Buffer { Array($0) }
    guard bytes.count >= mark.count else { return nil }
    return (0...bytes.count - mark.count).last { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
  }

  /// Numbers and keywords, with any blanks between them.
  private struct Words {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
      rest = bytes
    }

    /// At most ten digits, as many as a place may have.
    mutating func number() -> Int? {
      skipBlanks()
      let digits = rest.prefix(10).prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    mutating func take(_ word: StaticString) -> Bool {
      skipBlanks()
      let word = word.withUTF8Buffer { Array($0) }
      guard rest.starts(with: word) else { return false }
      rest = rest.dropFirst(word.count)
      return true
    }

    private mutating func skipBlanks() {
      rest = rest.drop { [0x00, 0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    }
  }
}
