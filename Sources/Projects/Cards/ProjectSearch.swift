import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The search source of cards.
enum ProjectSearch {
  static let source = SearchSource(
    collection: ProjectRecord.collectionName, label: Text("projects.collection"),
    states: [
      SearchState("overdue") { snapshot in
        card(
          "deadline < ? AND state IN", try BoardColumns(in: snapshot).openStates,
          [.text(snapshot.services.libraryToday.description)])
      }.since(deadline),
      SearchState("open") { card("state IN", try BoardColumns(in: $0).openStates) },
      SearchState("closed") { card("state NOT IN", try BoardColumns(in: $0).openStates) },
      SearchState("todo") { _ in card("state IN", ["todo"]) },
      SearchState("doing") { _ in card("state IN", ["doing"]) },
      SearchState("done") { _ in card("state IN", ["done"]) },
      SearchState("blocked") { snapshot in
        let open = try BoardColumns(in: snapshot).openStates
        return SearchCondition(
          """
          EXISTS (SELECT 1 FROM projectBlock JOIN project ON project.id = projectBlock.blocker \
          WHERE projectBlock.card = entry.item AND state IN (\(places(open))))
          """, open.map { .text($0) },
          rows: cards("SELECT card AS id FROM (\(ListProjects.waiting(open)))", open.map { .text($0) }))
      },
    ],
    tagged: { tag in
      SearchCondition(
        "EXISTS (SELECT 1 FROM projectTag WHERE tag = ? AND card = entry.item)", [.text(tag)],
        rows: cards("SELECT card AS id FROM projectTag WHERE tag = ?", [.text(tag)]))
    },
    tags: { beginning, limit, snapshot in
      try ExistingTag.all(
        beginning: beginning, limit: limit, in: snapshot,
        """
        SELECT tag, (SELECT value FROM project, json_each(project.tags) WHERE project.id = some AND fold(value) = tag), count
        FROM (
          SELECT tag, max(card) AS some, count(*) AS count FROM projectTag
          WHERE tag >= ? AND tag < ? GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ?)
        """)
    },
    // Includes cards in closed columns: `is:open` excludes them.
    due: ItemDeadlines(day: deadline) { first, last, snapshot in
      let states = try BoardColumns(in: snapshot).all.map(\.state)
      let bounds: [SQLValue] = (first.map { [.text($0.description)] } ?? []) + [.text(last.description)]
      return card("\(first == nil ? "" : "deadline >= ? AND ")deadline <= ? AND state IN", states, bounds)
    },
    lead: { found, _ in SearchLead(found, of: ProjectRecord.collectionName) })

  private static let deadline: SearchState.Day = { item, snapshot in
    let sql = "SELECT deadline FROM project WHERE id = ? AND deadline IS NOT NULL"
    return try snapshot.db.first(sql, [.text(item)]) { $0.text(0) }.flatMap { CalendarDay($0) }
  }

  private static func card(_ condition: String, _ states: [String], _ values: [SQLValue] = []) -> SearchCondition {
    let (condition, values) = ("\(condition) (\(places(states)))", values + states.map { .text($0) })
    return SearchCondition(
      "EXISTS (SELECT 1 FROM project WHERE id = entry.item AND \(condition))", values,
      rows: cards("SELECT id FROM project WHERE \(condition)", values))
  }

  private static func cards(_ sql: String, _ values: [SQLValue]) -> SearchRows {
    .items(of: ProjectRecord.collectionName, sql, values)
  }

  private static func places(_ values: [String]) -> String { values.map { _ in "?" }.joined(separator: ", ") }
}
