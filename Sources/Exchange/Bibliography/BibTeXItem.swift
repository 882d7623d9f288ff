import Kit
import Wire

extension BibTeXEntry {
  /// The entry in CSL-JSON; nil without a title.
  func item(inheriting others: [String: BibTeXEntry]) -> CSLItem? {
    var entry = self
    if let parent = fields["crossref"].flatMap({ others[$0.lowercased()] }), parent.key != key {
      entry.inherit(parent)
    }
    var item = CSLItem(type: BibTeXType.type(of: entry))
    let known = Fields(entry: entry)
    item["title"] = known.title
    guard item["title"] != nil else { return nil }
    if known.text("subtitle") != nil { item["title-short"] = known.text("title") }
    item["title-short"] = item["title-short"] ?? known.text("shorttitle")
    for role in ["author", "editor", "translator"] {
      item[names: role] = entry.fields[role].map(BibTeXNames.names) ?? []
    }
    item["container-title"] = known.text("journal", "journaltitle", "booktitle", "maintitle")
    item["collection-title"] = known.text("series")
    item["publisher"] = known.text("publisher", "school", "institution", "organization")
    item["publisher-place"] = known.text("address", "location")
    for (variable, names) in Self.variables { item[variable] = known.text(names) }
    if item.type.hasPrefix("article") {
      item["issue"] = known.text("number", "issue")
    } else if item["collection-title"] != nil {
      item["collection-number"] = known.text("number")
    } else {
      item["number"] = known.text("number")
    }
    if let pages = known.text("pages") {
      item["page"] = pages.replacing("—", with: "-").replacing("–", with: "-").replacing(" - ", with: "-")
    }
    item.groups = (known.text("groups") ?? "").split(separator: ",").compactMap { String($0).readable }
    item["DOI"] = known.verbatim("doi").flatMap { DOI($0)?.text ?? $0 }
    item["URL"] = known.verbatim("url")
    if let arXiv = entry.arXiv {
      item["number"] = item["number"] ?? "arXiv:\(arXiv.text)"
      item["DOI"] = item["DOI"] ?? arXiv.doi?.text
    }
    item["genre"] = known.text("type") ?? (type == "mastersthesis" ? "Master's thesis" : nil)
    item[date: "issued"] = known.date
    item[date: "accessed"] = known.text("urldate").map { CSLDate(written: $0) }
    return whole(item)
  }

  private static let variables: [(String, [String])] = [
    ("volume", ["volume"]), ("edition", ["edition"]), ("ISBN", ["isbn"]), ("ISSN", ["issn"]), ("note", ["note"]),
    ("abstract", ["abstract"]), ("keyword", ["keywords", "keyword"]), ("language", ["langid", "language"]),
    ("number-of-pages", ["pagetotal"]), ("number-of-volumes", ["volumes"]), ("PMID", ["pmid"]),
    ("chapter-number", ["chapter"]), ("event-title", ["eventtitle"]), ("event-place", ["venue"]),
    ("version", ["version"]), ("annote", ["annote", "annotation"]),
  ]

  /// What an entry without a field has from the one that contains it: a paper the publisher of its proceedings.
  private mutating func inherit(_ parent: BibTeXEntry) {
    for (name, value) in parent.fields where name != "crossref" {
      switch name {
      case "title": if !type.hasPrefix("book") { fields["booktitle"] = fields["booktitle"] ?? value }
      case "subtitle", "shorttitle", "doi", "url", "abstract", "pages": break
      default: fields[name] = fields[name] ?? value
      }
    }
  }

  private struct Fields {
    let entry: BibTeXEntry

    func text(_ names: String...) -> String? { text(names) }

    func text(_ names: [String]) -> String? {
      names.lazy.compactMap { entry.fields[$0] }.map(BibTeXText.plain).compactMap(\.readable).first
    }

    /// A field in which TeX's special characters are themselves; programs escape some of them all the same.
    func verbatim(_ name: String) -> String? {
      guard let text = entry.fields[name], !text.contains("\0") else { return nil }
      return text.filter { $0 != "{" && $0 != "}" && $0 != "\\" && !$0.isWhitespace }.readable
    }

    var title: String? {
      guard let title = text("title") else { return nil }
      return text("subtitle").map { "\(title): \($0)" } ?? title
    }

    /// `date` of biblatex, else year and month; a text that is no year stays one.
    var date: CSLDate? {
      if let text = text("date") {
        let days = text.split(separator: "/", omittingEmptySubsequences: false).map { CSLDate(written: String($0)) }
        guard var date = days.first else { return nil }
        if days.count > 1 { date.end = days[1].parts }
        if date.year != nil || date.literal?.readable != nil { return date }
      }
      guard let year = text("year") else { return nil }
      var date = CSLDate(written: year)
      guard date.parts.count == 1 else { return date }
      if let month = text("month").flatMap(Self.month) {
        date.parts.append(month)
        if let day = text("day").flatMap({ Int($0) }), (1...31).contains(day) { date.parts.append(day) }
      }
      return date
    }

    private static func month(_ text: String) -> Int? {
      if let number = Int(text) { return (1...12).contains(number) ? number : nil }
      return BibTeXText.months.firstIndex { text.lowercased().hasPrefix($0) }.map { $0 + 1 }
    }
  }
}

/// The names of an author field: `First von Last`, `von Last, First` or `von Last, Jr, First`, joined by `and`.
enum BibTeXNames {
  static func names(_ field: String) -> [CSLName] {
    words(of: field).split(separator: "and").compactMap { words in
      // `and others` means that there are more.
      words.count == 1 && words.first == "others" ? nil : name(Array(words))
    }
  }

  /// The words at the outermost level of braces.
  private static func words(of field: String) -> [String] {
    var words: [String] = []
    var word = ""
    var depth = 0
    var isEscaped = false
    for character in field {
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "{" {
        depth += 1
      } else if character == "}" {
        depth = max(0, depth - 1)
      }
      if depth == 0, character.isWhitespace || character == "," {
        if !word.isEmpty { words.append(word) }
        word = ""
        if character == "," { words.append(",") }
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static func name(_ words: [String]) -> CSLName? {
    let parts = words.split(separator: ",", omittingEmptySubsequences: false).map(Array.init)
    func plain(_ words: [String]) -> String? { BibTeXText.plain(words.joined(separator: " ")).readable }
    guard parts.count > 1 else {
      if words.count == 1 { return plain(words).map(CSLName.init(literal:)) }
      // The particle is the words in lower case before the last one.
      let first = words.dropLast().firstIndex(where: isParticle)
      let last = first.map { start in words[start...].dropLast().lastIndex(where: isParticle) ?? start }
      guard let first, let last else {
        return CSLName(family: plain([words[words.count - 1]]), given: plain(words.dropLast()))
      }
      return CSLName(
        family: plain(Array(words[(last + 1)...])), given: plain(Array(words[..<first])),
        particle: plain(Array(words[first...last])))
    }
    let family = parts[0]
    let particles = family.dropLast().prefix(while: isParticle).count
    return CSLName(
      family: plain(Array(family[particles...])), given: plain(parts[parts.count - 1]),
      particle: plain(Array(family[..<particles])), suffix: parts.count > 2 ? plain(parts[1]) : nil
    ).named
  }

  private static func isParticle(_ word: String) -> Bool {
    word.unicodeScalars.first { $0.properties.isAlphabetic }.map { $0.properties.isLowercase } ?? false
      && !word.hasPrefix("{") && !word.hasPrefix("\\")
  }
}

extension CSLName {
  /// nil for a name without any part.
  fileprivate var named: CSLName? { family == nil && given == nil ? nil : self }
}
