import Store
import TestSupport

/// What SQLite would do for a statement in this library, whose daemon has stopped: a line for each step.
func queryPlan(of sql: String, in library: String) throws -> [String] {
  try SearchLibrary.open(LibraryFolder(library).database).plan(of: sql)
}
