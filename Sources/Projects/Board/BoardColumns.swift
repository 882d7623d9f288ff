import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// The name of a column: `todo`, `doing`, `done`, or a name that the user gave.
package struct ColumnID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A column as it is stored.
struct StoredColumn: Codable, Sendable, Equatable {
  var state: String
  /// Nil if the language catalogue has the title.
  var title: String?
  /// Whether the cards in it are still to be done.
  var isOpen: Bool
  /// The number of cards above which it is too full; nil for none. A column takes more all the same.
  var limit: Int?

  static let usual = [
    StoredColumn(state: "todo", title: nil, isOpen: true), StoredColumn(state: "doing", title: nil, isOpen: true),
    StoredColumn(state: "done", title: nil, isOpen: false),
  ]

  var usualTitleKey: String? { Self.usual.contains { sameBytes($0.state, state) } ? "projects.\(state)" : nil }
}

/// The columns of a board, where they are not the usual ones: one row, so that every change of them is one change of
/// one item. Its id is the board's.
struct ColumnsRecord: StoredItem {
  static let collectionName = "columns"
  static let tableName = "projectColumns"
  /// The id of the columns of the default board.
  static let defaultID = "columns"

  var id = ColumnsRecord.defaultID
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var columns = StoredJSON<[StoredColumn]>(stored: "[]")

  static let fields = Fields<Self> {
    Field("columns", \.columns, "From left to right.")
  }

  /// The usual columns, for a board on which nobody has arranged them.
  static func usual(of board: String = CardBoardRecord.defaultID) -> ColumnsRecord {
    var record = ColumnsRecord()
    record.id = CardBoardRecord.columnsID(of: board)
    record.columns = (try? StoredJSON(StoredColumn.usual)) ?? record.columns
    return record
  }
}

/// The columns of a board in one snapshot of the library, from left to right.
struct BoardColumns: Sendable {
  let all: [StoredColumn]

  init(_ all: [StoredColumn]) { self.all = all }

  /// Includes columns that have cards but are in no list any more, as after an undo: no card is ever hidden.
  init(in snapshot: Snapshot, of board: String) throws {
    let stored = try snapshot.find(ColumnsRecord.self, id: CardBoardRecord.columnsID(of: board))
    let columns = try BoardColumns(stored?.columns.value() ?? StoredColumn.usual)
    self = columns.including(try CardCount.all(in: snapshot, of: board))
  }

  /// With the columns that have cards and are missing.
  func including(_ counts: [CardCount]) -> BoardColumns {
    let missing = counts.filter { self[$0.state] == nil }
    return missing.isEmpty
      ? self : BoardColumns(all + missing.map { StoredColumn(state: $0.state, title: $0.state, isOpen: true) })
  }

  subscript(state: String) -> StoredColumn? { all.first { sameBytes($0.state, state) } }

  /// The column of new cards.
  var first: StoredColumn { all.first { $0.isOpen } ?? all.first ?? StoredColumn.usual[0] }

  func isOpen(_ state: String) -> Bool { self[state]?.isOpen ?? true }

  /// Finds a column by its state or by its displayed title; case, width and composition do not matter.
  ///
  /// - Throws: `invalidParams` with the titles of the existing columns, if none or several match.
  func require(named name: String, in snapshot: Snapshot, field: String = "state") throws(RPCError) -> StoredColumn {
    let named = named(name, in: snapshot)
    if named.count == 1 { return named[0] }
    let choices = all.map { $0.title(for: snapshot.reader, services: snapshot.services) }.joined(separator: ", ")
    throw RPCError.invalidParams(
      field: field, reason: Text("projects.noColumn", ["found": name, "choices": choices]))
  }

  /// The column with this state, else those with this name or displayed title.
  func named(_ name: String, in snapshot: Snapshot) -> [StoredColumn] {
    if let column = self[name] { return [column] }
    let folded = foldedText(name)
    return all.filter { column in
      [column.state, column.title(for: snapshot.reader, services: snapshot.services)].contains {
        sameBytes(foldedText($0), folded)
      }
    }
  }

  /// The reason why an undo may not restore these columns: it would remove a column that has cards by now, which the
  /// text names by its former title. Nil if the undo may go on.
  static func refusal(_ id: String, before: JSONValue?, in snapshot: Snapshot) throws -> Text? {
    let stored = try snapshot.find(ColumnsRecord.self, id: id)?.columns.value() ?? StoredColumn.usual
    let counts = try CardCount.all(in: snapshot, of: CardBoardRecord.id(ofColumns: id))
    let former =
      try before?["columns"].map { try StoredJSON<[StoredColumn]>(stored: String(describing: $0)).value() }
      ?? StoredColumn.usual
    for column in former where !stored.contains(where: { sameBytes($0.state, column.state) }) {
      let count = counts.first { sameBytes($0.state, column.state) }?.count ?? 0
      guard count > 0 else { continue }
      let title = column.title(for: snapshot.reader, services: snapshot.services)
      return Text("projects.columnHasCards", ["title": title, "count": String(count)])
    }
    return nil
  }
}

extension StoredColumn {
  func title(for reader: Reader, services: Services) -> String {
    if let title { return title }
    guard let key = usualTitleKey else { return state }
    return services.catalogue.string(for: Text(key), language: reader.language)
  }
}
