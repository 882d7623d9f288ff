import Contract
import SQLite

/// Which library this is, and which of its copies.
package struct LibraryIdentity: Sendable, Equatable {
  /// The same for all copies of a library.
  package var id: String
  /// New for each copy, and for a library that went back in time: a clock means something only within an epoch.
  package var epoch: String
  package var clock: Int64

  /// Reads the identity, makes one for a new library, and gives a new epoch to one that is older than what was seen, or
  /// that was never seen here: it may be a copy of one that goes on elsewhere.
  static func settle(in db: Database, remembered: Remembered, newID: () -> String) throws -> LibraryIdentity {
    let known = try read(db)
    if let known, remembered.clock(epoch: known.epoch).map({ $0 <= known.clock }) ?? false { return known }
    return try db.transaction {
      if let known { return try renew(known, in: db, epoch: newID()) }
      let new = LibraryIdentity(id: newID(), epoch: newID(), clock: 0)
      try db.run(
        "INSERT INTO library (one, id, epoch, clock) VALUES (1, ?, ?, 0)", [.text(new.id), .text(new.epoch)])
      return new
    }
  }

  /// Where a library was made, as far as this user's state tells.
  enum Origin {
    case here
    /// On another machine, or by somebody else.
    case elsewhere
    /// It has no identity: it is new, or somebody has taken that out.
    case unknown
  }

  /// Of a library as it came, before the steps that bring it to this version.
  static func origin(of db: Database, remembered: Remembered) throws -> Origin {
    guard try db.tableExists("library"), let identity = try read(db) else { return .unknown }
    return remembered.hasSeen(epoch: identity.epoch) ? .here : .elsewhere
  }

  static func read(_ db: Database) throws -> LibraryIdentity? {
    try db.first("SELECT id, epoch, clock FROM library") { row in
      // Folders and files are named after both, and somebody else may have made the library.
      guard let id = name(row, 0), let epoch = name(row, 1), let clock = try? row.requiredInteger(2),
        // No library has so many commits, and the next clock is one more.
        (0...1 << 53).contains(clock)
      else { throw StoreError.broken(path: "", reason: "badIdentity") }
      return LibraryIdentity(id: id, epoch: epoch, clock: clock)
    }
  }

  /// An id as it is made here: nothing in it leads to another folder.
  private static func name(_ row: Columns, _ column: Int) -> String? {
    guard let text = try? row.requiredText(column), ItemID(validating: text) != nil, !text.contains(".") else {
      return nil
    }
    return text
  }

  static func renew(_ identity: LibraryIdentity, in db: Database, epoch: String) throws -> LibraryIdentity {
    try db.run("UPDATE library SET epoch = ?", [.text(epoch)])
    return LibraryIdentity(id: identity.id, epoch: epoch, clock: identity.clock)
  }
}
