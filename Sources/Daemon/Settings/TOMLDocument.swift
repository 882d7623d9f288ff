import CTOML
import Wire

/// The values of a TOML text, and the line of each key.
///
/// Texts that contain U+0000 are refused: the C strings with which they would be compared end there.
struct TOMLDocument {
  private(set) var root: [String: TOMLNode]
  private let lines: [[String]: Int]

  init(_ bytes: [UInt8]) throws(ConfigurationError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ConfigurationError(line: nil, text: Text("configuration.notUTF8"))
    }
    // The parser would report it as an unspecified control character.
    if let nul = bytes.firstIndex(of: 0) { throw Self.nul(line: 1 + bytes[..<nul].count { $0 == 0x0A }) }
    let reading = TOMLReading()
    var failure = ctoml_failure()
    let isTOML = bytes.withUnsafeBytes { bytes in
      ctoml_parse(
        bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, Unmanaged.passUnretained(reading).toOpaque(),
        { Unmanaged<TOMLReading>.fromOpaque($0!).takeUnretainedValue().take($1!.pointee) }, &failure)
    }
    guard isTOML else {
      let reason = withUnsafeBytes(of: failure.reason) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let line = Int(failure.line)
      throw ConfigurationError(
        line: line, text: Text("configuration.syntax", ["line": String(line), "reason": reason]))
    }
    if let line = reading.nulLine { throw Self.nul(line: line) }
    root = reading.root
    lines = reading.lines
  }

  /// The last component of the path of a list element.
  static func element(_ index: Int) -> String { "[\(index)]" }

  /// The line of a key from 1; for a key without its own line (the sections between `[a.b.c]`), that of the first key
  /// below it.
  func line(of path: [String]) -> Int? { lines[path] }

  /// Removes a key, with everything below it. Returns false if it does not exist.
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
}

/// A value of a type that the configuration uses.
enum TOMLNode: Equatable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case list([TOMLNode])
  case table([String: TOMLNode])
  /// A type that no key has.
  case other
}

/// Builds the tree from the values that the parser reports one after the other.
private final class TOMLReading {
  /// A table or a list that has not ended.
  private struct Open {
    var key: String?
    var isTable: Bool
    var members: [String: TOMLNode] = [:]
    var elements: [TOMLNode] = []
  }

  private(set) var root: [String: TOMLNode] = [:]
  private(set) var lines: [[String]: Int] = [:]
  /// The first line with a text that contains U+0000.
  private(set) var nulLine: Int?
  private var open: [Open] = []
  private var path: [String] = []

  func take(_ value: ctoml_value) {
    guard value.kind != CTOML_END else { return close() }
    let key = value.key.map { Self.text($0, value.key_length) }
    if let place = key ?? open.last.map({ TOMLDocument.element($0.elements.count) }) {
      path.append(place)
      note(Int(value.line))
      if place.hasNUL { noteNUL(value) }
    }
    switch value.kind {
    case CTOML_TABLE, CTOML_LIST: return open.append(Open(key: key, isTable: value.kind == CTOML_TABLE))
    case CTOML_TEXT:
      let text = Self.text(value.text, value.text_length)
      if text.hasNUL { noteNUL(value) }
      put(.text(text), key)
    case CTOML_INTEGER: put(.integer(Int(value.integer)), key)
    case CTOML_BOOLEAN: put(.boolean(value.boolean), key)
    default: put(.other, key)
    }
  }

  private func close() {
    let ended = open.removeLast()
    if open.isEmpty {
      root = ended.members
      return
    }
    put(ended.isTable ? .table(ended.members) : .list(ended.elements), ended.key)
  }

  private func put(_ node: TOMLNode, _ key: String?) {
    path.removeLast()
    if let key { open[open.count - 1].members[key] = node } else { open[open.count - 1].elements.append(node) }
  }

  /// Tables are reported in the order of their names.
  private func note(_ line: Int) {
    for count in 1...path.count {
      let part = Array(path.prefix(count))
      lines[part] = min(lines[part] ?? line, line)
    }
  }

  private func noteNUL(_ value: ctoml_value) { nulLine = min(nulLine ?? .max, Int(value.line)) }

  private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
