import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The search source of cards.
enum ProjectSearch {
  static let tags = TagTable("projectTag", of: ProjectRecord.self, item: "card")

  static let source = SearchSource(
    collection: ProjectRecord.collectionName, label: Text("projects.collection"),
    states: [
      SearchState("overdue") { snapshot in
        card(
          "deadline < ? AND", CardLanes(of: try CardBoards(in: snapshot)).only(open: true),
          [.text(snapshot.services.libraryToday.description)])
      }.since(deadline),
      SearchState("open") { card("", CardLanes(of: try CardBoards(in: $0)).only(open: true)) },
      SearchState("closed") { card("", CardLanes(of: try CardBoards(in: $0)).only(open: false)) },
      SearchState("ready") { snapshot in
        let lanes = CardLanes(of: try CardBoards(in: snapshot))
        let ready = Readiness.ready(in: lanes, on: snapshot.services.libraryToday)
        return card("\(ready.sql) AND", lanes, ready.values)
      }.since(start),
      SearchState("later") { snapshot in
        let later = Readiness.later(on: snapshot.services.libraryToday)
        return card("\(later.sql) AND", CardLanes(of: try CardBoards(in: snapshot)).only(open: true), later.values)
      }.since(start),
      SearchState("someday") { snapshot in
        card("someday AND", CardLanes(of: try CardBoards(in: snapshot)).only(open: true))
      },
      SearchState("todo") { try cards(inColumn: "todo", in: $0) },
      SearchState("doing") { try cards(inColumn: "doing", in: $0) },
      SearchState("done") { try cards(inColumn: "done", in: $0) },
      SearchState("blocked") { snapshot in
        let lanes = CardLanes(of: try CardBoards(in: snapshot)).only(open: true)
        let (open, waiting) = (lanes.condition(), Readiness.waiting(for: lanes))
        return SearchCondition(
          """
          EXISTS (SELECT 1 FROM projectBlock JOIN project ON project.id = projectBlock.blocker \
          WHERE projectBlock.card = entry.item AND \(open.sql))
          """, open.values,
          rows: cards("SELECT card AS id FROM (\(waiting.sql))", waiting.values))
      },
    ],
    tagged: tags.tagged, tags: tags.tags,
    // Includes cards in closed columns: `is:open` excludes them.
    due: dates("deadline", day: deadline), start: dates("start", day: start),
    lead: { found, _ in SearchLead(found, of: ProjectRecord.collectionName) })

  /// The words of a card, and those of its steps and its own fields, which are found as its text is.
  static func entries(of id: String, in db: Database) throws -> [SearchEntry] {
    guard let card = try ProjectRecord.find(id, in: db) else { return [] }
    var entry = try card.searchEntry(at: card.writtenAt)
    let properties = card.properties.map { "\($0.name): \($0.value)" }
    entry.body = ([entry.body] + card.steps.map(\.text) + properties).filter { !$0.isEmpty }.joined(separator: "\n")
    return [entry]
  }

  private static func dates(_ column: String, day: @escaping SearchState.Day) -> ItemDates {
    ItemDates(day: day) { first, last, snapshot in
      let lanes = CardLanes(of: try CardBoards(in: snapshot))
      let bounds: [SQLValue] = (first.map { [.text($0.description)] } ?? []) + [.text(last.description)]
      return card("\(first == nil ? "" : "\(column) >= ? AND ")\(column) <= ? AND", lanes, bounds)
    }
  }

  private static let deadline: SearchState.Day = { item, snapshot in
    let sql = "SELECT deadline FROM project WHERE id = ? AND deadline IS NOT NULL"
    return try snapshot.db.first(sql, [.text(item)]) { $0.text(0) }.flatMap { CalendarDay($0) }
  }

  private static let start: SearchState.Day = { item, snapshot in
    let sql = "SELECT start FROM project WHERE id = ? AND start IS NOT NULL"
    return try snapshot.db.first(sql, [.text(item)]) { $0.text(0) }.flatMap { CalendarDay($0) }
  }

  private static func cards(inColumn state: String, in snapshot: Snapshot) throws -> SearchCondition {
    card("", CardLanes(of: try CardBoards(in: snapshot)).only { sameBytes($0.state, state) })
  }

  /// - Parameter condition: a condition that ends in AND, or nothing.
  private static func card(_ condition: String, _ lanes: CardLanes, _ values: [SQLValue] = []) -> SearchCondition {
    let inLanes = lanes.condition()
    let (condition, values) = ("\(condition) \(inLanes.sql)", values + inLanes.values)
    return SearchCondition(
      "EXISTS (SELECT 1 FROM project WHERE id = entry.item AND \(condition))", values,
      rows: cards("SELECT id FROM project WHERE \(condition)", values))
  }

  private static func cards(_ sql: String, _ values: [SQLValue]) -> SearchRows {
    .items(of: ProjectRecord.collectionName, sql, values)
  }
}
