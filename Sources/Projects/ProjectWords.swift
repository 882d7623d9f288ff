import Store
import Wire

/// What people call what a card keeps by its name alone, or as a list, for its history.
enum ProjectWords {
  /// Of the column that a card stood in, of the cards that it waited for, and of its tags.
  static func word(for value: JSONValue, in column: String, _ snapshot: Snapshot) throws -> String? {
    guard let text = value.stringValue else { return nil }
    switch column {
    case "state":
      let named = try BoardColumns(in: snapshot)[text] ?? KeptColumn(state: text, title: nil, isOpen: true)
      return named.title(for: snapshot.reader, services: snapshot.services)
    case "blockedBy":
      return try StoredJSON<[String]>(stored: text).value().map { id in
        // Of one that is gone there is only its name.
        try snapshot.db.first("SELECT title FROM project WHERE id = ?", [.text(id)]) { $0.text(0) } ?? id
      }.joined(separator: ", ")
    case "tags": return try StoredJSON<[String]>(stored: text).value().map { "#\($0)" }.joined(separator: " ")
    default: return nil
    }
  }

  /// Of all columns, from left to right.
  static func titles(ofColumns value: JSONValue, in snapshot: Snapshot) throws -> String? {
    try value.stringValue.map { try titles(of: StoredJSON<[KeptColumn]>(stored: $0).value(), in: snapshot) }
  }

  static func titles(of columns: [KeptColumn], in snapshot: Snapshot) -> String {
    columns.map { $0.title(for: snapshot.reader, services: snapshot.services) }.joined(separator: ", ")
  }
}
