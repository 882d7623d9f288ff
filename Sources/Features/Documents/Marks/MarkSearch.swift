import Contract
import GRDB
import Store
import Wire

/// What search finds of marks: what was marked and what the reader wrote.
enum MarkSearch {
  static let highlights = source(HighlightRecord.collectionName, Text("documents.highlights"), state: "highlight") {
    document, highlight, _ in
    DocumentLink(document, .highlight(HighlightID(unchecked: highlight)))
  }
  static let memos = source(MemoRecord.collectionName, Text("documents.memos"), state: "memo") { document, _, page in
    DocumentLink(document, page.map { .page($0) })
  }

  private static func source(
    _ collection: String, _ label: Text, state: String,
    link: @escaping @Sendable (DocumentID, _ mark: String, _ page: Int?) -> DocumentLink
  ) -> SearchSource {
    let table = state
    return SearchSource(
      collection: collection, label: label,
      states: [
        SearchState(state, where: "1"),
        SearchState(
          "orphan",
          where: "EXISTS (SELECT 1 FROM \(table) WHERE id = entry.item AND state = '\(MarkState.orphan.rawValue)')"),
      ],
      lead: { found, snapshot in
        try snapshot.db.first(
          """
          SELECT mark.document, mark.page, mark.state IS NULL, document.title
          FROM \(table) AS mark JOIN document ON document.id = mark.document
          WHERE mark.id = ?
          """, [.text(found.item)]
        ) { row in
          // An orphan is on no page of the present file.
          let page = row.bool(2) ? row.int(1) : nil
          return SearchLead(
            id: found.item, title: row.text(3), isTitleOfOther: true, of: row.text(0), page: page,
            link: link(DocumentID(unchecked: row.text(0)), found.item, page).text, at: found.hit.at)
        }
      })
  }

  static func highlight(_ id: String, in db: Database) throws -> [SearchEntry] {
    guard let record = try HighlightRecord.find(id, in: db) else { return [] }
    return [
      SearchEntry(
        collection: HighlightRecord.collectionName, item: id, part: 0, at: record.updatedAt.milliseconds,
        title: record.note ?? "", body: record.lines.map(\.text).joined(separator: "\n"), tags: "")
    ]
  }

  private static let selectMemo = KeptStatement("SELECT updatedAt, text FROM memo WHERE id = ?")

  static func memo(_ id: String, in db: Database) throws -> [SearchEntry] {
    let entry = try db.first(
      selectMemo, { $0.add(id) },
      { row in
        SearchEntry(
          collection: MemoRecord.collectionName, item: id, part: 0, at: row.integer(0), title: "", body: row.text(1),
          tags: "")
      })
    return entry.map { [$0] } ?? []
  }
}
