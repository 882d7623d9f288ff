import Wire

/// The text being typed at a position: the opener before it decides what may complete it.
struct WantedCompletion: Sendable {
  enum Kind: Sendable { case title, link, tag, day, card, word }

  var kind: Kind
  /// The text that was typed after the opener.
  var typed: String
  /// With the opener.
  var written: String
  /// From the opener to the cursor, in UTF-8 bytes of the line.
  var range: Range<Int>
  /// Whether `]]` follows the cursor.
  var isClosed = false

  /// Nil where nothing is completed.
  init?(at place: PlaceRequest, isByHand: Bool) {
    let content = place.content
    guard place.byte <= content.utf8.count, !place.text.fenced.contains(place.line) else { return nil }
    let before = content.bytes(0..<place.byte)
    let isProse = TextScan.isProse(place.text.languageID)
    func make(_ kind: Kind, from start: Int, openerLength: Int) -> WantedCompletion {
      let written = before.bytes(start..<place.byte)
      return WantedCompletion(
        kind: kind, typed: written.bytes(openerLength..<written.utf8.count), written: written,
        range: start..<place.byte, isClosed: content.bytes(place.byte..<content.utf8.count).hasPrefix("]]"))
    }
    let bytes = Array(before.utf8)
    if let start = Self.bracketStart(in: bytes), isProse || place.text.scan.isComment(place.line, at: start) {
      self = make(.title, from: start, openerLength: 2)
      return
    }
    let wordStart = (bytes.lastIndex { Self.isBlank($0) } ?? -1) + 1
    if let start = Self.last("commonplace:", in: bytes, from: wordStart) {
      var wanted = make(.link, from: start, openerLength: 12)
      // Of a link that is typed in full, its path is no word of a title.
      wanted.typed = String(wanted.typed.split(separator: "/").last ?? "")
      self = wanted
      return
    }
    // A value in words has blanks: `due:next fri`.
    let openers = ["due:", "start:"].compactMap { opener in
      Self.last(opener, in: bytes, from: 0).map { (start: $0, length: opener.utf8.count) }
    }
    if isProse, let (start, length) = openers.max(by: { $0.start < $1.start }),
      start == 0 || Self.isBlank(bytes[start - 1]), bytes.count - start <= 40
    {
      let wanted = make(.day, from: start, openerLength: length)
      // A day that ended is no day that is typed: after digits any word follows it, after words another field.
      let word = before.bytes(wordStart..<bytes.count)
      let isEnded = word.hasPrefix("#") || word.hasPrefix("after:^") || wanted.typed.hasDay
      if !wanted.typed.contains(where: \.isWhitespace) || !isEnded {
        self = wanted
        return
      }
    }
    guard isProse else { return nil }
    if bytes[wordStart...].starts(with: Array("after:^".utf8)) {
      self = make(.card, from: wordStart, openerLength: 7)
    } else if wordStart < bytes.count, bytes[wordStart] == UInt8(ascii: "#"),
      !bytes[(wordStart + 1)...].contains(UInt8(ascii: "#"))
    {
      self = make(.tag, from: wordStart, openerLength: 1)
    } else if isByHand, bytes.count > wordStart, before.bytes(wordStart..<bytes.count).contains(where: \.isLetter) {
      self = make(.word, from: wordStart, openerLength: 0)
      isClosed = false
    } else {
      return nil
    }
  }

  private init(kind: Kind, typed: String, written: String, range: Range<Int>, isClosed: Bool) {
    (self.kind, self.typed, self.written) = (kind, typed, written)
    (self.range, self.isClosed) = (range, isClosed)
  }

  /// The `[[` that is still open at the end.
  private static func bracketStart(in bytes: [UInt8]) -> Int? {
    var place = bytes.count - 1
    while place > 0 {
      switch (bytes[place - 1], bytes[place]) {
      case (UInt8(ascii: "["), UInt8(ascii: "[")):
        let start = place - 1
        // `\[[` is escaped.
        return start > 0 && bytes[start - 1] == UInt8(ascii: "\\") ? nil : start
      case (UInt8(ascii: "]"), UInt8(ascii: "]")): return nil
      default: place -= 1
      }
    }
    return nil
  }

  private static func last(_ word: String, in bytes: [UInt8], from first: Int) -> Int? {
    let word = Array(word.utf8)
    guard bytes.count - first >= word.count else { return nil }
    for start in stride(from: bytes.count - word.count, through: first, by: -1)
    where bytes[start...].starts(with: word) {
      return start
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// The text that some versions of Neovim insert in place of the last word that was typed: they replace only that, and
  /// take a text up to its first blank from a `textEdit`. Nil if the text does not continue what was typed before.
  func tail(of text: String) -> (text: String, typed: String)? {
    let word = written.suffix(while: { $0.isLetter || $0.isNumber || $0 == "_" })
    let head = String(written.dropLast(word.count))
    if text.count >= head.count, text.prefix(head.count).lowercased() == head.lowercased() {
      return (String(text.dropFirst(head.count)), String(word))
    }
    return nil
  }
}

extension String {
  /// Whether it begins with a day in digits.
  fileprivate var hasDay: Bool { count > 10 && prefix(10).allSatisfy { $0.isNumber || $0 == "-" } }
}

extension Collection where Self: BidirectionalCollection {
  fileprivate func suffix(while isOf: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      guard isOf(self[before]) else { break }
      start = before
    }
    return self[start...]
  }
}
