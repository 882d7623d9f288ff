import Contract
import Markup
import Wire

/// Writes items of the API as Atom (RFC 4287), with their marks as categories of a scheme by which newsboat knows them.
enum AppAtom {
  private static let scheme = "http://www.google.com/reader/"

  static func feed(_ id: String, title: String, _ items: [JSONValue], at now: Instant) -> String {
    let entries = items.map { entry($0) }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
      <id>\(XMLText.escaped(id))</id><title>\(XMLText.escaped(title))</title><updated>\(now)</updated>
      \(entries)</feed>

      """
  }

  private static func entry(_ item: JSONValue) -> String {
    func text(_ value: JSONValue?) -> String { XMLText.escaped(value?.stringValue ?? "") }
    func moment(_ name: String) -> Instant { Instant(milliseconds: (item[name]?.integerValue ?? 0) * 1_000) }
    var entry = "<entry><id>\(text(item["id"]))</id><title type=\"text\">\(text(item["title"]))</title>"
    for category in item["categories"]?.arrayValue ?? [] {
      let label = category.stringValue?.split(separator: "/").last.map { XMLText.escaped(String($0)) } ?? ""
      entry += "<category term=\"\(text(category))\" scheme=\"\(scheme)\" label=\"\(label)\"/>"
    }
    if let link = item["alternate"]?[0]?["href"] { entry += "<link rel=\"alternate\" href=\"\(text(link))\"/>" }
    for enclosure in item["enclosure"]?.arrayValue ?? [] {
      entry += "<link rel=\"enclosure\" href=\"\(text(enclosure["href"]))\""
      if let type = enclosure["type"] { entry += " type=\"\(text(type))\"" }
      if let length = enclosure["length"]?.integerValue { entry += " length=\"\(length)\"" }
      entry += "/>"
    }
    if let author = item["author"] { entry += "<author><name>\(text(author))</name></author>" }
    let content = XMLText.escaped(lines: item["summary"]?["content"]?.stringValue ?? "")
    return entry
      + "<published>\(moment("published"))</published><updated>\(moment("updated"))</updated>"
      + "<content type=\"html\">\(content)</content></entry>\n"
  }
}
