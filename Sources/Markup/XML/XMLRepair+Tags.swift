/// Tags, as they were meant: each that begins ends, and none has an attribute twice, or without quotation marks.
extension XMLRepair {
  private static let attributeLimit = 64

  mutating func readEndTag() {
    place += 2
    let name = readName()
    while place < source.count, source[place] != UInt8(ascii: ">"), source[place] != UInt8(ascii: "<") { place += 1 }
    if place < source.count, source[place] == UInt8(ascii: ">") {
      place += 1
    } else {
      isCut = isCut || place == source.count
    }
    guard let match = open.lastIndex(where: { isSame($0, name) }) else { return }
    while open.count > match { writeEnd(open.removeLast()) }
  }

  mutating func writeEnd(_ name: Range<Int>) {
    result += "</".utf8
    result += source[name]
    result.append(UInt8(ascii: ">"))
  }

  mutating func readStartTag() {
    let start = place
    let resultCount = result.count
    place += 1
    let name = readName()
    result.append(UInt8(ascii: "<"))
    result += source[name]
    var attributes: [Range<Int>] = []
    while true {
      skipBlanks()
      guard place < source.count else {
        // Half a tag says nothing.
        isCut = true
        result.removeLast(result.count - resultCount)
        return
      }
      switch source[place] {
      case UInt8(ascii: ">"):
        place += 1
        result.append(UInt8(ascii: ">"))
        push(name, from: start)
        return
      case UInt8(ascii: "/") where place + 1 < source.count && source[place + 1] == UInt8(ascii: ">"):
        place += 2
        result += "/>".utf8
        hasRoot = true
        return
      case UInt8(ascii: "<"):
        // The tag was never closed, and the next begins.
        result.append(UInt8(ascii: ">"))
        push(name, from: start)
        return
      case let byte where isNameStart(byte): readAttribute(&attributes)
      default: place += 1
      }
    }
  }

  private mutating func push(_ name: Range<Int>, from start: Int) {
    hasRoot = true
    open.append(name)
    if open.count >= depthLimit { isTruncated = true }
  }

  private mutating func readAttribute(_ known: inout [Range<Int>]) {
    let name = readName()
    skipBlanks()
    var value = place..<place
    if place < source.count, source[place] == UInt8(ascii: "=") {
      place += 1
      skipBlanks()
      value = readValue()
    }
    guard known.count < Self.attributeLimit, !known.contains(where: { isSame($0, name) }) else { return }
    known.append(name)
    result.append(UInt8(ascii: " "))
    result += source[name]
    result += "=\"".utf8
    var index = value.lowerBound
    while index < value.upperBound {
      let byte = source[index]
      switch byte {
      case UInt8(ascii: "&"):
        let reference = CharacterReference.read(source, at: index, end: value.upperBound)
        index += reference.count
        reference.write(into: &result)
        continue
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      default: if !isForbidden(index) { result.append(byte) }
      }
      index += 1
    }
    result.append(UInt8(ascii: "\""))
  }

  private mutating func readValue() -> Range<Int> {
    guard place < source.count else { return place..<place }
    let quote = source[place]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = place + 1
      place = start
      while place < source.count, source[place] != quote { place += 1 }
      defer { place = min(place + 1, source.count) }
      return start..<place
    }
    let start = place
    while place < source.count, !isBlank(source[place]), source[place] != UInt8(ascii: ">") { place += 1 }
    return start..<place
  }
}
