/// The tags in a text of other programs: `#novel`, `#to/read`, Logseq's `#[[to read]]` and `tags:: novel, [[to read]]`.
/// Code has none.
enum NoteTags {
  /// The longest tag in brackets, in characters; longer ones could not be stored.
  private static let longest = 200

  static func tags(in text: String) -> [String] {
    var tags: [String] = []
    var fence: Substring?
    for line in text.split(whereSeparator: \.isNewline) {
      let start = line.drop { $0 == " " || $0 == "\t" }
      if start.hasPrefix("```") || start.hasPrefix("~~~") {
        let sign = start.prefix(3)
        if fence == nil { fence = sign } else if fence == sign { fence = nil }
        continue
      }
      if fence != nil { continue }
      if let values = properties(start, "tags") { tags += values } else { tags += hashes(in: line) }
    }
    return tags
  }

  /// The names of a page of Logseq: `alias:: Arrakis, [[Desert planet]]`.
  static func aliases(in text: String) -> [String] {
    for line in text.split(whereSeparator: \.isNewline).prefix(20) {
      if let values = properties(line.drop { $0 == " " || $0 == "\t" }, "alias") { return values }
    }
    return []
  }

  private static func properties(_ line: Substring, _ name: String) -> [String]? {
    let line = line.hasPrefix("- ") ? line.dropFirst(2) : line
    guard line.hasPrefix("\(name):: ") else { return nil }
    return line.dropFirst(name.count + 3).split(separator: ",").compactMap { value in
      var value = value.trimmed[...].drop { $0 == "#" }
      if value.hasPrefix("[["), value.hasSuffix("]]") { value = value.dropFirst(2).dropLast(2) }
      return value.isEmpty ? nil : String(value)
    }
  }

  private static func hashes(in line: Substring) -> [String] {
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
