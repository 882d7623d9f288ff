/// Writes the well-formed document that a broken one was meant to be, before libxml2 reads it.
///
/// libxml2 recovers too, but by dropping: `a=1&b=2` loses its `&b`, `&nbsp;` its blank, an attribute without quotes its
/// element. Here nothing of the text is lost. No declaration of a type comes through, so there are no entities to be
/// expanded or fetched, and every tag has a bounded number of attributes, which libxml2 compares with each other.
struct XMLRepair {
  /// What came of it.
  struct Result {
    /// Well-formed, in UTF-8; empty where there is no element.
    var bytes: [UInt8]
    /// Whether the document ends where it says that it does. One that was cut off does not.
    var isComplete: Bool
    /// Whether a limit ended it.
    var isTruncated: Bool
  }

  private let source: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  private let checkCancelled: () throws -> Void
  private var place = 0
  private var nextCheck = 0
  private var result: [UInt8] = []
  /// The names of the open elements, as places in the source.
  private var open: [Range<Int>] = []
  private var hasRoot = false
  private var isCut = false
  private var isTruncated = false

  private static let attributeLimit = 64
  private static let nameLimit = 200

  static func repair(
    _ bytes: [UInt8], depthLimit: Int, checkCancelled: () throws -> Void
  ) throws -> Result {
    try bytes.withUnsafeBufferPointer { source in
      try withoutActuallyEscaping(checkCancelled) { check in
        var repair = XMLRepair(source: source, depthLimit: depthLimit, checkCancelled: check)
        repair.result.reserveCapacity(source.count + source.count / 8 + 64)
        return try repair.run()
      }
    }
  }

  private init(source: UnsafeBufferPointer<UInt8>, depthLimit: Int, checkCancelled: @escaping () throws -> Void) {
    self.source = source
    self.depthLimit = depthLimit
    self.checkCancelled = checkCancelled
  }

  private mutating func run() throws -> Result {
    while place < source.count, !isTruncated {
      if place >= nextCheck {
        try checkCancelled()
        nextCheck = place + 1 << 18
      }
      if source[place] == UInt8(ascii: "<") { readMarkup() } else { readText() }
      // What follows the root is nobody's.
      if hasRoot, open.isEmpty { break }
    }
    let isComplete = hasRoot && open.isEmpty && !isCut
    while let name = open.popLast() { writeEnd(name) }
    return Result(bytes: result, isComplete: isComplete, isTruncated: isTruncated)
  }

  // MARK: Text

  private mutating func readText() {
    let isInside = !open.isEmpty
    while place < source.count, source[place] != UInt8(ascii: "<") {
      if source[place] == UInt8(ascii: "&") {
        let reference = CharacterReference.read(source, at: place, end: source.count)
        place += reference.count
        if isInside { reference.write(into: &result) }
        continue
      }
      let start = place
      while place < source.count, source[place] != UInt8(ascii: "<"), source[place] != UInt8(ascii: "&") { place += 1 }
      if isInside { copy(start..<place, isText: true) }
    }
  }

  /// Copies what is neither `<` nor `&`, without the characters that no XML may have.
  private mutating func copy(_ range: Range<Int>, isText: Bool) {
    var start = range.lowerBound
    for index in range {
      // The end of a CDATA section must not stand in a text.
      let isBracketEnd =
        isText && source[index] == UInt8(ascii: ">") && index > start && source[index - 1] == UInt8(ascii: "]")
      guard isBracketEnd || isForbidden(index) else { continue }
      result += source[start..<index]
      if isBracketEnd { result += "&gt;".utf8 }
      start = index + 1
    }
    result += source[start..<range.upperBound]
  }

  private func isForbidden(_ index: Int) -> Bool {
    let byte = source[index]
    if byte >= 0x20 {
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF; without their last byte they would be no UTF-8, so that the last two
      // are left out with the first.
      guard byte == 0xEF || byte == 0xBF || byte == 0xBE else { return byte == 0x7F }
      return isNoncharacter(at: index) || isNoncharacter(at: index - 1) || isNoncharacter(at: index - 2)
    }
    return byte != 0x09 && byte != 0x0A && byte != 0x0D
  }

  private func isNoncharacter(at index: Int) -> Bool {
    index >= 0 && index + 2 < source.count && source[index] == 0xEF && source[index + 1] == 0xBF
      && source[index + 2] >= 0xBE
  }

  // MARK: Markup

  private mutating func readMarkup() {
    if starts(with: "<!--") {
      skip(past: "-->", from: place + 4)
    } else if starts(with: "<![CDATA[") {
      readCDATA()
    } else if starts(with: "<?") {
      skip(past: "?>", from: place + 2)
    } else if starts(with: "<!DOCTYPE") || starts(with: "<!doctype") {
      skipDoctype()
    } else if starts(with: "<!") {
      skip(past: ">", from: place + 2)
    } else if starts(with: "</"), place + 2 < source.count, isNameStart(source[place + 2]) {
      readEndTag()
    } else if place + 1 < source.count, isNameStart(source[place + 1]) {
      readStartTag()
    } else {
      // `1 < 2`: no tag.
      if !open.isEmpty { result += "&lt;".utf8 }
      place += 1
    }
  }

  private mutating func readCDATA() {
    let start = place + 9
    let end = find("]]>", from: start)
    isCut = isCut || end == nil
    let content = start..<(end ?? source.count)
    place = end.map { $0 + 3 } ?? source.count
    guard !open.isEmpty, !content.isEmpty else { return }
    result += "<![CDATA[".utf8
    copy(content, isText: false)
    result += "]]>".utf8
  }

  private mutating func skip(past mark: StaticString, from start: Int) {
    if let end = find(mark, from: start) {
      place = end + mark.utf8CodeUnitCount
    } else {
      isCut = true
      place = source.count
    }
  }

  /// Its subset may have quotes, comments and brackets, and `>` in all of them.
  private mutating func skipDoctype() {
    var brackets = 0
    place += 9
    while place < source.count {
      switch source[place] {
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = source[place]
        place += 1
        while place < source.count, source[place] != quote { place += 1 }
      case UInt8(ascii: "<") where starts(with: "<!--"):
        skip(past: "-->", from: place + 4)
        continue
      case UInt8(ascii: ">") where brackets <= 0:
        place += 1
        return
      default: break
      }
      place += 1
    }
    isCut = true
  }

  private mutating func readEndTag() {
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

  private mutating func writeEnd(_ name: Range<Int>) {
    result += "</".utf8
    result += source[name]
    result.append(UInt8(ascii: ">"))
  }

  private mutating func readStartTag() {
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

  // MARK: Pieces

  /// A name, cut where it is longer than anybody's.
  private mutating func readName() -> Range<Int> {
    let start = place
    while place < source.count, isNamePart(source[place]) { place += 1 }
    return start..<min(place, start + Self.nameLimit)
  }

  private mutating func skipBlanks() {
    while place < source.count, isBlank(source[place]) { place += 1 }
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// ASCII alone: no feed has other names, and what is none would be refused by libxml2.
  private func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: isNameStart(byte)
    }
  }

  private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.count == right.count && source[left].elementsEqual(source[right])
  }

  private func starts(with mark: StaticString) -> Bool { isThere(mark, at: place) }

  private func isThere(_ mark: StaticString, at place: Int) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard place + count <= source.count else { return false }
    for offset in 0..<count where source[place + offset] != mark.utf8Start[offset] { return false }
    return true
  }

  private func find(_ mark: StaticString, from start: Int) -> Int? {
    let first = mark.utf8Start[0]
    var index = start
    while index < source.count {
      if source[index] == first, isThere(mark, at: index) { return index }
      index += 1
    }
    return nil
  }
}
