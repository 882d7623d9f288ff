import Contract
import Kit
import Wire

extension CSLItem {
  /// The largest item in bytes of JSON; an abstract has a hundredth of it.
  package static let longest = 64 << 10

  /// An item of a client. Members that CSL-JSON does not know stay as they are.
  ///
  /// - Parameter field: the param that contains it.
  /// - Throws: `invalidParams` with the path of the first member that is not as CSL-JSON has it.
  package init(checking value: JSONValue, field: String) throws(RPCError) {
    guard case .object(let json) = value else {
      throw .invalidParams(field: field, reason: Text("citation.badMember"))
    }
    for member in json.members where !Self.isValid(member) {
      throw .invalidParams(field: "\(field).\(member.key)", reason: Text("citation.badMember"))
    }
    if json["type"] == nil { throw .invalidParams(field: "\(field).type", reason: Text("citation.badMember")) }
    guard JSONWriter.bytes(of: value).count <= Self.longest else {
      throw .invalidParams(field: field, reason: Text("citation.tooLong", ["limit": String(Self.longest >> 10)]))
    }
    self.init(json)
  }

  /// An item of a file or a service: members that are not as CSL-JSON has them are dropped, and a service's members
  /// that CSL-JSON does not know too. nil if it has no title, or is longer than `longest`.
  package init?(reading value: JSONValue, isService: Bool) {
    guard case .object(var json) = value else { return nil }
    if isService {
      // Crossref returns lists for some variables, and its own names of types.
      for name in ["title", "container-title", "title-short", "container-title-short", "ISBN", "ISSN"] {
        if case .array(let texts)? = json[name] { json[name] = texts.first }
      }
    }
    if let type = json["type"]?.stringValue, !Self.types.contains(type) {
      json["type"] = .string(Self.serviceTypes[type] ?? "document")
    } else if json["type"]?.stringValue == nil {
      json["type"] = "document"
    }
    json = JSONObject(
      json.members.filter { Self.isValid($0) && (!isService || Self.isKnown($0.key)) })
    self.init(json)
    guard self["title"]?.readable != nil, JSONWriter.bytes(of: .object(json)).count <= Self.longest else { return nil }
  }

  private static func isKnown(_ name: String) -> Bool {
    name == "type" || name == "id" || roles.contains(name) || dates.contains(name) || texts.contains(name)
  }

  /// Whether a member has the form that CSL-JSON gives it.
  private static func isValid(_ member: JSONObject.Member) -> Bool {
    let (name, value) = (member.key, member.value)
    if name == "type" { return value.stringValue.map(types.contains) ?? false }
    if roles.contains(name) {
      guard let names = value.arrayValue, names.count <= 10_000 else { return false }
      return names.allSatisfy { CSLName($0) != nil && ($0.objectValue?.members.allSatisfy(isPartOfName) ?? false) }
    }
    if dates.contains(name) { return value.objectValue != nil && CSLDate(value) != nil }
    if name == "id" || texts.contains(name) {
      return value.stringValue != nil || value.integerValue != nil || value.doubleValue != nil
    }
    return !name.isEmpty
  }

  /// Strings, and the flags that some programs add, such as `comma-suffix`.
  private static func isPartOfName(_ part: JSONObject.Member) -> Bool {
    switch part.value {
    case .string, .bool, .integer: true
    // Crossref adds `affiliation` and the like.
    default: !["family", "given", "suffix", "literal", "non-dropping-particle", "dropping-particle"].contains(part.key)
    }
  }

  package static let types: Set = [
    "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book", "broadcast", "chapter",
    "classic", "collection", "dataset", "document", "entry", "entry-dictionary", "entry-encyclopedia", "event",
    "figure", "graphic", "hearing", "interview", "legal_case", "legislation", "manuscript", "map", "motion_picture",
    "musical_score", "pamphlet", "paper-conference", "patent", "performance", "periodical", "personal_communication",
    "post", "post-weblog", "regulation", "report", "review", "review-book", "software", "song", "speech", "standard",
    "thesis", "treaty", "webpage",
  ]

  /// Crossref's own names of types, in the answers that do not convert them.
  private static let serviceTypes = [
    "journal-article": "article-journal", "book-chapter": "chapter", "proceedings-article": "paper-conference",
    "posted-content": "article", "monograph": "book", "edited-book": "book", "reference-book": "book",
    "dissertation": "thesis", "reference-entry": "entry", "journal": "periodical", "proceedings": "book",
  ]

  private static let roles: Set = [
    "author", "chair", "collection-editor", "compiler", "composer", "container-author", "contributor", "curator",
    "director", "editor", "editor-translator", "editorial-director", "executive-producer", "guest", "host",
    "illustrator", "interviewer", "narrator", "organizer", "original-author", "performer", "producer", "recipient",
    "reviewed-author", "script-writer", "series-creator", "translator",
  ]

  private static let dates: Set = [
    "accessed", "available-date", "event-date", "issued", "original-date", "submitted",
  ]

  private static let texts: Set = [
    "abstract", "annote", "archive", "archive-place", "archive_collection", "archive_location", "authority",
    "call-number", "chapter-number", "citation-key", "citation-label", "citation-number", "collection-number",
    "collection-title", "container-title", "container-title-short", "dimensions", "division", "DOI", "edition",
    "event", "event-place", "event-title", "first-reference-note-number", "genre", "ISBN", "ISSN", "issue",
    "journalAbbreviation", "jurisdiction", "keyword", "language", "locator", "medium", "note", "number",
    "number-of-pages", "number-of-volumes", "original-publisher", "original-publisher-place", "original-title", "page",
    "page-first", "part-number", "part-title", "PMCID", "PMID", "printing-number", "publisher", "publisher-place",
    "references", "reviewed-genre", "reviewed-title", "scale", "section", "shortTitle", "source", "status",
    "supplement-number", "title", "title-short", "URL", "version", "volume", "volume-title", "volume-title-short",
    "year-suffix",
  ]
}
