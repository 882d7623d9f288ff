import Contract
import Display
import Kit
import SQLite
import Store
import Wire

/// An item that was removed here.
struct RemovedItem {
  /// When it was removed.
  var at: Instant

  private static let newest =
    """
    SELECT h.kind, c.at, c.undoOf FROM changes h JOIN commits c ON c.clock = h.clock
    WHERE h.collection = ? AND h.id = ? ORDER BY h.clock DESC LIMIT 1
    """

  /// Nil if the item exists or never did, if only its insertion was undone, or if the log does not go back so far.
  init?<Item: StoredItem>(_ type: Item.Type, id: String, in snapshot: Snapshot) throws {
    let values: [SQLValue] = [.text(Item.collectionName), .text(id)]
    let at = try snapshot.db.first(Self.newest, values) { row in
      row.text(0) == Change.Kind.removed.rawValue && row.isNull(2) ? Instant(milliseconds: row.integer(1)) : nil
    }
    guard let at = at ?? nil else { return nil }
    self.at = at
  }

  /// The note of an import that adds it again.
  func note(at place: ImportNote.Place, title: String, zone: Zone) -> ImportNote {
    let day = LocalDateTime(at, in: zone).day
    return ImportNote(
      .cameAgain, at: place, title: title, text: Text("import.cameBack", ["day": day.description]))
  }
}
