import Contract
import SQLite
import SearchEngine
import Store
import Wire

/// The texts of an item's searched fields.
private struct SearchedWords {
  private(set) var title = ""
  private(set) var body = ""
  private(set) var tags = ""

  mutating func add(_ text: String, to part: SearchPart) {
    switch part {
    case .title: Self.add(text, to: &title)
    case .body: Self.add(text, to: &body)
    case .tags: Self.add(text, to: &tags)
    }
  }

  func text(of part: SearchPart) -> String {
    switch part {
    case .title: title
    case .body: body
    case .tags: tags
    }
  }

  private static func add(_ text: String, to lines: inout String) {
    if text.isEmpty { return }
    if !lines.isEmpty { lines += "\n" }
    lines += text
  }
}

/// The search data of an item, as declared by its fields.
extension StoredItem {
  /// The text of an item's fields of one part; list elements and fields on separate lines.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  package func words(of part: SearchPart) throws -> String { try searchedWords().text(of: part) }

  /// The search entry of an item.
  ///
  /// - Parameter moment: when the item was written or published.
  /// - Throws: the error of a value that cannot be encoded.
  package func searchEntry(at moment: Instant) throws -> SearchEntry {
    let words = try searchedWords()
    return SearchEntry(
      collection: Self.collectionName, item: id, at: moment.milliseconds, title: words.title, body: words.body,
      tags: words.tags)
  }

  private func searchedWords() throws -> SearchedWords {
    var words = SearchedWords()
    try Self.fields.eachText(self) { part, text, isJSON in
      if isJSON {
        for text in JSONList.strings(text) { words.add(text, to: part) }
      } else {
        words.add(text, to: part)
      }
    }
    return words
  }

  fileprivate static func column(of part: SearchPart) -> String? {
    fields.all.first { $0.searchPart == part }?.name
  }

  /// The links of an item whose title and texts are searched: `[[title]]` refers to the title, and all of them may
  /// contain links.
  package static var declaredLinking: Linking {
    .init(
      title: column(of: .title).map { .init($0) },
      texts: fields.all.filter { [.title, .body].contains($0.searchPart) }.map { .init($0.name) },
      shown: { id, snapshot in
        try snapshot.find(Self.self, id: id).map {
          LinkedItem(title: try $0.words(of: .title), of: collectionName, id: id)
        }
      })
  }
}

extension ItemCollection {
  /// A collection that is completely defined by its declared fields: search entries and links by `[[title]]`. If it has
  /// a title, its table has a column `formerTitles` (`Linking.Title`).
  package init<Shown: SnapshotItem>(of shown: Shown.Type) {
    typealias Item = Shown.Item
    self.init(
      Item.self, payload: Shown.payload,
      searchEntries: { id, _, db in
        guard let item = try Item.find(id, in: db) else { return [] }
        return [try item.searchEntry(at: item.createdAt)]
      },
      linking: Item.declaredLinking)
  }
}

extension SearchSource {
  /// The same for `search/query`: words, and tags if a field has them.
  package init<Item: StoredItem>(of type: Item.Type, label: Text) {
    self.init(
      collection: Item.collectionName, label: label, lead: { found, _ in SearchLead(found, of: Item.collectionName) })
    guard let column = Item.column(of: .tags) else { return }
    let (name, table) = (Item.collectionName, Item.tableName)
    let each = "\(table), json_each(\(table).\(column))"
    tagged = { tag in
      let below = FoldedTag(tag).below
      let rows =
        "SELECT DISTINCT \(table).id AS id FROM \(each) "
        + "WHERE fold(value) = ? OR fold(value) >= ? AND fold(value) < ?"
      let values: [SQLValue] = [.text(tag), .text(below.lowerBound), .text(below.upperBound)]
      return SearchCondition("entry.item IN (\(rows))", values, rows: .items(of: name, rows, values))
    }
    tags = { beginning, limit, snapshot in
      try ExistingTag.all(
        beginning: beginning, limit: limit, in: snapshot,
        """
        SELECT fold(value) AS tag, max(value), count(*) FROM \(each)
        WHERE tag >= ? AND tag < ? GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ?
        """)
    }
  }
}
