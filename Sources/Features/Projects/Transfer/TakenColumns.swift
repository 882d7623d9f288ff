import Contract
import Store
import Wire

extension Transaction {
  /// Puts in the columns of a file that are missing, each behind the one that it stands behind there. A board on which
  /// nobody has done anything yet becomes the file's.
  func addColumns(_ wanted: [KeptColumn]) throws {
    let record = try snapshot.find(ColumnsRecord.self, id: ColumnsRecord.only)
    let board = try BoardColumns(in: snapshot)
    let isUntouched = try record == nil && BoardColumns.counts(in: snapshot).allSatisfy { $0.count == 0 }
    let merged = isUntouched ? wanted : board.all.merged(with: wanted)
    guard merged != board.all, merged.count <= KeptColumn.most else { return }
    let json = try StoredJSON(merged)
    if let record {
      try change(record) { $0.columns = json }
    } else {
      var record = ColumnsRecord()
      record.columns = json
      try insert(record)
    }
  }
}

extension [KeptColumn] {
  fileprivate func merged(with wanted: [KeptColumn]) -> [KeptColumn] {
    var merged = self
    var place = 0
    for column in wanted {
      if let known = merged.firstIndex(where: { sameBytes($0.state, column.state) }) {
        place = known + 1
      } else {
        merged.insert(column, at: place)
        place += 1
      }
    }
    return merged
  }
}
