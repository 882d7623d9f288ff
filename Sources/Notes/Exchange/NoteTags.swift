import Kit

/// The tags in a text of other programs: `#novel`, `#to/read`, Logseq's `#[[to read]]` and `tags:: novel, [[to read]]`.
/// Code has none.
enum NoteTags {
  static func tags(in text: String) -> [String] {
    TextTags.lines(of: text).flatMap { line in
      properties(line.drop { $0 == " " || $0 == "\t" }, "tags") ?? TextTags.hashes(in: line)
    }
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
}
