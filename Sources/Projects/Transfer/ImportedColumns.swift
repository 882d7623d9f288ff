import Contract
import Exchange
import Kit
import Store
import Wire

extension CardBoards {
  /// The columns of a board with the missing columns of a file, each after its predecessor in the file. An unused board
  /// gets the file's columns. A file that only names the columns of some cards has no order of columns: open ones are
  /// added after the open ones, closed ones at the end.
  func columns(of board: String, with wanted: [StoredColumn], areAll: Bool, isUntouched: Bool) -> BoardColumns {
    let here = columns(of: board).all
    let merged = !areAll ? here.extended(by: wanted) : isUntouched ? wanted : here.merged(with: wanted)
    return BoardColumns(wanted.isEmpty || merged.count > StoredColumn.most ? here : merged)
  }
}

extension BoardColumns {
  /// Notes on new columns whose names are similar to existing ones: in a file that was edited by hand, a title may lack
  /// a character.
  func likenesses(
    to known: [StoredColumn], of tasks: [ExternalTask], in snapshot: Snapshot
  ) -> [(state: String, note: ImportNote)] {
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
  func keep(_ columns: BoardColumns, of board: String) throws {
    guard try columns.all != BoardColumns(in: snapshot, of: board).all else { return }
    let record = try snapshot.find(ColumnsRecord.self, id: CardBoardRecord.columnsID(of: board))
    let json = try StoredJSON(columns.all)
    if let record {
      try change(record) { $0.columns = json }
    } else {
      var record = ColumnsRecord.usual(of: board)
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
