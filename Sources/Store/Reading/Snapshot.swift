import SQLite
import Wire

/// One state of the library: nothing that happens meanwhile can be seen through it, and nothing can be written.
///
/// It exists only inside the closure that received it. The first SELECT of its transaction read `clock`, which is what
/// makes SQLite pin the state.
public struct Snapshot {
  package let db: Database
  package let clock: Int64
  package let caller: any Caller

  package init(db: Database, clock: Int64, caller: any Caller) {
    self.db = db
    self.clock = clock
    self.caller = caller
  }

  /// Pins the state that a connection sees now. The connection must be inside a transaction.
  static func pin(_ db: Database, caller: any Caller) throws -> Snapshot {
    Snapshot(db: db, clock: try clock(of: db), caller: caller)
  }

  /// The clock that a connection sees now.
  static func clock(of db: Database) throws -> Int64 {
    guard let clock = try db.first(selectClock, { $0.integer(0) }) else {
      throw StoreError.broken(path: "", reason: "noClock")
    }
    return clock
  }
  private static let selectClock = KeptStatement("SELECT clock FROM library")

  public func find<Item: StoredItem>(_ type: Item.Type, id: String) throws -> Item? {
    try Item.find(id, in: db)
  }

  /// The item, or `notFound` with the collection and the id.
  public func get<Item: StoredItem>(_ type: Item.Type, id: String) throws -> Item {
    guard let item = try find(type, id: id) else { throw RPCError.notFound(Item.collectionName, id: id) }
    return item
  }
}

/// On whose behalf something is read or written. Features put more behind it; the store asks only for names.
package protocol Caller: AnyObject, Sendable {
  /// `clientInfo.name`, or empty.
  var clientName: String { get }
  /// Unique for each connection, never used again.
  var connectionID: String { get }
}

/// The daemon itself.
package final class DaemonCaller: Caller {
  package init() {}
  package var clientName: String { "commonplace" }
  package var connectionID: String { "" }
}
