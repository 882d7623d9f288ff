import Wire

/// The front matter of a Markdown text: the subset of YAML that note-taking programs write.
///
///     title: A walk                    a text
///     title: "He said \"no\""          a quoted text, with escapes
///     title: >-                        a text on the following indented lines
///       A long walk
///       along the river
package struct FrontMatter {
  /// The raw values; the lines of each are joined.
  private var written: [String: String] = [:]
  /// The keys of block values, which have no quotation marks.
  private var blocks: Set<String> = []
  /// The key of the line before, if indented lines continue its value.
  private var open: String?

  package var values: [String: String] {
    var values = written
    for (key, value) in written where !blocks.contains(key) { values[key] = Self.plain(value) }
    return values
  }

  private static let blockSigns: Set = ["|", "|-", "|+", ">", ">-", ">+"]

  package init() {}

  package mutating func add(_ line: Substring) {
    if let first = line.first, first == " " || first == "\t" {
      if let open { goOn(open, with: line.drop { $0 == " " || $0 == "\t" }) }
    } else if let colon = line.firstIndex(of: ":") {
      let key = String(line[..<colon])
      let value = String(line[line.index(after: colon)...].drop { $0 == " " })
      if Self.blockSigns.contains(value) { blocks.insert(key) } else { blocks.remove(key) }
      written[key] = blocks.contains(key) ? "" : value
      // Indented lines after a key without a value are a list, or nested keys.
      open = value.isEmpty ? nil : key
    } else {
      open = nil
    }
  }

  /// A value becomes one line, even if it has several lines in the file.
  private mutating func goOn(_ key: String, with line: Substring) {
    let value = written[key] ?? ""
    written[key] = value.isEmpty || line.isEmpty ? value + line : value + " " + line
  }

  /// A YAML text without its quotation marks.
  private static func plain(_ value: String) -> String {
    guard value.utf8.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote else {
      return value
    }
    let inner = String(value.dropFirst().dropLast())
    return quote == "'" ? inner.replacing("''", with: "'") : inner.replacing(/\\(["\\\/])/) { $0.output.1 }
  }
}
