import Glibc

/// A link in a text.
package struct WrittenLink: Equatable, Sendable {
  package enum Target: Equatable, Sendable {
    /// `[[title]]`, as it was written, without blanks around it.
    case title(String)
    /// `commonplace:/diary/0192`.
    case stable(StableLink)
  }

  package var target: Target
  /// The whole link with its brackets, in UTF-8 bytes of the text.
  package var range: Range<Int>
}

/// Finds the links of a text.
///
///     commonplace:/documents/0192#page=3     wherever it stands, also <…> and [a label](…)
///     [[A title]]                            an item by its title
///     [[A title|what is shown]]              as Obsidian has it
///     [[commonplace:/diary/0192][shown]]     as org-roam has it, with titles too
///     \[[no link]]   `[[no link]]`           escaped as in Markdown, and in code
///
/// The rules are those that users of Obsidian and org-roam expect: code within backticks or between fences contains no
/// links, since `[[ -f x ]]` is a shell test there. A span of code ends with its paragraph. Brackets do not span lines.
/// A `#` is part of the title, since titles here may contain it (`C#`), and so is an escaped bar. A URI in brackets
/// with another scheme is no title.
///
/// The text is scanned once; only something that looked like a link and is not one is scanned twice.
package struct LinkScan {
  /// The most links that are returned for one text.
  package static let mostLinks = 100_000
  /// In UTF-8 bytes, 170 Hangul syllables. Longer text in brackets is no title, and no item is indexed by a longer
  /// title: the first line of a diary that is a whole paragraph would be stored twice more.
  package static let longestTitle = 512
  private static let longestURI = 1_024
  private static let longestLabel = 4_096

  /// Whether a text can contain links at all. Every write calls it for every text, so it is as fast as `memchr`.
  package static func isWorthwhile(_ text: String) -> Bool {
    func isWorthwhile(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      holds(UInt8(ascii: "["), UInt8(ascii: "["), in: bytes) || holds(UInt8(ascii: ":"), UInt8(ascii: "/"), in: bytes)
    }
    if let answer = text.utf8.withContiguousStorageIfAvailable(isWorthwhile) { return answer }
    var text = text
    return text.withUTF8(isWorthwhile)
  }

  private static func holds(_ first: UInt8, _ second: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var place = UnsafeRawPointer(bytes.baseAddress) else { return false }
    let end = place + bytes.count
    while let found = memchr(place, Int32(first), end - place) {
      let next = UnsafeRawPointer(found) + 1
      if next == end { return false }
      if next.load(as: UInt8.self) == second { return true }
      place = next
    }
    return false
  }

  /// The links in order of appearance, without overlaps.
  package static func links(in text: String, atMost limit: Int = mostLinks) -> [WrittenLink] {
    guard isWorthwhile(text) else { return [] }
    var text = text
    return text.withUTF8 { bytes in
      var scan = LinkScan(bytes: bytes)
      return scan.run(limit)
    }
  }

  // MARK: - The pass

  private let bytes: UnsafeBufferPointer<UInt8>
  private var code: CodeSpans
  private var links: [WrittenLink] = []

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    code = CodeSpans(bytes)
  }

  private mutating func run(_ limit: Int) -> [WrittenLink] {
    var place = code.endOfFence(from: 0) ?? 0
    while place < bytes.count, links.count < limit {
      switch bytes[place] {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): place = code.endOfFence(from: place + 1) ?? place + 1
      case UInt8(ascii: "\\"): place += isPunctuation(at: place + 1) ? 2 : 1
      case UInt8(ascii: "`"): place = code.endOfSpan(from: place)
      case UInt8(ascii: "["): place = bracketed(at: place) ?? place + 1
      case UInt8(ascii: "c"), UInt8(ascii: "C"): place = bare(at: place) ?? place + 1
      default: place += 1
      }
    }
    return links
  }

  private func byte(_ place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private func isPunctuation(at place: Int) -> Bool {
    guard let byte = byte(place) else { return false }
    return switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  // MARK: - [[…]]

  /// Records the link that begins here, and returns the offset after it; nil if none begins here.
  private mutating func bracketed(at start: Int) -> Int? {
    guard byte(start + 1) == UInt8(ascii: "["), byte(start + 2) != UInt8(ascii: "[") else { return nil }
    var inner: [UInt8] = []
    var place = start + 2
    var opened = 0
    while let byte = byte(place), inner.count <= Self.longestTitle {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
      case UInt8(ascii: "\\") where isPunctuation(at: place + 1):
        place += 1
        inner.append(bytes[place])
      case UInt8(ascii: "["):
        // The innermost pair is the link.
        if self.byte(place + 1) == byte { return nil }
        opened += 1
        inner.append(byte)
      case UInt8(ascii: "|"):
        guard let end = endOfLabel(from: place + 1) else { return nil }
        return note(inner, start..<end)
      case UInt8(ascii: "]"):
        let next = self.byte(place + 1)
        // `[[Notes [1]]]`: the first bracket is the title's.
        if opened > 0, next != byte || self.byte(place + 2) == byte {
          opened -= 1
        } else if next == byte {
          return note(inner, start..<place + 2)
        } else if next == UInt8(ascii: "[") {
          guard let end = endOfLabel(from: place + 2) else { return nil }
          return note(inner, start..<end)
        }
        inner.append(byte)
      default: inner.append(byte)
      }
      place += 1
    }
    return nil
  }

  /// The offset after the `]]` that ends a link's label.
  private func endOfLabel(from start: Int) -> Int? {
    var place = start
    while let byte = byte(place), place - start <= Self.longestLabel {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
      case UInt8(ascii: "\\"): place += 1
      // Stops at another link, so that a text with many `[[` is not rescanned for each of them.
      case UInt8(ascii: "[") where self.byte(place + 1) == byte: return nil
      case UInt8(ascii: "]") where self.byte(place + 1) == byte: return place + 2
      default: break
      }
      place += 1
    }
    return nil
  }

  private mutating func note(_ inner: [UInt8], _ range: Range<Int>) -> Int? {
    var title = Substring(decoding: inner, as: UTF8.self).drop(while: \.isWhitespace)
    while title.last?.isWhitespace == true { title.removeLast() }
    guard !title.isEmpty else { return nil }
    if let link = StableLink(String(title)) {
      links.append(WrittenLink(target: .stable(link), range: range))
    } else if !isForeign(title) {
      links.append(WrittenLink(target: .title(String(title)), range: range))
    }
    return range.upperBound
  }

  /// Whether the text has a scheme that is not ours, as org's other link types have, or a malformed one of ours. A
  /// title may contain a colon.
  private func isForeign(_ text: Substring) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, first < 0x80, scheme.first?.isLetter == true,
      scheme.utf8.allSatisfy(Self.isOfScheme)
    else { return false }
    let rest = text[colon...].dropFirst()
    switch scheme.lowercased() {
    case StableLink.scheme: return rest.hasPrefix("/")
    case "file", "id", "mailto": return rest.first?.isWhitespace == false
    default: return rest.hasPrefix("//")
    }
  }

  // MARK: - commonplace:/…

  private static let scheme = Array(StableLink.scheme.utf8) + [UInt8(ascii: ":")]

  private mutating func bare(at start: Int) -> Int? {
    guard Self.scheme.indices.allSatisfy({ byte(start + $0).map { $0 | 0x20 } == Self.scheme[$0] | 0x20 }),
      byte(start + Self.scheme.count) == UInt8(ascii: "/"), start == 0 || !Self.isOfScheme(bytes[start - 1])
    else { return nil }
    var end = start + Self.scheme.count
    while let byte = byte(end), Self.isOfURI(byte) { end += 1 }
    guard end - start <= Self.longestURI else { return end }
    // Punctuation of the sentence and emphasis around the link are not part of it; but an id may end in `_`.
    let emphasis = start > 0 && (bytes[start - 1] == UInt8(ascii: "_")) ? bytes[start - 1] : nil
    while Self.isOfSentence(bytes[end - 1]) || bytes[end - 1] == emphasis { end -= 1 }
    let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    if let link = StableLink(text) { links.append(WrittenLink(target: .stable(link), range: start..<end)) }
    return end
  }

  /// Characters of a scheme, before which ours would be part of a longer word.
  private static func isOfScheme(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// The characters of RFC 3986 without brackets, which surround links. A Korean particle ends a URI.
  private static func isOfURI(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A...0x2F, 0x3A, 0x3B, 0x3D, 0x3F, 0x40, 0x5F, 0x7E: true
    default: false
    }
  }

  private static func isOfSentence(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x27, 0x2A, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x7E: true
    default: false
    }
  }
}
