/// Turns a malformed document into a well-formed one before libxml2 parses it.
///
/// libxml2 recovers too, but by dropping text: `a=1&b=2` loses `&b`, `&nbsp;` its space, an attribute without quotes
/// its element. Here no text is lost. Document type declarations are removed, so libxml2 has no entities to expand or
/// fetch; short ones are expanded here. And the number of attributes per tag is bounded, since libxml2 compares them
/// pairwise.
struct XMLRepair {
  /// The result of the repair.
  struct Result {
    /// Well-formed, in UTF-8; empty if there is no element.
    var bytes: [UInt8]
    /// Whether the document has its proper end. One that was cut off does not.
    var isComplete: Bool
    /// Whether a limit cut it off.
    var isTruncated: Bool
  }

  /// An element without an end tag so far.
  struct Open {
    /// A range in the source.
    var name: Range<Int>
    /// The offset of its tag in `result`.
    var start: Int
  }

  let source: UnsafeBufferPointer<UInt8>
  let depthLimit: Int
  private let checkCancelled: () throws -> Void
  var place = 0
  private var nextCheck = 0
  var result: [UInt8] = []
  var open: [Open] = []
  var hasRoot = false
  var isCut = false
  var isTruncated = false
  /// The declared entities, with their text as it is written into the result.
  var entities: [[UInt8]: [UInt8]] = [:]
  /// The number of bytes that expansions have added.
  var expanded = 0

  /// `dropped` are names of elements, in lower case and without a prefix, that are dropped if the document ends inside
  /// them.
  static func repair(
    _ bytes: [UInt8], depthLimit: Int, dropping dropped: [String] = [], checkCancelled: () throws -> Void
  ) throws -> Result {
    try bytes.withUnsafeBufferPointer { source in
      try withoutActuallyEscaping(checkCancelled) { check in
        var repair = XMLRepair(source: source, depthLimit: depthLimit, checkCancelled: check)
        repair.result.reserveCapacity(source.count + source.count / 8 + 64)
        return try repair.run(dropped)
      }
    }
  }

  private init(source: UnsafeBufferPointer<UInt8>, depthLimit: Int, checkCancelled: @escaping () throws -> Void) {
    self.source = source
    self.depthLimit = depthLimit
    self.checkCancelled = checkCancelled
  }

  private mutating func run(_ dropped: [String]) throws -> Result {
    while place < source.count, !isTruncated {
      if place >= nextCheck {
        try checkCancelled()
        nextCheck = place + 1 << 18
      }
      if source[place] == UInt8(ascii: "<") { readMarkup() } else { readText() }
      // Text after the root element is ignored.
      if hasRoot, open.isEmpty { break }
    }
    let isComplete = hasRoot && open.isEmpty && !isCut
    if !isTruncated { dropCut(dropped) }
    while let element = open.popLast() { writeEnd(element.name) }
    return Result(bytes: result, isComplete: isComplete, isTruncated: isTruncated)
  }

  // MARK: Text

  private mutating func readText() {
    let isInside = !open.isEmpty
    while place < source.count, source[place] != UInt8(ascii: "<") {
      if source[place] == UInt8(ascii: "&") {
        let reference = CharacterReference.read(source, at: place, end: source.count)
        if reference.scalar == nil, let count = expand(at: place, end: source.count, isWritten: isInside) {
          place += count
          continue
        }
        place += reference.count
        if isInside { reference.write(into: &result) }
        continue
      }
      let start = place
      while place < source.count, source[place] != UInt8(ascii: "<"), source[place] != UInt8(ascii: "&") { place += 1 }
      if isInside { copy(start..<place, isText: true) }
    }
  }

  /// Copies text without `<` and `&`, and removes characters that are invalid in XML.
  private mutating func copy(_ range: Range<Int>, isText: Bool) {
    var start = range.lowerBound
    for index in range {
      // Text must not contain the end of a CDATA section.
      let isBracketEnd =
        isText && source[index] == UInt8(ascii: ">") && index > start && source[index - 1] == UInt8(ascii: "]")
      guard isBracketEnd || isForbidden(index) else { continue }
      result += source[start..<index]
      if isBracketEnd { result += "&gt;".utf8 }
      start = index + 1
    }
    result += source[start..<range.upperBound]
  }

  func isForbidden(_ index: Int) -> Bool {
    let byte = source[index]
    if byte >= 0x20 {
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF. All three bytes must be removed, since the rest would be invalid
      // UTF-8.
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

  /// Its internal subset may have quotes, comments, instructions and brackets, with `>` in all of them.
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
      case UInt8(ascii: "<") where starts(with: "<?"):
        skip(past: "?>", from: place + 2)
        continue
      case UInt8(ascii: "<") where starts(with: "<!ENTITY"):
        readEntity()
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
}
