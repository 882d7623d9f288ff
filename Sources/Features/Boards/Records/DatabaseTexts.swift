import GRDB
import Store

extension Database {
  /// The first column of every row.
  func all(_ sql: String, _ values: [SQLValue] = []) throws -> [String] {
    var texts: [String] = []
    try each(sql, values) { texts.append($0.text(0)) }
    return texts
  }
}
