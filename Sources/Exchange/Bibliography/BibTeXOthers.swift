import Wire

/// The type and the fields of an entry of BibTeX that CSL-JSON has no variable for, such as `readstatus` of JabRef. They
/// are a member of `custom`, which CSL-JSON has for such data, with their values as written in TeX:
///
///     "custom": {"bibtex": {"entrytype": "online", "readstatus": "read", "eprint": "2101.00001"}}
struct BibTeXOthers {
  static let member = "bibtex"
  private static let entryType = "entrytype"

  /// The most fields, and the most bytes of a value.
  private static let (most, longest) = (64, 4_096)

  private(set) var json: JSONObject

  /// Those that an item has.
  init(of item: CSLItem) { json = item.json["custom"]?[Self.member]?.objectValue ?? [:] }

  /// Those of an entry beside what an item states of it.
  fileprivate init(of entry: BibTeXEntry, beside item: CSLItem) {
    json = [:]
    if BibTeXType.name(of: item) != entry.type, Self.isName(entry.type) { json[Self.entryType] = .string(entry.type) }
    // Of fields that mean the same only the first one is read.
    let second = Self.synonyms.flatMap { $0.filter { entry.fields[$0] != nil }.dropFirst() }
    for (name, value) in entry.fields.sorted(by: { $0.key < $1.key }) where json.count < Self.most {
      guard !Self.read.contains(name) || second.contains(name), Self.isWritable(name, value) else { continue }
      json[name] = .string(value)
    }
  }

  /// The fields that an entry does not have otherwise.
  func fields(beside written: Set<String>) -> [(name: String, value: String)] {
    json.members.prefix(Self.most).compactMap { member in
      guard let value = member.value.stringValue, member.key != Self.entryType, !written.contains(member.key),
        !Self.read.contains(member.key) || Self.synonyms.contains(where: { $0.contains(member.key) }),
        Self.isWritable(member.key, value)
      else { return nil }
      return (member.key, value)
    }
  }

  /// The entry's own type, as long as it means the type of the item.
  func type(of item: CSLItem, journal: String?) -> String? {
    guard let type = json[Self.entryType]?.stringValue, Self.isName(type) else { return nil }
    var fields = json.members.reduce(into: [String: String]()) { $0[$1.key] = $1.value.stringValue }
    fields["journal"] = journal
    return BibTeXType.type(of: BibTeXEntry(type: type, key: "", fields: fields, line: 0)) == item.type ? type : nil
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 100 && text.wholeMatch(of: /[a-z][a-z0-9_:.+\-]*/) != nil
  }

  /// Whether a field can be written so that it is read as it was: its braces must be in pairs, for BibTeX, which counts
  /// those after a backslash, and for readers that do not.
  private static func isWritable(_ name: String, _ value: String) -> Bool {
    guard isName(name), !value.isEmpty, value.utf8.count <= longest, !value.utf8.contains(0) else { return false }
    var (all, plain) = (0, 0)
    var isEscaped = false
    for byte in value.utf8 {
      let step = byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
      all += step
      if !isEscaped { plain += step }
      if all < 0 || plain < 0 { return false }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return all == 0 && plain == 0 && !isEscaped
  }

  private static let synonyms = [
    ["journal", "journaltitle", "booktitle", "maintitle"], ["publisher", "school", "institution", "organization"],
    ["address", "location"], ["keywords", "keyword"], ["langid", "language"], ["annote", "annotation"],
  ]

  /// The fields that are read, and those that lead out of the entry: to files, and to other entries of its file, whose
  /// fields it has.
  private static let read = Set(synonyms.joined()).union([
    "title", "subtitle", "shorttitle", "author", "editor", "translator", "series", "volume", "edition", "isbn", "issn",
    "note", "abstract", "pagetotal", "volumes", "pmid", "chapter", "eventtitle", "venue", "version", "number", "pages",
    "groups", "doi", "url", "urldate", "type", "date", "year", "month", "day", "file", "crossref", "xref", "xdata",
  ])
}

extension BibTeXEntry {
  /// An item with the fields of this entry that it has no variable for, unless it would be too long with them.
  func whole(_ item: CSLItem) -> CSLItem {
    let others = BibTeXOthers(of: self, beside: item).json
    if others.isEmpty { return item }
    var whole = item
    whole.json["custom"] = .object([BibTeXOthers.member: .object(others)])
    return JSONWriter.bytes(of: .object(whole.json)).count <= CSLItem.longest ? whole : item
  }
}
