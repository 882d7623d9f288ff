import Contract
import SQLite

/// The identity of a library, and of its copy.
package struct LibraryIdentity: Sendable, Equatable {
  /// The same for all copies of a library.
  package var id: String
  /// New for each copy, and for a library that was reset to an older state: clocks are only comparable within an epoch.
  package var epoch: String
  package var clock: Int64

  /// Reads the identity, or creates one for a new library. A library gets a new epoch if it is older than the last
  /// clock recorded on this machine, or if none is recorded: it may be a copy of a library that is in use elsewhere.
  ///
  /// - Throws: `StoreError.broken` with the reason `badIdentity`, or `DatabaseError`.
  static func settle(in db: Database, machineState: MachineState, newID: () -> String) throws -> LibraryIdentity {
    let known = try read(db)
    if let known, machineState.clock(epoch: known.epoch).map({ $0 <= known.clock }) ?? false { return known }
    return try db.transaction {
      if let known { return try renew(known, in: db, epoch: newID()) }
      let new = LibraryIdentity(id: newID(), epoch: newID(), clock: 0)
      try db.run(
        "INSERT INTO library (one, id, epoch, clock) VALUES (1, ?, ?, 0)", [.text(new.id), .text(new.epoch)])
      return new
    }
  }

  /// Where a library was created, as far as the stored state shows.
  enum Origin {
    case here
    /// On another machine, or by another user.
    case elsewhere
    /// It has no identity: it is new, or somebody has deleted the identity.
    case unknown
  }

  /// The origin of a library before its migrations.
  static func origin(of db: Database, machineState: MachineState) throws -> Origin {
    guard try db.tableExists("library"), let identity = try read(db) else { return .unknown }
    return machineState.hasSeen(epoch: identity.epoch) ? .here : .elsewhere
  }

  static func read(_ db: Database) throws -> LibraryIdentity? {
    try db.first("SELECT id, epoch, clock FROM library") { row in
      // Both become file names, and the library may be external.
      guard let id = name(row, 0), let epoch = name(row, 1), let clock = try? row.requiredInteger(2),
        // Far more commits than a library can have, and the next clock must not overflow.
        (0...1 << 53).contains(clock)
      else { throw StoreError.broken(path: "", reason: "badIdentity") }
      return LibraryIdentity(id: id, epoch: epoch, clock: clock)
    }
  }

  /// An id as it is generated here: it contains no path to another folder.
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
