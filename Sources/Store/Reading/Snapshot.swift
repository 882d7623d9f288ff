import SQLite
import Wire

/// A consistent read view of the library: later changes are invisible in it, and it cannot write.
///
/// It is only valid inside the closure that received it. The first SELECT of its transaction has read `clock`, which
/// makes SQLite pin the view.
public struct Snapshot {
  package let db: Database
  package let clock: Int64
  package let caller: any Caller
  /// Nil in a write, which sees its own changes.
  private let loaded: LoadedValues?

  package init(db: Database, clock: Int64, caller: any Caller) {
    self.init(db: db, clock: clock, caller: caller, loaded: nil)
  }

  private init(db: Database, clock: Int64, caller: any Caller, loaded: LoadedValues?) {
    self.db = db
    self.clock = clock
    self.caller = caller
    self.loaded = loaded
  }

  /// Pins the state that a connection sees now. The connection must be inside a transaction.
  static func pin(_ db: Database, caller: any Caller) throws -> Snapshot {
    Snapshot(db: db, clock: try clock(of: db), caller: caller, loaded: LoadedValues())
  }

  /// The clock that a connection sees now.
  ///
  /// - Throws: `StoreError.broken` with the reason `noClock`, `DatabaseError`.
  static func clock(of db: Database) throws -> Int64 {
    guard let clock = try db.first(selectClock, { $0.integer(0) }) else {
      throw StoreError.broken(path: "", reason: "noClock")
    }
    return clock
  }
  private static let selectClock = CachedStatement("SELECT clock FROM library")

  /// The result of `load`, which a read calls once for all of its items. A write calls it each time, since it may have
  /// changed what is loaded. The type of the value names it, so there is one way to load each type.
  ///
  /// - Throws: what `load` throws.
  public func loadedOnce<Value>(_ load: () throws -> Value) rethrows -> Value {
    if let value = loaded?.values[ObjectIdentifier(Value.self)] as? Value { return value }
    let value = try load()
    loaded?.values[ObjectIdentifier(Value.self)] = value
    return value
  }
}

/// The values that one read has loaded, by their types. Only the thread of the read uses it.
private final class LoadedValues {
  var values: [ObjectIdentifier: Any] = [:]
}

/// The client on whose behalf something is read or written. Features add more to it; the store only needs its names.
package protocol Caller: AnyObject, Sendable {
  /// `clientInfo.name`, or empty.
  var clientName: String { get }
  /// Unique for each connection, never reused.
  var connectionID: String { get }
}

/// The daemon itself.
package final class DaemonCaller: Caller {
  package init() {}
  package var clientName: String { "commonplace" }
  package var connectionID: String { "" }
}
