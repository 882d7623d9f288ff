import Wire

/// An entry of a BibTeX database (https://www.bibtex.org/Format/), in UTF-8 as biber and today's BibTeX read it.
enum BibTeX {
  static func entry(_ facts: BookFacts, key: String) -> String {
    var fields: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { fields.append((name, value)) }
    }
    add("author", facts.authors.isEmpty ? nil : facts.authors.map(author).joined(separator: " and "))
    // Doubled braces keep the case of the title.
    add("title", facts.title.map { "{\(escaped($0))}" })
    add("subtitle", facts.subtitle.map { "{\(escaped($0))}" })
    add("publisher", facts.publisher.map { "{\(escaped($0))}" })
    add("year", facts.year.map(String.init))
    if facts.year == nil { add("note", facts.published.map(escaped)) }
    add("isbn", facts.isbns.first)
    add("pagetotal", facts.pageCount.map(String.init))
    add("language", facts.language.map(escaped))
    add("url", facts.infoLink.map { $0.filter { $0 != "{" && $0 != "}" && !$0.isWhitespace } })
    let lines = fields.map { "  \($0.0) = {\($0.1)}" }
    return "@book{\(key),\n\(lines.joined(separator: ",\n"))\n}\n"
  }

  /// `Family, Given` or `Family, Jr., Given`; a name that cannot be split is put in braces, or BibTeX would split it.
  private static func author(_ name: String) -> String {
    let parts = PersonName(name)
    guard let given = parts.given else { return "{\(escaped(name))}" }
    let family = [parts.particle, parts.family].compactMap(\.self).joined(separator: " ")
    return [family, parts.suffix, given].compactMap { $0.map(escaped) }.joined(separator: ", ")
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\textbackslash{}"
      case "{": result += "\\{"
      case "}": result += "\\}"
      case "&", "%", "$", "#", "_": result += "\\\(character)"
      case "~": result += "\\textasciitilde{}"
      case "^": result += "\\textasciicircum{}"
      case "\n", "\r", "\r\n": result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
