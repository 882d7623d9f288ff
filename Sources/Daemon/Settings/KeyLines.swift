/// On which line each key of a TOML text stands, the elements of lists too.
///
/// Reads only texts that a parser has accepted, so it need not check anything; on others it gives lines of no use, and
/// still ends.
struct KeyLines {
  private var lines: [[String]: Int] = [:]
  /// Where an escape in a string stands for NUL.
  private(set) var nulLine: Int?

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  init(_ text: [UInt8]) {
    bytes = text
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    readDocument()
  }

  /// The last component of the path of a list's element.
  static func element(_ index: Int) -> String { "[\(index)]" }

  /// From 1; of a key that is only part of others' paths, the first of those; nil if there is no such key.
  func line(of path: [String]) -> Int? { lines[path] }

  private mutating func note(_ path: [String], on line: Int) {
    for count in stride(from: path.count, to: 0, by: -1) where lines[Array(path.prefix(count))] == nil {
      lines[Array(path.prefix(count))] = line
    }
  }

  // MARK: Structure

  private mutating func readDocument() {
    var section: [String] = []
    while true {
      skipBlank()
      guard let byte = peek() else { return }
      if byte == UInt8(ascii: "[") {
        while peek() == UInt8(ascii: "[") { advance() }
        let start = line
        section = readPath()
        note(section, on: start)
        while peek() == UInt8(ascii: "]") { advance() }
      } else {
        readMember(of: section)
      }
    }
  }

  private mutating func readMember(of section: [String]) {
    let start = line
    let path = section + readPath()
    note(path, on: start)
    skipSpaces()
    guard peek() == UInt8(ascii: "=") else { return advance() }
    advance()
    readValue(path)
  }

  /// `a . "b" . 'c'`
  private mutating func readPath() -> [String] {
    var path: [String] = []
    repeat {
      if !path.isEmpty { advance() }
      skipSpaces()
      path.append(readKey())
      skipSpaces()
    } while peek() == UInt8(ascii: ".")
    return path
  }

  private mutating func readKey() -> String {
    switch peek() {
    case UInt8(ascii: "\""): return readEscapedText()
    case UInt8(ascii: "'"): return readLiteralText()
    default:
      let start = index
      while let byte = peek(), !" \t\r\n.=[]{},#\"'".utf8.contains(byte) { advance() }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }
  }

  // MARK: Values

  private mutating func readValue(_ path: [String]) {
    skipSpaces()
    switch peek() {
    case UInt8(ascii: "\""): _ = readEscapedText()
    case UInt8(ascii: "'"): _ = readLiteralText()
    case UInt8(ascii: "["): readList(path)
    case UInt8(ascii: "{"): readInlineTable(path)
    default: while let byte = peek(), !",]}#\n".utf8.contains(byte) { advance() }
    }
  }

  private mutating func readList(_ path: [String]) {
    advance()
    var count = 0
    while true {
      skipBlank()
      switch peek() {
      case nil: return
      case UInt8(ascii: "]"): return advance()
      case UInt8(ascii: ","): advance()
      default:
        let start = index
        let place = path + [Self.element(count)]
        note(place, on: line)
        readValue(place)
        count += 1
        if index == start { advance() }
      }
    }
  }

  private mutating func readInlineTable(_ path: [String]) {
    advance()
    while true {
      skipBlank()
      switch peek() {
      case nil: return
      case UInt8(ascii: "}"): return advance()
      case UInt8(ascii: ","): advance()
      default: readMember(of: path)
      }
    }
  }

  // MARK: Strings

  /// Between `"` or `"""`, with escapes.
  private mutating func readEscapedText() -> String {
    let quotes = takeQuotes(UInt8(ascii: "\""))
    guard quotes != 2 else { return "" }
    var text: [UInt8] = []
    while let byte = peek() {
      if byte == UInt8(ascii: "\""), takeEnd(byte, quotes) { break }
      advance()
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      if let scalar = readEscape() { text += Array(String(scalar).utf8) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Between `'` or `'''`, as it is.
  private mutating func readLiteralText() -> String {
    let quote = UInt8(ascii: "'")
    let quotes = takeQuotes(quote)
    guard quotes != 2 else { return "" }
    let start = index
    var end = index
    while let byte = peek() {
      end = index
      if byte == quote, takeEnd(quote, quotes) { break }
      advance()
      end = index
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// One quote, three, or two, which are an empty string.
  private mutating func takeQuotes(_ quote: UInt8) -> Int {
    var count = 0
    while count < 3, peek() == quote {
      advance()
      count += 1
    }
    return count
  }

  /// The quotes that end a string. Before three of them, one or two more belong to the text.
  private mutating func takeEnd(_ quote: UInt8, _ quotes: Int) -> Bool {
    guard quotes == 3 else {
      advance()
      return true
    }
    var count = 0
    while count < 5, index + count < bytes.count, bytes[index + count] == quote { count += 1 }
    guard count >= 3 else { return false }
    for _ in 0..<count { advance() }
    return true
  }

  /// What stands after a backslash; nil for an escape that gives no character, such as one before a line's end.
  private mutating func readEscape() -> Unicode.Scalar? {
    guard let byte = peek() else { return nil }
    advance()
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "e"): return "\u{1B}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return Unicode.Scalar(byte)
    case UInt8(ascii: "x"): return readHexadecimal(2)
    case UInt8(ascii: "u"): return readHexadecimal(4)
    case UInt8(ascii: "U"): return readHexadecimal(8)
    default: return nil
    }
  }

  private mutating func readHexadecimal(_ count: Int) -> Unicode.Scalar? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
      advance()
    }
    if value == 0 { nulLine = nulLine ?? line }
    return Unicode.Scalar(value)
  }

  // MARK: Bytes

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func advance() {
    guard index < bytes.count else { return }
    if bytes[index] == 0x0A { line += 1 }
    index += 1
  }

  private mutating func skipSpaces() {
    while let byte = peek(), byte == 0x20 || byte == 0x09 { advance() }
  }

  /// Spaces, line ends and comments.
  private mutating func skipBlank() {
    while let byte = peek() {
      if byte == UInt8(ascii: "#") {
        while let byte = peek(), byte != 0x0A { advance() }
      } else if [0x20, 0x09, 0x0D, 0x0A].contains(byte) {
        advance()
      } else {
        return
      }
    }
  }
}
