import Contract
import Store

/// Reads one state of the library, and cannot write.
package protocol ReadMethod: Method {
  /// By key, or limited: runs on the event loop. Others run on a reader's thread.
  static var isQuick: Bool { get }
  /// Whether the result has a `clock` of its own.
  static var givesClock: Bool { get }
  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result
}

extension ReadMethod {
  package static var isQuick: Bool { false }
  package static var givesClock: Bool { false }
}

/// Writes, alone, in the order in which all clients' writes came. It may run twice when its group could not commit, so
/// it touches nothing but the transaction.
package protocol WriteMethod: Method {
  static func run(_ params: Params, in transaction: Transaction) throws -> Result
}

/// Asks the world outside: the network, a worker, a file.
///
/// `prepare` reads the library in the client's order, like a read by key. `fetch` holds no database and may take long;
/// a cancelled one stops. What then is done with the library is a read or a write of its own, which expects that the
/// library has moved on.
package protocol ExternalMethod: Method {
  associatedtype Plan: Sendable
  associatedtype Fetched: Sendable
  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched
}

package protocol ExternalReadMethod: ExternalMethod {
  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result
}

package protocol ExternalWriteMethod: ExternalMethod {
  static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result
}

/// Concerns the connection, not the library. Runs inline, as soon as its turn comes.
package protocol ControlMethod: Method {
  static func run(_ params: Params, in session: any Session) throws -> Result
}
