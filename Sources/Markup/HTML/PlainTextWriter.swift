/// Writes plain text from HTML: blocks become lines, lists have bullets and numbers, quotes have `>`, preformatted text
/// is unchanged, and the address of a link follows its text.
struct PlainTextWriter {
  private var bytes: [UInt8] = []
  /// The line ends to write before the next word.
  private var lineEnds = 0
  /// The number of quotes around the pending empty line.
  private var gapQuotes = 0
  /// Whether to write a space before the next word on this line.
  private var hasBlank = false
  private var preformatted = 0
  private var quotes = 0
  private var lists: [List] = []
  /// The offset at which the text of the open link begins.
  private var linkStart: Int?
  /// The bullet or number to write before the first word of a list item.
  private var bullet: String?
  private var cells = 0

  private struct List {
    /// The next item's number; nil in an unordered list.
    var next: Int?
  }

  /// Deeper quotes and lists are shown at this depth, since each level costs two bytes per line.
  private static let depthLimit = 8

  var count: Int { bytes.count }

  /// The text, without white space at its ends.
  func finished() -> String {
    var end = bytes.count
    while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  mutating func begin(_ name: String, number: Int?) {
    breakLine(HTMLElements.lineEnds(name), in: name)
    switch name {
    case "pre", "listing": preformatted += 1
    case "blockquote": quotes += 1
    case "ul", "dir", "menu": lists.append(List(next: nil))
    case "ol": lists.append(List(next: number ?? 1))
    case "li":
      if let next = lists.last?.next {
        let own = number ?? next
        bullet = "\(own). "
        lists[lists.count - 1].next = own == .max ? own : own + 1
      } else {
        bullet = "• "
      }
    case "tr": cells = 0
    case "td", "th":
      if cells > 0 { separateCells() }
      cells += 1
    case "q": put("“")
    case "a": linkStart = bytes.count
    default: break
    }
  }

  mutating func end(_ name: String, link: String?) {
    switch name {
    case "pre", "listing": preformatted = max(preformatted - 1, 0)
    case "ul", "ol", "dir", "menu": _ = lists.popLast()
    case "q": put("”")
    case "a": endLink(link)
    default: break
    }
    breakLine(HTMLElements.lineEnds(name), in: name)
    if name == "blockquote" {
      quotes = max(quotes - 1, 0)
      gapQuotes = min(gapQuotes, quotes)
    }
    if name == "li" { bullet = nil }
  }

  mutating func void(_ name: String) {
    switch name {
    case "br":
      hasBlank = false
      if lineEnds < 2 || preformatted > 0 { lineEnds += 1 }
    case "hr":
      breakLine(2, in: name)
      put("* * *")
      breakLine(2, in: name)
    default: break
    }
  }

  /// The title of an embedded video or page, separated from the words around it.
  mutating func frame(_ title: String, link: String?) {
    hasBlank = true
    for word in title.split(separator: " ") {
      put(String(word))
      hasBlank = true
    }
    linkStart = bytes.count - min(title.utf8.count, bytes.count)
    endLink(link)
    hasBlank = true
  }

  mutating func picture(_ alternative: String) {
    guard !alternative.isEmpty else { return }
    put("[\(alternative)]")
  }

  mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
    if preformatted > 0 { return writeLines(text) }
    var index = 0
    while index < text.count {
      if isBlank(text[index]) {
        hasBlank = true
        index += 1
        continue
      }
      let start = index
      while index < text.count, !isBlank(text[index]) { index += 1 }
      put(UnsafeBufferPointer(rebasing: text[start..<index]))
    }
  }

  private mutating func writeLines(_ text: UnsafeBufferPointer<UInt8>) {
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.offset > 0 { lineEnds += 1 }
      var piece = line.element
      if piece.last == 0x0D { piece = piece.dropLast() }
      if !piece.isEmpty { put(UnsafeBufferPointer(rebasing: piece)) }
    }
  }

  private mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { put($0) }
  }

  /// Writes a word, after the pending line ends or space.
  private mutating func put(_ word: UnsafeBufferPointer<UInt8>) {
    let isFirst = bytes.isEmpty
    if !isFirst, lineEnds > 0 {
      for index in 0..<lineEnds {
        bytes.append(0x0A)
        // The empty line between two paragraphs of a quote belongs to the quote.
        if index < lineEnds - 1, gapQuotes > 0 { startQuotes(gapQuotes, isEmpty: true) }
      }
    }
    if isFirst || lineEnds > 0 {
      startLine()
    } else if hasBlank, preformatted == 0 {
      bytes.append(0x20)
    }
    lineEnds = 0
    hasBlank = false
    bytes += word
  }

  private mutating func startQuotes(_ quotes: Int, isEmpty: Bool) {
    let quotes = min(quotes, Self.depthLimit)
    for index in 0..<quotes { bytes += (isEmpty && index == quotes - 1 ? ">" : "> ").utf8 }
  }

  private mutating func startLine() {
    startQuotes(quotes, isEmpty: false)
    guard !lists.isEmpty else { return }
    let depth = min(lists.count, Self.depthLimit) - 1
    for _ in 0..<depth { bytes += "  ".utf8 }
    if let bullet { bytes += bullet.utf8 } else { bytes += "  ".utf8 }
    bullet = nil
  }

  /// Ends the line; blocks inside lists have no empty lines between them.
  private mutating func breakLine(_ count: Int, in name: String) {
    guard count > 0 else { return }
    let isList = ["ul", "ol", "p", "dl"].contains(name) && !lists.isEmpty
    gapQuotes = lineEnds > 0 ? min(gapQuotes, quotes) : quotes
    lineEnds = max(lineEnds, isList ? 1 : count)
    hasBlank = false
  }

  private mutating func separateCells() {
    guard lineEnds == 0 else { return }
    hasBlank = false
    bytes.append(0x09)
  }

  private mutating func endLink(_ link: String?) {
    defer { linkStart = nil }
    guard let link, let start = linkStart, start <= bytes.count else { return }
    let words = String(decoding: bytes[start...], as: UTF8.self)
    let bare = Self.bare(link)
    // A link whose text is the address needs no address after it.
    guard !bare.isEmpty, !words.contains(bare) else { return }
    hasBlank = !words.isEmpty
    put(words.isEmpty ? link : "(\(link))")
  }

  /// The address without its scheme and final slash, as people write it.
  private static func bare(_ link: String) -> String {
    var bare = link[...]
    for scheme in ["https://", "http://", "mailto:"] where bare.lowercased().hasPrefix(scheme) {
      bare = bare.dropFirst(scheme.count)
    }
    if bare.hasSuffix("/") { bare = bare.dropLast() }
    return String(bare)
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
