/// Scanning of names, white space and markers.
extension XMLRepair {
  private static let nameLimit = 200

  /// A name, cut off at a limit.
  mutating func readName() -> Range<Int> {
    let start = place
    while place < source.count, isNamePart(source[place]) { place += 1 }
    return start..<min(place, start + Self.nameLimit)
  }

  mutating func skipBlanks() {
    while place < source.count, isBlank(source[place]) { place += 1 }
  }

  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// ASCII only: feeds have no other names, and libxml2 would refuse invalid ones.
  func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: isNameStart(byte)
    }
  }

  func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.count == right.count && source[left].elementsEqual(source[right])
  }

  func starts(with mark: StaticString) -> Bool { isThere(mark, at: place) }

  func isThere(_ mark: StaticString, at place: Int) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard place + count <= source.count else { return false }
    for offset in 0..<count where source[place + offset] != mark.utf8Start[offset] { return false }
    return true
  }

  func find(_ mark: StaticString, from start: Int) -> Int? {
    let first = mark.utf8Start[0]
    var index = start
    while index < source.count {
      if source[index] == first, isThere(mark, at: index) { return index }
      index += 1
    }
    return nil
  }
}
