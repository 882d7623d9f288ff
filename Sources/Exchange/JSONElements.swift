import Kit
import Wire

/// The elements of an array in a JSON file, parsed one by one: so a large file is read without all values in memory at
/// once, a malformed element does not affect the others, and the source text of each can be stored.
///
/// The rest of the file is only scanned. A file that ends before its brackets do is refused as cut off.
package struct JSONElements {
  package struct Element {
    /// The source text in the file.
    package var bytes: ArraySlice<UInt8>
    /// The number of its first line, from 1.
    package var line: Int

    package init(bytes: ArraySlice<UInt8>, line: Int) {
      self.bytes = bytes
      self.line = line
    }

    /// nil if it is no valid JSON.
    package var value: JSONValue? { try? JSONParser.parse(Array(bytes)) }
  }

  package private(set) var elements: [Element] = []
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  /// The array that is the whole file, or with `key` the array in a member of the file's object.
  ///
  /// - Throws: `WrongFormat` for a file of another form.
  package init(_ bytes: [UInt8], under key: String? = nil) throws(WrongFormat) {
    self.bytes = bytes
    place = bytes.withoutByteOrderMark.startIndex
    skipBlanks()
    if let key { try findMember(key) } else { try readList() }
    guard place == bytes.count else { throw wrong() }
  }

  private mutating func findMember(_ key: String) throws(WrongFormat) {
    guard take("{") else { throw WrongFormat(reason: "noObject") }
    var isFound = false
    if !take("}") {
      repeat {
        let name = try value()
        guard take(":") else { throw wrong() }
        if case .string(let text)? = try? JSONParser.parse(Array(name)), sameBytes(text, key) {
          elements = []
          isFound = true
          try readList()
        } else {
          _ = try value()
        }
      } while take(",")
      guard take("}") else { throw wrong() }
    }
    guard isFound else { throw WrongFormat(missing: key) }
  }

  private mutating func readList() throws(WrongFormat) {
    guard take("[") else { throw WrongFormat(reason: "noList") }
    if take("]") { return }
    repeat {
      let line = line
      elements.append(Element(bytes: try value(), line: line))
    } while take(",")
    guard take("]") else { throw wrong() }
  }

  /// Scans one value, and the white space after it.
  private mutating func value() throws(WrongFormat) -> ArraySlice<UInt8> {
    let start = place
    var depth = 0
    walk: while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        try skipString()
        if depth == 0 { break walk }
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { break walk }
        depth -= 1
        if depth == 0 {
          place += 1
          break walk
        }
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0D:
        if depth == 0 { break walk }
      case 0x0A:
        if depth == 0 { break walk }
        line += 1
      default: break
      }
      place += 1
    }
    guard depth == 0, place > start else { throw wrong() }
    let found = bytes[start..<place]
    skipBlanks()
    return found
  }

  private mutating func skipString() throws(WrongFormat) {
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] == 0x0A { line += 1 }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard place < bytes.count else { throw wrong() }
    place += 1
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) {
      if bytes[place] == 0x0A { line += 1 }
      place += 1
    }
  }

  private func wrong() -> WrongFormat { WrongFormat(reason: "notJSON", line: line) }
}
