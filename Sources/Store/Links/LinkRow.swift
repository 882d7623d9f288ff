import SearchEngine
import Wire

/// A link as the table has it: each that stands in a field of an item once, however often it is written there. Where it
/// stands is found when it is shown, so a text that changes around its links changes no row.
struct LinkRow: Sendable {
  /// What tells it from the others of its field: the link as it would be written now, or `[[` and the key.
  var name: String
  /// Of `[[title]]`: the title as titles are compared.
  var key: String?
  /// Of a stable link: the item that it leads to, and where that is a place in another item, the other.
  var target: ItemKey?
  var whole: ItemKey?

  /// Of one field. A text that has more of them was not written by hand.
  static let most = 10_000

  /// - Parameter places: the collections of places in items, by their names in links.
  /// - Returns: nil for what no item could be meant by.
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

  /// The links of some texts, each once, as they come.
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

  /// A title in the form in which titles are compared: NFKC, case and width folded, a run of blanks one space. Nil for
  /// none, and for one that is longer than a link may name.
  static func key(of title: String) -> String? {
    guard title.utf8.count <= LinkScan.longestTitle else { return nil }
    let key = foldedText(title)
    return key.isEmpty ? nil : key
  }
}
