import Wire

/// An entry of a BibTeX database (https://www.bibtex.org/Format/), in UTF-8 as biber and today's BibTeX read it.
package enum BibTeX {
  package static func entry(_ item: CSLItem, key: String, file: String? = nil) -> String {
    var fields: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { fields.append((name, "{\(value)}")) }
    }
    // Doubled braces keep the case of a title, and the word "and" in a name.
    func braced(_ text: String?) -> String? { text.map { "{\(escaped($0))}" } }
    for role in ["author", "editor", "translator"] {
      add(role, item[names: role].map(name).joined(separator: " and "))
    }
    let (title, subtitle) = item.titles
    add("title", braced(title))
    add("subtitle", braced(subtitle))
    add(BibTeXType.container(of: item.type), braced(item["container-title"]))
    add("series", braced(item["collection-title"]))
    add("edition", item["edition"].map(escaped))
    add("volume", item["volume"].map(escaped))
    add("number", (item["issue"] ?? item["number"] ?? item["collection-number"]).map(escaped))
    add("pages", item["page"].map { escaped($0.replacing("–", with: "-")).replacing("-", with: "--") })
    add(BibTeXType.publisher(of: item.type), braced(item["publisher"]))
    add("address", braced(item["publisher-place"]))
    add("type", item["genre"].map(escaped))
    let issued = item[date: "issued"]
    add("year", issued?.year.map(String.init))
    if let issued, issued.parts.count > 1, let month = BibTeXText.monthName(issued.parts[1]) {
      fields.append(("month", month))
      if issued.parts.count > 2 { add("day", String(issued.parts[2])) }
    }
    // A range, which only biblatex knows.
    if let issued, !issued.end.isEmpty { add("date", "\(issued.written)/\(CSLDate(parts: issued.end).written)") }
    add("note", [issued?.literal, item["note"]].compactMap { $0.map(escaped) }.joined(separator: ". "))
    add("isbn", item["ISBN"].map(escaped))
    add("issn", item["ISSN"].map(escaped))
    add("doi", item["DOI"].map(verbatim))
    add("pagetotal", item["number-of-pages"].map(escaped))
    add("language", item["language"].map(escaped))
    add("url", item["URL"].map(verbatim))
    add("keywords", item["keyword"].map(escaped))
    add("groups", escaped(item.groups.joined(separator: ",")))
    add("abstract", item["abstract"].map(escaped))
    add("annote", item["annote"].map(escaped))
    for (name, variable) in variables { add(name, item[variable].map(escaped)) }
    if subtitle == nil { add("shorttitle", braced(item["title-short"])) }
    add("urldate", item[date: "accessed"]?.written)
    add("file", file.map { ":\($0):application/pdf" })
    let others = BibTeXOthers(of: item)
    for other in others.fields(beside: Set(fields.map(\.0))) { add(other.name, other.value) }
    let lines = fields.map { "  \($0.0) = \($0.1)" }
    let type = others.type(of: item, journal: item["container-title"]) ?? BibTeXType.name(of: item)
    return "@\(type){\(key),\n\(lines.joined(separator: ",\n"))\n}\n"
  }

  /// Variables of CSL that BibTeX has under another name, or only biblatex has.
  private static let variables = [
    ("chapter", "chapter-number"), ("eventtitle", "event-title"), ("venue", "event-place"), ("version", "version"),
    ("volumes", "number-of-volumes"), ("pmid", "PMID"),
  ]

  /// `Family, Given` or `Family, Jr., Given`; a name that cannot be split is put in braces, or BibTeX would split it.
  private static func name(_ name: CSLName) -> String {
    guard let given = name.given, let family = name.family else { return "{\(escaped(name.written))}" }
    let whole = [name.particle, family].compactMap(\.self).joined(separator: " ")
    return [whole, name.suffix, given].compactMap { $0.map(part) }.joined(separator: ", ")
  }

  /// A part of a name, in braces if it has a word or a character that separates names.
  private static func part(_ text: String) -> String {
    let isOne = !text.contains(",") && !text.lowercased().split(separator: " ").contains("and")
    return isOne ? escaped(text) : "{\(escaped(text))}"
  }

  /// A field that BibTeX does not interpret, without the characters that would end it.
  private static func verbatim(_ text: String) -> String {
    text.filter { $0 != "{" && $0 != "}" && !$0.isWhitespace }
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
      // Two of these are another character in TeX.
      case "`": result += "\\textasciigrave{}"
      case "-", "'": result += result.last == character ? "{}\(character)" : String(character)
      default: result.append(character)
      }
    }
    return result
  }
}

/// The types of BibTeX and biblatex beside those of CSL.
enum BibTeXType {
  static func name(of item: CSLItem) -> String {
    switch item.type {
    case "book", "classic": "book"
    case "article-journal", "article-magazine", "article-newspaper", "review", "review-book": "article"
    case "chapter", "entry", "entry-dictionary", "entry-encyclopedia": "incollection"
    case "paper-conference": "inproceedings"
    case "thesis": item["genre"]?.lowercased().contains("master") == true ? "mastersthesis" : "phdthesis"
    case "report", "standard": "techreport"
    case "manuscript", "speech": "unpublished"
    case "pamphlet": "booklet"
    default: "misc"
    }
  }

  /// The field with the title of the journal, or of the book that contains the item.
  static func container(of type: String) -> String {
    switch type {
    case "chapter", "entry", "entry-dictionary", "entry-encyclopedia", "paper-conference": "booktitle"
    default: "journal"
    }
  }

  static func publisher(of type: String) -> String {
    switch type {
    case "thesis": "school"
    case "report", "standard": "institution"
    default: "publisher"
    }
  }

  /// The CSL type of an entry.
  static func type(of entry: BibTeXEntry) -> String {
    switch entry.type {
    case "article", "suppperiodical":
      switch entry.fields["entrysubtype"]?.lowercased() {
      case "magazine"?: "article-magazine"
      case "newspaper"?: "article-newspaper"
      default: entry.hasJournal || !entry.isPreprint ? "article-journal" : "article"
      }
    case "book", "mvbook", "collection", "mvcollection", "proceedings", "mvproceedings", "manual", "reference",
      "mvreference", "bookinbook":
      "book"
    case "inbook", "incollection", "suppbook", "suppcollection": "chapter"
    case "inreference": "entry-encyclopedia"
    case "inproceedings", "conference": "paper-conference"
    case "phdthesis", "mastersthesis", "thesis": "thesis"
    case "techreport", "report": "report"
    case "online", "electronic", "www": "webpage"
    case "unpublished": "manuscript"
    case "booklet": "pamphlet"
    case "patent": "patent"
    case "dataset": "dataset"
    case "software": "software"
    case "periodical": "periodical"
    case "standard": "standard"
    default: entry.isPreprint ? "article" : "document"
    }
  }
}
