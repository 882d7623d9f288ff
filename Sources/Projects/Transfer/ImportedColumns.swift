import Contract
import Exchange
import Kit
import Store
import Wire

extension BoardColumns {
  /// The board with the missing columns of a file, each after its predecessor in the file. An unused board becomes the
  /// file's. A file that only names the columns of some cards has no order of columns: open ones are added after the
  /// open ones, closed ones at the end.
  init(in snapshot: Snapshot, with wanted: [StoredColumn], areAll: Bool) throws {
    let board = try BoardColumns(in: snapshot).all
    let isUntouched =
      try snapshot.find(ColumnsRecord.self, id: ColumnsRecord.only) == nil
      && BoardColumns.counts(in: snapshot).allSatisfy { $0.count == 0 }
    let merged = !areAll ? board.extended(by: wanted) : isUntouched ? wanted : board.merged(with: wanted)
    self.init(wanted.isEmpty || merged.count > StoredColumn.most ? board : merged)
  }
}

extension BoardColumns {
  /// Notes on new columns whose names are similar to existing ones: in a file that was edited by hand, a title may lack
  /// a character.
  func likenesses(of tasks: [ExternalTask], in snapshot: Snapshot) throws -> [(state: String, note: ImportNote)] {
    let known = try BoardColumns(in: snapshot).all
    func title(_ column: StoredColumn) -> String { column.title(for: snapshot.reader, services: snapshot.services) }
    return all.compactMap { column -> (state: String, note: ImportNote)? in
      guard !known.contains(where: { sameBytes($0.state, column.state) }) else { return nil }
      let other = known.first { other in
        likelyName(for: title(column), among: [title(other), other.state]) != nil
          || likelyName(for: column.state, among: [other.state]) != nil
      }
      guard let other else { return nil }
      let task = tasks.first { task in [task.column, task.named?.state].contains { $0 == column.state } }
      let text = Text("import.columnLike", ["title": title(column), "other": title(other)])
      return (
        column.state,
        ImportNote(
          .sameTitle, at: task?.place ?? .init(number: 1), title: task?.title ?? "", field: "state", text: text)
      )
    }
  }
}

extension Transaction {
  /// Sets these columns, unless the board has them already.
  func keep(_ columns: BoardColumns) throws {
    guard try columns.all != BoardColumns(in: snapshot).all else { return }
    let record = try snapshot.find(ColumnsRecord.self, id: ColumnsRecord.only)
    let json = try StoredJSON(columns.all)
    if let record {
      try change(record) { $0.columns = json }
    } else {
      var record = ColumnsRecord()
      record.columns = json
      try insert(record)
    }
  }
}

extension [StoredColumn] {
  fileprivate func extended(by wanted: [StoredColumn]) -> [StoredColumn] {
    var all = self
    for column in wanted where !all.contains(where: { sameBytes($0.state, column.state) }) {
      let place = column.isOpen ? all.lastIndex(where: \.isOpen).map { $0 + 1 } : nil
      all.insert(column, at: place ?? all.endIndex)
    }
    return all
  }

  fileprivate func merged(with wanted: [StoredColumn]) -> [StoredColumn] {
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
