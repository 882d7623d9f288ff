import SQLite
import Store

/// Short ways for tests to look into a library's file and to change it.
extension Database {
  /// Runs `body` in a transaction.
  package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try transaction { try body(self) }
  }

  package func read<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try body(self)
  }

  /// The first column of the first row; nil if that is null, or if there is no row.
  package func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int? {
    try first(sql, values) { row in row.isNull(0) ? nil : row.int(0) } ?? nil
  }

  /// The same as a text.
  package func text(_ sql: String, _ values: [SQLValue] = []) throws -> String? {
    try first(sql, values) { $0.optionalText(0) } ?? nil
  }

  /// What SQLite would do for a statement, a line for each step. Its places are 0.
  package func plan(of sql: String) throws -> [String] {
    var steps: [String] = []
    try each("EXPLAIN QUERY PLAN " + sql, sql.filter { $0 == "?" }.map { _ in .integer(0) }) {
      steps.append($0.text(3))
    }
    return steps
  }
}

/// Elements one after the other, as a rebuild and a check of the search index ask for them.
package func supply<Element>(_ elements: [Element]) -> () -> Element? {
  var rest = elements[...]
  return { rest.popFirst() }
}
