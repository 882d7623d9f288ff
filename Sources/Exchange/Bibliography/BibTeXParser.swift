import Contract
import Kit
import Wire

/// An entry of a BibTeX file as written, with its strings expanded.
struct BibTeXEntry: Sendable, Equatable {
  /// In lower case.
  var type: String
  var key: String
  /// By name in lower case; the first of two with one name.
  var fields: [String: String] = [:]
  /// The line where it begins, from 1.
  var line: Int

  var hasJournal: Bool { fields["journal"] != nil || fields["journaltitle"] != nil }

  /// The arXiv id of a preprint.
  var isPreprint: Bool { arXiv != nil }

  var arXiv: ArXivID? {
    guard let number = fields["eprint"] else { return nil }
    let archive = (fields["archiveprefix"] ?? fields["eprinttype"] ?? "").lowercased()
    return archive == "arxiv" || archive.isEmpty ? ArXivID(number) : nil
  }
}

/// Parses BibTeX as BibTeX itself does: entries, `@string`, concatenation with `#`, and comments, which are all text
/// outside of entries. A damaged entry ends at the next `@` at the beginning of a line.
struct BibTeXParser {
  /// In bytes. A value is longer only if strings contain strings contain strings.
  private static let longestValue = 1 << 20

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var strings: [String: String] = [:]
  private(set) var entries: [BibTeXEntry] = []
  /// The lines of damaged entries.
  private(set) var damaged: [Int] = []

  private struct Damage: Error {}

  /// - Throws: the error of `checkCancelled`.
  init(_ bytes: [UInt8], checkCancelled: () throws -> Void = {}) rethrows {
    self.bytes = bytes
    for (place, name) in BibTeXText.months.enumerated() { strings[name] = String(place + 1) }
    var count = 0
    while let next = skip(to: UInt8(ascii: "@")) {
      count += 1
      if count.isMultiple(of: 256) { try checkCancelled() }
      let (start, startLine) = (next, line)
      index = next + 1
      do {
        try parseEntry(at: startLine)
      } catch {
        damaged.append(startLine)
        (index, line) = (start + 1, startLine)
        skipDamaged()
      }
    }
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func advance() {
    if bytes[index] == 0x0A { line += 1 }
    index += 1
  }

  private mutating func skip(to wanted: UInt8) -> Int? {
    while let byte {
      if byte == wanted { return index }
      advance()
    }
    return nil
  }

  private mutating func skipDamaged() {
    while let byte {
      let isLineStart = byte == 0x0A
      advance()
      if isLineStart, self.byte == UInt8(ascii: "@") { return }
    }
  }

  private mutating func skipBlanks() {
    while let byte, byte <= 0x20 { advance() }
  }

  private mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    advance()
    return true
  }

  private mutating func name() -> String {
    let start = index
    while let byte, byte > 0x20, !Self.ends.contains(byte) { advance() }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private static let ends = Set("{}(),=#\"@%".utf8)

  private mutating func parseEntry(at startLine: Int) throws {
    skipBlanks()
    let type = name().lowercased()
    skipBlanks()
    guard let open = byte, open == UInt8(ascii: "{") || open == UInt8(ascii: "("), !type.isEmpty else {
      // An address in a comment, not an entry.
      if type == "comment" || byte != UInt8(ascii: "{") { return }
      throw Damage()
    }
    let close = open == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: ")")
    switch type {
    case "comment":
      if open == UInt8(ascii: "{") { _ = try braced() }
    case "preamble":
      advance()
      _ = try value()
      try end(close)
    case "string":
      advance()
      skipBlanks()
      let name = name().lowercased()
      skipBlanks()
      guard take(UInt8(ascii: "=")) else { throw Damage() }
      strings[name] = try value()
      try end(close)
    default:
      advance()
      skipBlanks()
      var entry = BibTeXEntry(type: type, key: key(), line: startLine)
      skipBlanks()
      while take(UInt8(ascii: ",")) {
        skipBlanks()
        if byte == close { break }
        let name = name().lowercased()
        skipBlanks()
        guard !name.isEmpty, take(UInt8(ascii: "=")) else { throw Damage() }
        let value = try value()
        if entry.fields[name] == nil { entry.fields[name] = value }
        skipBlanks()
      }
      try end(close)
      entries.append(entry)
    }
  }

  /// Everything up to the comma; a key may contain nearly anything.
  private mutating func key() -> String {
    let start = index
    while let byte, byte > 0x20, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}") { advance() }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func end(_ close: UInt8) throws {
    skipBlanks()
    guard take(close) else { throw Damage() }
  }

  /// Texts, numbers and strings, joined by `#`.
  private mutating func value() throws -> String {
    var result = ""
    repeat {
      skipBlanks()
      switch byte {
      case UInt8(ascii: "{")?: result += try braced()
      case UInt8(ascii: "\"")?: result += try quoted()
      default:
        let name = name()
        guard !name.isEmpty else { throw Damage() }
        result += name.utf8.allSatisfy { (0x30...0x39).contains($0) } ? name : strings[name.lowercased()] ?? name
      }
      guard result.utf8.count <= Self.longestValue else { throw Damage() }
      skipBlanks()
    } while take(UInt8(ascii: "#"))
    return result
  }

  /// The text in braces, with the braces in it.
  private mutating func braced() throws -> String {
    advance()
    return try text(until: UInt8(ascii: "}"))
  }

  private mutating func quoted() throws -> String {
    advance()
    return try text(until: UInt8(ascii: "\""))
  }

  private mutating func text(until close: UInt8) throws -> String {
    let start = index
    var depth = 0
    while let byte {
      if byte == close, depth == 0 {
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        advance()
        return text
      }
      switch byte {
      case UInt8(ascii: "\\"):
        advance()
        if self.byte == nil { throw Damage() }
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth < 0 { throw Damage() }
      default: break
      }
      advance()
    }
    throw Damage()
  }
}
