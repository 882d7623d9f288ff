import Contract
import Kit
import Wire

/// The RIS format (https://en.wikipedia.org/wiki/RIS_(file_format)): a line for each value, `TY  - JOUR` to `ER  - `.
package enum RIS {
  package static func entry(_ item: CSLItem, key: String, file: String? = nil) -> String {
    let others = RISOthers(of: item)
    let type = others.type.flatMap { Self.type($0) == item.type ? $0 : nil }
    var lines = ["TY  - " + (type ?? tag(of: item.type))]
    func add(_ tag: String, _ value: String?) {
      guard let value else { return }
      let line = value.split(whereSeparator: { $0.isNewline }).joined(separator: " ")
      if !line.isEmpty { lines.append("\(tag)  - \(line)") }
    }
    add("ID", key)
    for (tag, role) in roles { for name in item[names: role] { add(tag, written(name)) } }
    add("TI", item["title"])
    add("ST", item["title-short"])
    add(item.type == "article-journal" ? "JO" : "T2", item["container-title"])
    add("T3", item["collection-title"])
    if let issued = item[date: "issued"] {
      add("PY", issued.year.map(String.init) ?? issued.literal)
      if issued.parts.count > 1 { add("DA", issued.written.replacing("-", with: "/")) }
    }
    if let page = item["page"] {
      let ends = page.replacing("–", with: "-").split(separator: "-", maxSplits: 1).compactMap { String($0).readable }
      add("SP", ends.first)
      if ends.count > 1 { add("EP", ends[1]) }
    }
    for (tag, variable) in variables { add(tag, item[variable]) }
    add("SN", item["ISBN"])
    add("SN", item["ISSN"])
    add("N1", item["annote"])
    for keyword in item.keywords { add("KW", keyword) }
    add("L1", file)
    let written = Set(lines.map { $0.prefix(2) })
    for (tag, value) in others.values where !written.contains(tag[...]) { add(tag, value) }
    return (lines + ["ER  - "]).joined(separator: "\r\n") + "\r\n"
  }

  /// `Family, Given, Suffix`.
  private static func written(_ name: CSLName) -> String {
    guard let family = name.family else { return name.written }
    let whole = [name.particle, family].compactMap(\.self).joined(separator: " ")
    return [whole, name.given, name.suffix].compactMap(\.self).joined(separator: ", ")
  }

  /// The first type of RIS for a type of CSL is written; all are read.
  private static let types: [(ris: String, csl: String)] = [
    ("JOUR", "article-journal"), ("EJOUR", "article-journal"), ("ABST", "article-journal"), ("INPR", "article"),
    ("UNPB", "manuscript"), ("MGZN", "article-magazine"), ("NEWS", "article-newspaper"), ("BOOK", "book"),
    ("EBOOK", "book"), ("EDBOOK", "book"), ("SER", "book"), ("CHAP", "chapter"), ("ECHAP", "chapter"),
    ("CONF", "paper-conference"), ("CPAPER", "paper-conference"), ("CPROC", "book"), ("THES", "thesis"),
    ("RPRT", "report"), ("GOVDOC", "report"), ("ELEC", "webpage"), ("BLOG", "post-weblog"), ("ICOMM", "post"),
    ("DICT", "entry-dictionary"), ("ENCYC", "entry-encyclopedia"), ("DATA", "dataset"), ("AGGR", "dataset"),
    ("COMP", "software"), ("PAT", "patent"), ("STAND", "standard"), ("MAP", "map"), ("PAMP", "pamphlet"),
    ("PCOMM", "personal_communication"), ("BILL", "bill"), ("STAT", "legislation"), ("CASE", "legal_case"),
    ("HEAR", "hearing"), ("VIDEO", "motion_picture"), ("MPCT", "motion_picture"), ("SOUND", "song"),
    ("MUSIC", "musical_score"), ("ART", "graphic"), ("FIGURE", "figure"), ("SLIDE", "speech"), ("CLSWK", "classic"),
    ("MANSCPT", "manuscript"), ("JFULL", "periodical"), ("GEN", "document"),
  ]

  private static let roles = [("AU", "author"), ("ED", "editor"), ("A4", "translator"), ("A3", "collection-editor")]

  /// Tags with one variable.
  private static let variables: [(tag: String, variable: String)] = [
    ("VL", "volume"), ("IS", "issue"), ("ET", "edition"), ("PB", "publisher"), ("CY", "publisher-place"),
    ("DO", "DOI"), ("UR", "URL"), ("LA", "language"), ("AB", "abstract"), ("N1", "note"), ("M3", "genre"),
    ("NV", "number-of-volumes"), ("C7", "number"),
  ]

  // MARK: - Reading

  /// A reference as written: its tags in their order, and the line where it begins.
  struct Entry {
    var line: Int
    var values: [(tag: String, value: String)] = []

    func first(_ tags: String...) -> String? { tags.lazy.compactMap(all).compactMap(\.first).first }

    /// nil if there is none.
    private func all(_ tag: String) -> [String]? {
      let found = values.filter { $0.tag == tag }.compactMap(\.value.readable)
      return found.isEmpty ? nil : found
    }

    func all(_ tags: String...) -> [String] { tags.flatMap { all($0) ?? [] } }
  }

  /// The references of a file. A line without a tag continues the value of the one before.
  static func entries(of text: String, checkCancelled: () throws -> Void) rethrows -> [Entry] {
    var entries: [Entry] = []
    var entry: Entry?
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }).enumerated() {
      if number.isMultiple(of: 1_024) { try checkCancelled() }
      guard let (tag, value) = value(of: line) else {
        if let last = entry?.values.indices.last, let more = String(line).readable {
          entry?.values[last].value += " " + more
        }
        continue
      }
      if tag == "TY" { entry = Entry(line: number + 1) }
      if tag == "ER" {
        if let entry { entries.append(entry) }
        entry = nil
      } else {
        entry?.values.append((tag, value))
      }
    }
    // The last reference of a file that was cut off.
    if let entry { entries.append(entry) }
    return entries
  }

  /// `AU  - Nix, Garth`; programs differ in the number of blanks.
  private static func value(of line: Substring) -> (tag: String, value: String)? {
    let bytes = line.utf8
    guard bytes.count >= 4 else { return nil }
    let tag = bytes.prefix(2)
    let isTag =
      tag.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
      && (0x41...0x5A).contains(tag.first ?? 0)
    let rest = bytes.dropFirst(2).drop { $0 == 0x20 }
    guard isTag, rest.startIndex != tag.endIndex, rest.first == UInt8(ascii: "-") else { return nil }
    return (String(decoding: tag, as: UTF8.self), String(decoding: rest.dropFirst().drop { $0 == 0x20 }, as: UTF8.self))
  }

  static func isIts(_ bytes: [UInt8]) -> Bool {
    // Some programs number the references, in a line of its own.
    bytes.withoutByteOrderMark.prefix(1_024).split { $0 == 0x0A || $0 == 0x0D }.prefix(4).contains {
      value(of: Substring(String(decoding: $0, as: UTF8.self)))?.tag == "TY"
    }
  }
}

extension RIS.Entry {
  var key: String? { first("ID") }

  /// The reference in CSL-JSON; nil without a title.
  var item: CSLItem? {
    let type = first("TY").flatMap { RIS.type($0.uppercased()) } ?? "document"
    var item = CSLItem(type: type)
    item["title"] = first("TI", "T1", "CT") ?? (type == "book" ? first("BT") : nil)
    guard item["title"] != nil else { return nil }
    item["title-short"] = first("ST")
    item[names: "author"] = all("AU", "A1").map(Self.name)
    // `A2` is the editor of the book that contains a chapter.
    item[names: "editor"] = all("ED", "A2").map(Self.name)
    item[names: "collection-editor"] = all("A3").map(Self.name)
    item[names: "translator"] = all("A4").map(Self.name)
    item["container-title"] = first("JO", "JF", "T2", "BT", "JA")
    item["collection-title"] = first("T3")
    item[date: "issued"] = (first("DA") ?? first("PY", "Y1")).map(Self.date)
    if item[date: "issued"]?.year == nil, let year = first("PY", "Y1") { item[date: "issued"] = Self.date(year) }
    if let start = first("SP") { item["page"] = first("EP").map { "\(start)-\($0)" } ?? start }
    for (tag, variable) in RIS.written { item[variable] = first(tag) }
    // Zotero writes each of its notes on a reference as one more.
    item["annote"] = all("N1").dropFirst().joined(separator: "\n\n")
    item["DOI"] = item["DOI"].flatMap { DOI($0)?.text ?? $0 }
    item["URL"] = item["URL"] ?? first("L2")
    item["abstract"] = first("AB", "N2")
    for number in all("SN") {
      let variable = ISBN(number) == nil ? "ISSN" : "ISBN"
      item[variable] = item[variable] ?? number
    }
    item["keyword"] = all("KW").joined(separator: ", ")
    return RISOthers(of: self, beside: item).added(to: item)
  }

  private static func name(_ text: String) -> CSLName {
    let parts = text.split(separator: ",").map { String($0).readable }
    guard parts.count > 1, let family = parts[0] else { return CSLName(written: text) }
    // RIS has no place for `van der`; it stands before the family name, in lower case.
    let words = family.split(separator: " ")
    let particles = words.dropLast().prefix { $0.first?.isLowercase ?? false }
    return CSLName(
      family: words.dropFirst(particles.count).joined(separator: " "), given: parts[1],
      particle: particles.isEmpty ? nil : particles.joined(separator: " "), suffix: parts.count > 2 ? parts[2] : nil)
  }

  /// `2009/03/04/text`, as far as it is given.
  private static func date(_ text: String) -> CSLDate {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).prefix(3).map { Int($0) }
      .prefix { $0 != nil }.compactMap(\.self)
    guard let year = parts.first, (1_000...2_999).contains(year) else { return CSLDate(written: text) }
    return CSLDate(parts: parts)
  }
}

extension RIS {
  static func type(_ ris: String) -> String? { types.first { $0.ris == ris }?.csl }
  static var written: [(tag: String, variable: String)] { variables }
  /// The first tag of RIS for a type of CSL.
  static func tag(of type: String) -> String { types.first { $0.csl == type }?.ris ?? "GEN" }
}
