import Exchange
import Wire

/// The table that a Lua file returns, as programs written in Lua store their settings:
///
///     -- a comment
///     return { ["title"] = "Sabriel", ["pages"] = { [1] = 12, [2] = 40 }, }
///
/// Only constants are read: nothing of the file is run. Every table becomes an object, whose keys are texts.
struct LuaTable {
  private let bytes: [UInt8]
  private var place = 0

  private static let deepest = 64

  /// - Throws: `WrongFormat` for a file that returns no table of constants.
  static func read(_ bytes: [UInt8]) throws(WrongFormat) -> JSONObject {
    var lua = LuaTable(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { lua.place = 3 }
    try lua.skip()
    guard lua.word() == "return" else { throw lua.wrong() }
    guard case .object(let table) = try lua.value(depth: 0) else { throw lua.wrong() }
    try lua.skip()
    guard lua.place == bytes.count else { throw lua.wrong() }
    return table
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func wrong() -> WrongFormat {
    WrongFormat(reason: "notLua", line: 1 + bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") })
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    place += 1
    return true
  }

  /// Skips white space and comments.
  private mutating func skip() throws(WrongFormat) {
    while let byte = next {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        place += 1
      } else if byte == UInt8(ascii: "-"), bytes[place...].starts(with: Array("--".utf8)) {
        place += 2
        if let level = longLevel() {
          _ = try long(level)
        } else {
          while let byte = next, byte != 0x0A { place += 1 }
        }
      } else {
        return
      }
    }
  }

  private mutating func word() -> String {
    let start = place
    while let byte = next, isLetter(byte) || isDigit(byte) || byte == 0x5F {
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private mutating func value(depth: Int) throws(WrongFormat) -> JSONValue {
    try skip()
    guard depth < Self.deepest, let byte = next else { throw wrong() }
    switch byte {
    case UInt8(ascii: "{"): return .object(try table(depth: depth + 1))
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quoted())
    case UInt8(ascii: "["):
      guard let level = longLevel() else { throw wrong() }
      return .string(try long(level))
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      switch word() {
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "nil": return .null
      default: throw wrong()
      }
    }
  }

  private mutating func table(depth: Int) throws(WrongFormat) -> JSONObject {
    place += 1
    var members: [JSONObject.Member] = []
    var count = 0
    while true {
      try skip()
      if take("}") { return JSONObject(members) }
      let start = place
      var key: String?
      if next == UInt8(ascii: "["), longLevel() == nil {
        place += 1
        key = try name(of: value(depth: depth))
        try skip()
        guard take("]") else { throw wrong() }
        try skip()
        guard take("=") else { throw wrong() }
      } else {
        let name = word()
        try skip()
        if !name.isEmpty, take("=") { key = name } else { place = start }
      }
      if key == nil { count += 1 }
      members.append(.init(key: key ?? String(count), value: try value(depth: depth)))
      try skip()
      guard take(",") || take(";") || next == UInt8(ascii: "}") else { throw wrong() }
    }
  }

  private func name(of key: JSONValue) throws(WrongFormat) -> String {
    switch key {
    case .string(let text): return text
    case .integer(let number): return String(number)
    case .number(let number): return String(number)
    case .bool(let bool): return String(bool)
    default: throw wrong()
    }
  }

  private mutating func number() throws(WrongFormat) -> JSONValue {
    let start = place
    while let byte = next, isDigit(byte) || "+-.eE".utf8.contains(byte) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else { throw wrong() }
    return .number(number)
  }

  // MARK: - Texts

  /// The number of equals signs of a long bracket, `[[` or `[==[`, that begins here.
  private func longLevel() -> Int? {
    guard next == UInt8(ascii: "[") else { return nil }
    let level = bytes[(place + 1)...].prefix { $0 == UInt8(ascii: "=") }.count
    let end = place + 1 + level
    return end < bytes.count && bytes[end] == UInt8(ascii: "[") ? level : nil
  }

  private mutating func long(_ level: Int) throws(WrongFormat) -> String {
    place += level + 2
    if next == 0x0D { place += 1 }
    if next == 0x0A { place += 1 }
    let close = [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level) + [UInt8(ascii: "]")]
    let start = place
    while place < bytes.count {
      if bytes[place] == close[0], bytes[place...].starts(with: close) {
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        place += close.count
        return text
      }
      place += 1
    }
    throw wrong()
  }

  private mutating func quoted() throws(WrongFormat) -> String {
    let quote = bytes[place]
    place += 1
    var text: [UInt8] = []
    while let byte = next, byte != 0x0A {
      place += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(into: &text) } else { text.append(byte) }
    }
    throw wrong()
  }

  private mutating func escape(into text: inout [UInt8]) throws(WrongFormat) {
    guard let byte = next else { throw wrong() }
    place += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "a"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "v"): text.append(0x20)
    case UInt8(ascii: "z"): while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { place += 1 }
    case UInt8(ascii: "x"):
      let digits = bytes[place...].prefix(2)
      guard digits.count == 2, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
        throw wrong()
      }
      place += 2
      text.append(code)
    case UInt8(ascii: "u"):
      let digits = bytes[place...].dropFirst().prefix { $0 != UInt8(ascii: "}") }.prefix(8)
      guard take("{"), let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw wrong() }
      place += digits.count + 1
      text += Array(String(Character(scalar)).utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      place -= 1
      let digits = bytes[place...].prefix(3).prefix(while: isDigit)
      guard let code = UInt8(String(decoding: digits, as: UTF8.self)) else { throw wrong() }
      place += digits.count
      text.append(code)
    case 0x0D:
      if next == 0x0A { place += 1 }
      text.append(0x0A)
    // A line end, a quotation mark or a backslash stands for itself.
    default: text.append(byte)
    }
  }
}
