import Wire

/// A book in CSL-JSON (https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html), which Pandoc, Zotero and
/// citeproc read.
enum CSLItem {
  static func item(_ facts: BookFacts, key: String, note: String?) -> JSONObject {
    var item: JSONObject = ["id": .string(key), "type": "book"]
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { item[name] = .string(value) }
    }
    add("title", [facts.title, facts.subtitle].compactMap(\.self).joined(separator: ": "))
    if facts.subtitle != nil { add("title-short", facts.title) }
    if !facts.authors.isEmpty { item["author"] = .array(facts.authors.map(author)) }
    add("publisher", facts.publisher)
    if let published = facts.published {
      if let date = PublicationDate(published) {
        item["issued"] = ["date-parts": [.array(date.parts.map { .integer(Int64($0)) })]]
      } else {
        item["issued"] = ["literal": .string(published)]
      }
    }
    add("ISBN", facts.isbns.first)
    if let pages = facts.pageCount { item["number-of-pages"] = .integer(Int64(pages)) }
    add("language", facts.language)
    add("abstract", facts.description)
    add("URL", facts.infoLink)
    add("note", note)
    return item
  }

  private static func author(_ name: String) -> JSONValue {
    let parts = PersonName(name)
    guard let given = parts.given else { return ["literal": .string(name)] }
    var author: JSONObject = ["family": .string(parts.family), "given": .string(given)]
    if let particle = parts.particle { author["non-dropping-particle"] = .string(particle) }
    if let suffix = parts.suffix { author["suffix"] = .string(suffix) }
    return .object(author)
  }
}
