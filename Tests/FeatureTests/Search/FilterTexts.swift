import Kit
import SQLite
import Store
import TestSupport

@testable import SearchEngine

/// The texts that pass a filter: as the filter lists them, nil if it cannot, and as a scan of all texts finds them.
func filterTexts(
  from name: String, of source: SearchSource, in services: Services
) async throws -> (listed: [Int64]?, scanned: [Int64]) {
  try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
    guard let condition = try source.from?(foldedText(name), snapshot) else { return (nil, []) }
    let collections = [source.collection] + source.aliases.keys
    let places = collections.map { "'\($0)'" }.joined(separator: ", ")
    var scanned: [Int64] = []
    try snapshot.db.each(
      "SELECT rowid FROM search_entry AS entry WHERE collection IN (\(places)) AND \(condition.sql) ORDER BY rowid DESC",
      condition.values
    ) { scanned.append($0.integer(0)) }
    var rows = FilterRows(condition)
    return (try rows.few(in: snapshot.db)?.rows, scanned)
  }
}
