import TOMLKit
import Wire

/// A TOML text as values, and on which line each of its keys stands.
///
/// TOMLKit parses and checks it, but forgets the lines of what it has accepted, cuts strings at NUL, and never frees
/// what it has parsed. So `KeyLines` finds the lines, NUL is refused, and a file is parsed only when it has changed.
struct TOMLDocument {
  private(set) var root: [String: TOMLNode]
  private let lines: KeyLines

  init(_ bytes: [UInt8]) throws(ConfigurationError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(line: nil, text: Text("configuration.notUTF8"))
    }
    // TOMLKit would take the file's end there, before its own check for control characters.
    if let nul = bytes.firstIndex(of: 0) { throw Self.nul(line: 1 + bytes[..<nul].count { $0 == 0x0A }) }
    let table = try Self.parse(text)
    lines = KeyLines(bytes)
    if let line = lines.nulLine { throw Self.nul(line: line) }
    root = Self.members(of: table)
  }

  /// The line of a key from 1; of one that stands nowhere by itself (the sections between `[a.b.c]`), that of the first
  /// key below it.
  func line(of path: [String]) -> Int? { lines.line(of: path) }

  /// Takes a key away, with all that stands below it. False if it is not there.
  mutating func remove(_ path: ArraySlice<String>) -> Bool {
    Self.remove(path, from: &root)
  }

  private static func remove(_ path: ArraySlice<String>, from table: inout [String: TOMLNode]) -> Bool {
    guard let key = path.first, let node = table[key] else { return false }
    guard path.count > 1 else {
      table[key] = nil
      return true
    }
    guard case .table(var inner) = node, remove(path.dropFirst(), from: &inner) else { return false }
    table[key] = .table(inner)
    return true
  }

  private static func nul(line: Int) -> ConfigurationError {
    ConfigurationError(line: line, text: Text("configuration.nul", ["line": String(line)]))
  }

  private static func parse(_ text: String) throws(ConfigurationError) -> TOMLTable {
    do {
      return try TOMLTable(string: text)
    } catch {
      guard let error = error as? TOMLParseError else {
        throw ConfigurationError(line: nil, text: Text("configuration.unreadable", ["reason": "\(error)"]))
      }
      let arguments = ["line": String(error.source.begin.line), "reason": error.description]
      throw ConfigurationError(line: error.source.begin.line, text: Text("configuration.syntax", arguments))
    }
  }

  private static func members(of table: TOMLTable) -> [String: TOMLNode] {
    var members: [String: TOMLNode] = [:]
    for (key, value) in table { members[key] = node(value) }
    return members
  }

  private static func node(_ value: any TOMLValueConvertible) -> TOMLNode {
    switch value.type {
    case .string: value.string.map { .text($0) } ?? .other
    case .int: value.int.map { .integer($0) } ?? .other
    case .bool: value.bool.map { .boolean($0) } ?? .other
    case .array: value.array.map { .list($0.map { node($0) }) } ?? .other
    case .table: value.table.map { .table(members(of: $0)) } ?? .other
    case .double, .date, .time, .dateTime: .other
    }
  }
}

/// A value of a kind that the configuration uses.
enum TOMLNode: Equatable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case list([TOMLNode])
  case table([String: TOMLNode])
  /// A kind that no key wants.
  case other
}
