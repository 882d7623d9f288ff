import SearchEngine
import Wire

/// A link as stored in its table: each link of a field once, however often the field contains it. Its position is
/// computed when it is shown, so editing the text around a link changes no row.
struct LinkRow: Sendable {
  /// Identifies the link within its field: the link in its current spelling, or `[[` and the key.
  var name: String
  /// For `[[title]]`: the title in the form in which titles are compared.
  var key: String?
  /// For a stable link: its target, and if the target is a place in another item, that other item in `whole`.
  var target: ItemKey?
  var whole: ItemKey?

  /// The most links of one field. A text with more of them was not written by hand.
  static let most = 10_000

  /// - Parameter places: the collections of places in items, by their names in links.
  /// - Returns: nil for a link that no item can match.
  init?(_ target: WrittenLink.Target, places: [String: String]) {
    switch target {
    case .title(let title):
      guard let key = Self.key(of: title) else { return nil }
      self.key = key
      name = "[[" + key
    case .stable(let link):
      name = link.text
      guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
      let item = ItemKey(collection: link.collection, id: link.item)
      let place = link.places.lazy.compactMap { place in
        places[place.name].map { ItemKey(collection: $0, id: place.value) }
      }.first
      self.target = place ?? item
      whole = place == nil ? nil : item
    }
  }

  /// The links of some texts, each once, in order of appearance.
  static func rows(in texts: [String], places: [String: String]) -> [LinkRow] {
    var rows: [LinkRow] = []
    var names: Set<String> = []
    for text in texts {
      for link in LinkScan.links(in: text) {
        guard let row = LinkRow(link.target, places: places), names.insert(row.name).inserted else { continue }
        rows.append(row)
        if rows.count == most { return rows }
      }
    }
    return rows
  }

  /// A title in the form in which titles are compared: NFKC, case and width folded, runs of blanks as one space. Nil
  /// for an empty title, and for one that is longer than a link may contain.
  static func key(of title: String) -> String? {
    guard title.utf8.count <= LinkScan.longestTitle else { return nil }
    let key = foldedText(title)
    return key.isEmpty ? nil : key
  }
}
