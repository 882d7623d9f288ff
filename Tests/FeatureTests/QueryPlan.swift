import GRDB
import Store
import TestSupport

/// What SQLite would do for a statement in this library, whose daemon has stopped: a line for each step.
func queryPlan(of sql: String, in library: String) async throws -> [String] {
  let queue = try DatabaseQueue(
    path: LibraryFolder(library).database, configuration: SearchLibrary.configuration)
  let values = StatementArguments(sql.filter { $0 == "?" }.map { _ in 0 })
  return try await queue.read { db in
    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: values).map { $0["detail"] as String }
  }
}
