import Exchange
import Markup
import Wire

/// An item in the RSS of NDL Search, with the elements of Dublin Core.
enum NDLItem {
  /// `nil` for an item without an id or a title.
  static func book(_ item: MarkupNode, in catalogue: NDLSearch) -> CatalogueBook? {
    var elements: [(name: String, type: String?, text: String)] = []
    for child in item.children where child.isElement {
      guard let text = child.content.readable else { continue }
      elements.append((child.name.string, child.attribute("type"), text))
    }
    func texts(_ name: String, type: String? = nil) -> [String] {
      elements.filter { $0.name == name && $0.type == type }.map(\.text)
    }
    guard let link = texts("link").first, let id = link.split(separator: "/").last.map(String.init),
      catalogue.isID(id), let title = texts("title").first
    else { return nil }
    var facts = BookFacts()
    (facts.title, facts.subtitle) = titles(title, volume: texts("volume").first)
    facts.authors = texts("creator").compactMap(author)
    facts.publisher = texts("publisher").first
    facts.published = texts("issued").first.flatMap(day) ?? texts("date", type: "dcterms:W3CDTF").first
    facts.isbns = ISBN.all(in: texts("identifier", type: "dcndl:ISBN")).map(\.digits)
    facts.pageCount = texts("extent").first?.firstMatch(of: /([0-9]+)\s?(?:p|ページ|頁)/).flatMap { Int($0.output.1) }
      .flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    facts.series = BookSeries.stored(texts("seriesTitle").compactMap { BookSeries(catalogued: $0) })
    facts.categories = texts("subject")
    facts.language = texts("language", type: "dcterms:ISO639-2").first
    facts.infoLink = link
    facts.bound()
    let raw = elements.map { element -> JSONValue in
      ["name": .string(element.name), "type": element.type.map { .string($0) } ?? .null, "text": .string(element.text)]
    }
    return CatalogueBook(id: catalogue.id(id), facts: facts, raw: .array(raw))
  }

  /// `Clean Architecture : 達人に学ぶソフトウェアの構造と設計`. The number of a volume is an element of its own.
  private static func titles(_ text: String, volume: String?) -> (title: String, subtitle: String?) {
    let parts = text.split(separator: " : ", maxSplits: 1).map(String.init)
    let title = parts.first ?? text
    return (volume.map { "\(title) \($0)" } ?? title, parts.count > 1 ? parts[1] : nil)
  }

  /// `夏目, 漱石, 1867-1916` and `Martin, Robert C`, as they are written elsewhere: `夏目漱石`, `Robert C Martin`.
  static func author(_ text: String) -> String? {
    let parts = text.split(separator: ",").compactMap { String($0).readable }.filter { !$0.contains(where: \.isNumber) }
    guard let family = parts.first else { return nil }
    guard parts.count > 1 else { return family }
    return family.unicodeScalars.contains { $0.value >= 0x2E80 } ? family + parts[1] : "\(parts[1]) \(family)"
  }

  /// `2018.7`, `[2022.9]`: the same as `2018-07`.
  private static func day(_ text: String) -> String? {
    text.firstMatch(of: /([0-9]{4})\.([0-9]{1,2})/).map { match in
      "\(match.output.1)-\(match.output.2.count == 1 ? "0" : "")\(match.output.2)"
    }
  }
}
