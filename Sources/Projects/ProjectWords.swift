import Store
import Wire

/// Display texts for stored names and lists of a card, for its history.
enum ProjectWords {
  /// The text for the stored value of the column `state`, `board`, `blockedBy`, `parent`, `steps`, `properties` or
  /// `tags`; nil for other columns. A state that several boards have is that of the first of them, the default board first.
  static func word(for value: JSONValue, in column: String, _ snapshot: Snapshot) throws -> String? {
    guard let text = value.stringValue else { return nil }
    switch column {
    case "state":
      let boards = try CardBoards(in: snapshot)
      let named =
        ([CardBoardRecord.defaultID] + boards.all.map(\.id)).lazy.compactMap { boards.columns(of: $0)[text] }.first
        ?? StoredColumn(state: text, title: nil, isOpen: true)
      return named.title(for: snapshot.reader, services: snapshot.services)
    case "board": return try CardBoards(in: snapshot)[text]?.title(in: snapshot)
    case "blockedBy":
      return try StoredJSON<[String]>(stored: text).value().map { id in
        // Of a deleted card only the id is left.
        try snapshot.db.first("SELECT title FROM project WHERE id = ?", [.text(id)]) { $0.text(0) } ?? id
      }.joined(separator: ", ")
    case "parent": return try snapshot.db.first("SELECT title FROM project WHERE id = ?", [.text(text)]) { $0.text(0) }
    case "steps":
      return try StoredJSON<[ProjectStep]>(stored: text).value().map { "[\($0.isDone ? "x" : " ")] \($0.text)" }
        .joined(separator: "\n")
    case "properties":
      return try StoredJSON<[ProjectProperty]>(stored: text).value().map { "\($0.name): \($0.value)" }
        .joined(separator: "\n")
    case "reminders":
      return try StoredJSON<[String]>(stored: text).value().map { $0.reminderWords(in: snapshot) }
        .joined(separator: ", ")
    case "tags": return try StoredJSON<[String]>(stored: text).value().map { "#\($0)" }.joined(separator: " ")
    default: return nil
    }
  }

  /// The titles of all columns, from left to right.
  static func titles(ofColumns value: JSONValue, in snapshot: Snapshot) throws -> String? {
    try value.stringValue.map { try titles(of: StoredJSON<[StoredColumn]>(stored: $0).value(), in: snapshot) }
  }

  static func titles(of columns: [StoredColumn], in snapshot: Snapshot) -> String {
    columns.map { $0.title(for: snapshot.reader, services: snapshot.services) }.joined(separator: ", ")
  }
}
