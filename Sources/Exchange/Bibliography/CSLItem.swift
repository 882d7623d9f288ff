import Kit
import Wire

/// A bibliographic item in CSL-JSON (https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html), which Pandoc,
/// Zotero and citeproc read.
package struct CSLItem: Sendable, Equatable {
  package var json: JSONObject

  package init(_ json: JSONObject = [:]) { self.json = json }

  package init(type: String) { json = ["type": .string(type)] }

  /// The type, such as `article-journal`; `document` if the item states none.
  package var type: String { json["type"]?.stringValue ?? "document" }

  /// A variable with a text or a number, as text; nil for an empty one.
  package subscript(name: String) -> String? {
    get {
      switch json[name] {
      case .string(let text)?: text.isEmpty ? nil : text
      case .integer(let number)?: String(number)
      case .number(let number)?: JSONValue.number(number).description
      default: nil
      }
    }
    set { json[name] = newValue.flatMap { $0.isEmpty ? nil : .string($0) } }
  }

  /// The people in a role, such as `author`.
  package subscript(names role: String) -> [CSLName] {
    get { (json[role]?.arrayValue ?? []).compactMap(CSLName.init) }
    set { json[role] = newValue.isEmpty ? nil : .array(newValue.map(\.json)) }
  }

  /// A date variable, such as `issued`.
  package subscript(date name: String) -> CSLDate? {
    get { json[name].flatMap(CSLDate.init) }
    set { json[name] = newValue?.json }
  }

  /// The keywords, and the groups of JabRef or collections of Zotero that BibTeX states.
  package var tags: [String] { keywords + groups }

  /// A member that CSL-JSON does not designate.
  var groups: [String] {
    get { (json["groups"]?.arrayValue ?? []).compactMap(\.stringValue) }
    set { json["groups"] = newValue.isEmpty ? nil : .array(newValue.map { .string($0) }) }
  }

  /// The keywords, which programs separate by commas or semicolons.
  var keywords: [String] {
    (self["keyword"] ?? "").split { $0 == "," || $0 == ";" }.compactMap { String($0).readable }
  }

  /// The year of publication, if it is certain.
  package var year: Int? { self[date: "issued"]?.year }

  /// The title without the subtitle, and the subtitle, if the short title is the beginning of the title.
  package var titles: (title: String?, subtitle: String?) {
    guard let title = self["title"] else { return (self["title-short"], nil) }
    guard let short = self["title-short"], title.hasPrefix(short + ": ") else { return (title, nil) }
    return (short, String(title.dropFirst(short.count + 2)).readable)
  }
}

extension CSLItem {
  /// A book as catalogues describe it.
  package static func book(
    title: String?, subtitle: String?, authors: [String], publisher: String?, published: String?, isbn: String?,
    pageCount: Int64?, language: String?
  ) -> CSLItem {
    var item = CSLItem(type: "book")
    item["title"] = [title, subtitle].compactMap(\.self).joined(separator: ": ")
    if subtitle != nil { item["title-short"] = title }
    item[names: "author"] = authors.map(CSLName.init(written:))
    item["publisher"] = publisher
    item[date: "issued"] = published.map(CSLDate.init(written:))
    item["ISBN"] = isbn
    if let pageCount { item.json["number-of-pages"] = .integer(pageCount) }
    item["language"] = language
    return item
  }
}

/// A name in CSL-JSON: of a person, in parts, or of an institution.
package struct CSLName: Sendable, Equatable {
  package var family: String?
  package var given: String?
  /// `van`, `de la`.
  package var particle: String?
  /// `Jr.`, `III`.
  package var suffix: String?
  /// A name that is not split into parts.
  package var literal: String?

  package init(family: String? = nil, given: String? = nil, particle: String? = nil, suffix: String? = nil) {
    (self.family, self.given, self.particle, self.suffix) = (family, given, particle, suffix)
  }

  package init(literal: String) { self.literal = literal }

  /// A name as people write it, split as far as possible; see `PersonName`.
  package init(written name: String) {
    let parts = PersonName(name)
    if parts.given == nil {
      self.init(literal: name)
    } else {
      self.init(family: parts.family, given: parts.given, particle: parts.particle, suffix: parts.suffix)
    }
  }

  init?(_ value: JSONValue) {
    func part(_ name: String) -> String? { value[name]?.stringValue?.readable }
    self.init(
      family: part("family"), given: part("given"),
      particle: part("non-dropping-particle") ?? part("dropping-particle"), suffix: part("suffix"))
    literal = part("literal")
    if family == nil, given == nil, literal == nil { return nil }
  }

  package var json: JSONValue {
    var json: JSONObject = [:]
    let parts = [
      ("family", family), ("given", given), ("non-dropping-particle", particle), ("suffix", suffix),
      ("literal", literal),
    ]
    for (name, part) in parts { if let part { json[name] = .string(part) } }
    return .object(json)
  }

  /// The name in reading order: `Ludwig van Beethoven`.
  package var written: String {
    if let literal { return literal }
    return [given, particle, family, suffix].compactMap(\.self).joined(separator: " ")
  }

  /// The family name for a citation key, and for comparing names.
  package var sorted: String { family ?? literal.map { PersonName($0).family } ?? given ?? "" }
}

/// A date in CSL-JSON: of a year, a month or a day; or a text.
package struct CSLDate: Sendable, Equatable {
  /// Year, month and day, as far as they are known.
  package var parts: [Int]
  /// The last day of a range.
  package var end: [Int] = []
  package var literal: String?

  package init(parts: [Int]) { self.parts = parts }

  /// A date as people write it; a text without a certain year stays a text.
  package init(written text: String) {
    parts = PublicationDate(text)?.parts ?? []
    if parts.isEmpty { literal = text }
  }

  init?(_ value: JSONValue) {
    let dates = (value["date-parts"]?.arrayValue ?? []).prefix(2).map { date in
      (date.arrayValue ?? []).prefix(3).compactMap { part in
        part.integerValue.flatMap { Int(exactly: $0) } ?? part.stringValue.flatMap { Int($0) }
      }
    }
    if let first = dates.first, !first.isEmpty {
      parts = first
      if dates.count > 1 { end = dates[1] }
    } else if let text = (value["literal"] ?? value["raw"])?.stringValue?.readable {
      self = CSLDate(written: text)
    } else {
      return nil
    }
  }

  package var year: Int? { parts.first }

  package var json: JSONValue {
    if parts.isEmpty { return literal.map { ["literal": .string($0)] } ?? [:] }
    let dates = end.isEmpty ? [parts] : [parts, end]
    return ["date-parts": .array(dates.map { .array($0.map { .integer(Int64($0)) }) })]
  }

  /// `2009-03`, as far as the parts are known; or the text.
  package var written: String {
    guard let year = parts.first else { return literal ?? "" }
    return ([String(year)] + parts.dropFirst().map { $0 < 10 ? "0\($0)" : "\($0)" }).joined(separator: "-")
  }
}
