import SearchEngine
import Wire

/// The tags that a text states with a sign: `#garden`, `#to/read`, `#[[to read]]`. Code has none, `#12` refers to
/// something else, and `# A title` is a heading. They stay in the text.
package enum TextTags {
  /// The longest tag in brackets, in characters; longer ones could not be stored.
  private static let longest = 200

  package static func tags(in text: String) -> [String] {
    // Most texts have none.
    text.utf8.contains(UInt8(ascii: "#")) ? lines(of: text).flatMap(hashes) : []
  }

  /// The tags of an item with those that a text states and the former text did not. A tag that somebody has removed thus
  /// stays removed.
  package static func adding(to tags: [String], from text: String, over old: String = "") -> [String] {
    let written = self.tags(in: text)
    if written.isEmpty { return tags }
    var known = Set((tags + self.tags(in: old)).map { foldedText($0) })
    let new = written.filter { known.insert(foldedText($0)).inserted }
    return new.isEmpty ? tags : TagList.possible(tags + new)
  }

  /// The lines of a text without those of fenced code.
  package static func lines(of text: String) -> [Substring] {
    var fence: Substring?
    return text.split(whereSeparator: \.isNewline).filter { line in
      let start = line.drop { $0 == " " || $0 == "\t" }
      guard start.hasPrefix("```") || start.hasPrefix("~~~") else { return fence == nil }
      let sign = start.prefix(3)
      if fence == nil { fence = sign } else if fence == sign { fence = nil }
      return false
    }
  }

  package static func hashes(in line: Substring) -> [String] {
    guard line.utf8.contains(UInt8(ascii: "#")) else { return [] }
    var tags: [String] = []
    var isCode = false
    var before: Character = " "
    var place = line.startIndex
    while place < line.endIndex {
      let character = line[place]
      let next = line.index(after: place)
      if character == "`" { isCode.toggle() }
      guard character == "#", before.isWhitespace, !isCode else {
        (before, place) = (character, next)
        continue
      }
      before = character
      let rest = line[next...]
      if rest.hasPrefix("[["), let end = rest.prefix(longest).firstRange(of: "]]") {
        tags.append(String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end.lowerBound]))
        place = end.upperBound
      } else {
        let tag = rest.prefix { $0.isLetter || $0.isNumber || "_-/".contains($0) }
        // `#12` refers to something else.
        if tag.contains(where: { !$0.isNumber }), tag.first != "/" { tags.append(String(tag)) }
        place = tag.endIndex
      }
    }
    return tags
  }
}
