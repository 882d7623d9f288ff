import SQLite

/// Finds where the links of a list occur in their texts.
///
/// Lists of links are ordered by their sources, so the links of one field follow each other. The last field is cached:
/// its text is read and scanned once, however many links it has, and only one is in memory.
package struct LinkOccurrences {
  package typealias Occurrence = (text: String, range: Range<Int>)

  private var last: (source: ItemKey, field: String, texts: [String], found: [String: Place])?

  private struct Place {
    /// The index of the text in the field.
    var text: Int
    /// In UTF-8 bytes of the text.
    var range: Range<Int>
  }

  package init() {}

  /// The first occurrence of a link in the texts of its field; nil if they do not contain it.
  ///
  /// - Throws: `DatabaseError`, or the error of `Texts.read`.
  package mutating func first(of link: StoredLink, _ links: CollectionLinks, in db: Database) throws -> Occurrence? {
    try first(of: link, places: links.places) { try links.texts(of: link.source.id, in: link.field, db) }
  }

  /// - Parameter read: the texts of the link's field; called if its field is not that of the call before.
  mutating func first(
    of link: StoredLink, places: [String: String], read: () throws -> [String]
  ) rethrows -> Occurrence? {
    if last?.source != link.source || last?.field != link.field {
      let texts = try read()
      last = (link.source, link.field, texts, Self.places(in: texts, places))
    }
    guard let last, let place = last.found[link.name] else { return nil }
    return (last.texts[place.text], place.range)
  }

  /// The first place of each link, by the link's name.
  private static func places(in texts: [String], _ places: [String: String]) -> [String: Place] {
    var found: [String: Place] = [:]
    for (index, text) in texts.enumerated() {
      for link in LinkScan.links(in: text) {
        guard let row = LinkRow(link.target, places: places), found[row.name] == nil else { continue }
        found[row.name] = Place(text: index, range: link.range)
      }
    }
    return found
  }
}
