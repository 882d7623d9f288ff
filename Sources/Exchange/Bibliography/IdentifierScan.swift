import Kit

/// An identifier by which services know a work.
package enum WorkIdentifier: Hashable, Sendable {
  case doi(DOI)
  case arXiv(ArXivID)
  case isbn(ISBN)

  /// - Parameter written: an identifier of any of these, as people write it.
  package init?(_ written: String) {
    if let doi = DOI(written) {
      self = .doi(doi)
    } else if let isbn = ISBN(written) {
      self = .isbn(isbn)
    } else if let arXiv = ArXivID(written.readable ?? "") {
      self = .arXiv(arXiv)
    } else {
      return nil
    }
  }

  /// `10.1000/182`, `arXiv:2101.00001`, `9780486269573`.
  package var text: String {
    switch self {
    case .doi(let doi): doi.text
    case .arXiv(let id): "arXiv:\(id.text)"
    case .isbn(let isbn): isbn.digits
    }
  }
}

/// Finds identifiers in running text, in the order of their places.
package enum IdentifierScan {
  package static func all(in text: String) -> [WorkIdentifier] {
    let bytes = Array(text.utf8)
    var found: [WorkIdentifier] = []
    var seen: Set<WorkIdentifier> = []
    for index in bytes.indices {
      let identifier: WorkIdentifier? =
        switch bytes[index] {
        case UInt8(ascii: "1"): doi(at: index, in: bytes).map { .doi($0) }
        case UInt8(ascii: "a"), UInt8(ascii: "A"): arXiv(at: index, in: bytes).map { .arXiv($0) }
        case UInt8(ascii: "i"), UInt8(ascii: "I"): isbn(at: index, in: bytes).map { .isbn($0) }
        default: nil
        }
      if let identifier, seen.insert(identifier).inserted { found.append(identifier) }
    }
    return found
  }

  /// The longest identifier or number that is read, in bytes.
  private static let longest = 256

  private static func has(_ word: StaticString, at index: Int, in bytes: [UInt8]) -> Bool {
    let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard index + word.count <= bytes.count else { return false }
    // Letters are compared in lower case.
    return word.indices.allSatisfy { place in
      let byte = bytes[index + place]
      return word[place] == ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func doi(at start: Int, in bytes: [UInt8]) -> DOI? {
    guard has("10.", at: start, in: bytes) else { return nil }
    if start > 0, isDigit(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: ".") { return nil }
    var index = start + 3
    while index < bytes.count, isDigit(bytes[index]) || bytes[index] == UInt8(ascii: ".") { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "/"), index - start <= 32 else { return nil }
    index += 1
    let suffix = index
    while index < bytes.count, index - start < longest {
      if isEnd(bytes[index]) {
        // A DOI that a page wraps goes on in the next line, after a character that ends none.
        let isWrapped = bytes[index] == 0x0A && "/-_".utf8.contains(bytes[index - 1]) && index + 1 < bytes.count
        guard isWrapped, !isEnd(bytes[index + 1]) else { break }
        let line = bytes[(index + 1)...].prefix(longest).prefix { !isEnd($0) }
        return trimmed(Array(bytes[start..<index]) + line, from: suffix - start)
      }
      index += 1
    }
    return trimmed(Array(bytes[start..<index]), from: suffix - start)
  }

  /// White space, and what encloses a DOI in running text or in XML.
  private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || "<>\"|".utf8.contains(byte) }

  /// Without the punctuation of the sentence; a closing bracket belongs to it only if its opening one does.
  private static func trimmed(_ bytes: [UInt8], from suffix: Int) -> DOI? {
    var text = String(decoding: bytes, as: UTF8.self)
    if let end = text.firstIndex(where: { "”’»“（），。、；".contains($0) }) { text = String(text[..<end]) }
    while let last = text.last, text.utf8.count > suffix {
      let opening: Character? = last == ")" ? "(" : last == "]" ? "[" : last == "}" ? "{" : nil
      if let opening {
        guard text.count(where: { $0 == last }) > text.count(where: { $0 == opening }) else { break }
      } else if !".,;:'*".contains(last) {
        break
      }
      text.removeLast()
    }
    return DOI(text)
  }

  private static func arXiv(at start: Int, in bytes: [UInt8]) -> ArXivID? {
    let prefixes: [StaticString] = ["arxiv:", "arxiv.org/abs/", "arxiv.org/pdf/"]
    guard let prefix = prefixes.first(where: { has($0, at: start, in: bytes) }) else { return nil }
    var rest = bytes[(start + prefix.utf8CodeUnitCount)...].prefix(64).drop { $0 == 0x20 }
    rest = rest.prefix { !isEnd($0) && !"[](),;".utf8.contains($0) }
    while rest.last == UInt8(ascii: ".") { rest.removeLast() }
    return ArXivID(String(decoding: rest, as: UTF8.self))
  }

  /// The number after the word ISBN: its first digits, with hyphens and blanks between them, whose check digit is right.
  private static func isbn(at start: Int, in bytes: [UInt8]) -> ISBN? {
    guard has("isbn", at: start, in: bytes) else { return nil }
    let line = String(decoding: bytes[(start + 4)...].prefix(96), as: UTF8.self)
    let words = line.split { $0.isWhitespace || $0 == ":" || $0 == "(" || $0 == ")" || $0 == "," || $0 == ";" }
    for first in words.indices.prefix(4) {
      var number = ""
      for word in words[first...].prefix(6) {
        number += word
        if let isbn = ISBN(number.trimmedOfPunctuation) { return isbn }
      }
    }
    return nil
  }
}

extension String {
  fileprivate var trimmedOfPunctuation: String {
    var text = self[...]
    while let last = text.last, last == "." || last == "-" { text.removeLast() }
    while let first = text.first, first == "-" { text.removeFirst() }
    return String(text)
  }
}
