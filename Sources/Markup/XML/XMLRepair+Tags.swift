/// Repairs tags: every start tag gets an end tag, and attributes are unique and quoted.
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
    guard let match = open.lastIndex(where: { isSame($0.name, name) }) else { return }
    while open.count > match { writeEnd(open.removeLast().name) }
  }

  /// Removes the innermost element of one of these names that was open at the end of the source. Elements around it
  /// were never closed, and the inner one began inside them.
  mutating func dropCut(_ names: [String]) {
    let cut = open.lastIndex { element in
      let local = source[element.name].split(separator: UInt8(ascii: ":")).last ?? []
      return names.contains { $0.utf8.elementsEqual(local.lazy.map(Self.lowercased)) }
    }
    guard let cut else { return }
    result.removeLast(result.count - open[cut].start)
    open.removeLast(open.count - cut)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  mutating func writeEnd(_ name: Range<Int>) {
    result += "</".utf8
    result += source[name]
    result.append(UInt8(ascii: ">"))
  }

  mutating func readStartTag() {
    let resultCount = result.count
    place += 1
    let name = readName()
    result.append(UInt8(ascii: "<"))
    result += source[name]
    var attributes: [Range<Int>] = []
    while true {
      skipBlanks()
      guard place < source.count else {
        // An incomplete tag is dropped.
        isCut = true
        result.removeLast(result.count - resultCount)
        return
      }
      switch source[place] {
      case UInt8(ascii: ">"):
        place += 1
        result.append(UInt8(ascii: ">"))
        push(name, at: resultCount)
        return
      case UInt8(ascii: "/") where place + 1 < source.count && source[place + 1] == UInt8(ascii: ">"):
        place += 2
        result += "/>".utf8
        hasRoot = true
        return
      case UInt8(ascii: "<"):
        // The tag is not closed, and the next begins.
        result.append(UInt8(ascii: ">"))
        push(name, at: resultCount)
        return
      case let byte where isNameStart(byte): readAttribute(&attributes)
      default: place += 1
      }
    }
  }

  private mutating func push(_ name: Range<Int>, at start: Int) {
    hasRoot = true
    open.append(Open(name: name, start: start))
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
        if reference.scalar == nil, let count = expand(at: index, end: value.upperBound, isWritten: true) {
          index += count
          continue
        }
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
