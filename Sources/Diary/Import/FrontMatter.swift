import Wire

/// What stands above a text of Markdown: so much of YAML as programs that keep notes write there.
///
///     title: A walk                    a text
///     title: "He said \"no\""          in quotation marks, with what must be written otherwise in them
///     title: >-                        a text on the lines below, which are set in
///       A long walk
///       along the river
struct FrontMatter {
  /// As they stand there, the lines of each put together.
  private var written: [String: String] = [:]
  /// Whose values are without quotation marks, whatever they begin with.
  private var blocks: Set<String> = []
  /// The key of the line before, where lines that are set in go on with its value.
  private var open: String?

  var values: [String: String] {
    var values = written
    for (key, value) in written where !blocks.contains(key) { values[key] = Self.plain(value) }
    return values
  }

  private static let blockSigns: Set = ["|", "|-", "|+", ">", ">-", ">+"]

  mutating func add(_ line: Substring) {
    if let first = line.first, first == " " || first == "\t" {
      if let open { goOn(open, with: line.drop { $0 == " " || $0 == "\t" }) }
    } else if let colon = line.firstIndex(of: ":") {
      let key = String(line[..<colon])
      let value = String(line[line.index(after: colon)...].drop { $0 == " " })
      if Self.blockSigns.contains(value) { blocks.insert(key) } else { blocks.remove(key) }
      written[key] = blocks.contains(key) ? "" : value
      // What is set in below a key without a value is a list, or names of its own.
      open = value.isEmpty ? nil : key
    } else {
      open = nil
    }
  }

  /// A text is one line here, also where it has several there.
  private mutating func goOn(_ key: String, with line: Substring) {
    let value = written[key] ?? ""
    written[key] = value.isEmpty || line.isEmpty ? value + line : value + " " + line
  }

  /// A text of YAML without the quotation marks that it may stand in.
  private static func plain(_ value: String) -> String {
    guard value.utf8.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote else {
      return value
    }
    let inner = String(value.dropFirst().dropLast())
    return quote == "'" ? inner.replacing("''", with: "'") : inner.replacing(/\\(["\\\/])/) { $0.output.1 }
  }
}
