import Wire

/// A Digital Object Identifier (https://www.doi.org/the-identifier/resources/handbook), in lower case, since DOIs are
/// compared without case.
package struct DOI: Hashable, Sendable {
  package let text: String

  /// Parses a DOI alone or as a URL: `10.1000/182`, `doi:10.1000/182`, `https://doi.org/10.1000/182`.
  package init?(_ written: String) {
    guard let text = written.readable, text.utf8.count <= 2_048,
      let start = text.firstRange(of: "10."), text[..<start.lowerBound].isLeadOfDOI
    else { return nil }
    var rest = String(text[start.lowerBound...])
    if text.contains("://") { rest = PercentEncoding.decoded(rest) ?? rest }
    self.init(plain: rest)
  }

  /// - Parameter text: `10.`, four to nine digits with optional parts, a slash, and a suffix without blanks.
  init?(plain text: String) {
    guard let slash = text.firstIndex(of: "/"), text.hasPrefix("10.") else { return nil }
    let registrant = text[..<slash].dropFirst(3)
    let digits = registrant.prefix { $0 != "." }
    let suffix = text[text.index(after: slash)...]
    guard (4...9).contains(digits.utf8.count), registrant.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      !suffix.isEmpty, !suffix.contains(where: { $0.isWhitespace || $0.isNewline }),
      suffix.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    self.text = text.lowercased()
  }
}

extension Substring {
  /// `doi:`, `https://doi.org/` and the like, or nothing.
  fileprivate var isLeadOfDOI: Bool {
    let lead = lowercased().filter { !$0.isWhitespace }
    return lead.isEmpty || lead == "doi:" || lead == "doi" || lead.hasSuffix("doi.org/")
  }
}

/// An arXiv identifier (https://info.arxiv.org/help/arxiv_identifier.html) without its version: `2101.00001`,
/// `hep-th/9901001`.
package struct ArXivID: Hashable, Sendable {
  package let text: String

  /// Parses an id alone, after `arXiv:`, or as a URL.
  package init?(_ written: String) {
    var text = written.lowercased()[...]
    if let place = text.firstRange(of: "arxiv.org/abs/") ?? text.firstRange(of: "arxiv.org/pdf/") {
      text = text[place.upperBound...]
    }
    if text.hasPrefix("arxiv:") { text = text.dropFirst(6) }
    if text.hasSuffix(".pdf") { text = text.dropLast(4) }
    let id = text.drop { $0 == " " }
    let base = id.lastIndex(of: "v").map { version -> Substring in
      let digits = id[id.index(after: version)...]
      return !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit) ? id[..<version] : id
    }
    let plain = String(base ?? id)
    guard Self.isNew(plain) || Self.isOld(plain) else { return nil }
    self.text = plain
  }

  private static func isNew(_ id: String) -> Bool {
    let parts = id.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 4, (4...5).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }), let month = Int(parts[0].suffix(2))
    else { return false }
    return (1...12).contains(month)
  }

  private static func isOld(_ id: String) -> Bool {
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 7, parts[1].allSatisfy(\.isASCIIDigit) else { return false }
    let archive = parts[0]
    return (2...20).contains(archive.count)
      && archive.utf8.allSatisfy { (0x61...0x7A).contains($0) || "-.".utf8.contains($0) }
  }

  /// The DOI that DataCite has for every paper of arXiv.
  package var doi: DOI? { DOI(plain: "10.48550/arxiv." + text) }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
