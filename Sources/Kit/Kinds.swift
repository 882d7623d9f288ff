import Contract
import Display
import Store
import Wire

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

/// A write that may touch more rows than others should wait for. It runs in slices between which other clients' writes
/// get through, and yet is one step: undone as one, and nothing of it stays when it fails (`LongWrite`).
package protocol LongWriteMethod: Method {
  associatedtype Position: Sendable
  /// Goes on from where the slice before ended, nil at first, while `transaction.hasRoom`.
  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result>
}

/// What a slice of a long write came to: the place from which the next goes on, or the method's result.
package enum Sliced<Position: Sendable, Result: Sendable>: Sendable {
  case more(Position)
  case done(Result)
}

/// Asks the world outside: the network, a worker, a file.
///
/// `prepare` reads the library in the client's order, like a read by key. `fetch` holds no database and may take long;
/// a cancelled one stops. What then is done with the library is a read or a write of its own, which expects that the
/// library has moved on.
package protocol ExternalMethod: Method {
  associatedtype Plan: Sendable
  associatedtype Fetched: Sendable
  /// What people read beside a bar while it runs: the title of its `$/progress`.
  static var doing: Text { get }
  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan
  /// What `fetch` would come to without asking anybody; nil where somebody must be asked. Runs where `prepare` ran, and
  /// spares the way over two other threads.
  static func known(_ plan: Plan, in snapshot: Snapshot) throws -> Fetched?
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched
}

extension ExternalMethod {
  /// For those alone that ask neither the network nor a worker, and are done before anybody reads it.
  package static var doing: Text { Text("doing.something") }
  package static func known(_ plan: Plan, in snapshot: Snapshot) throws -> Fetched? { nil }
}

package protocol ExternalReadMethod: ExternalMethod {
  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result
}

package protocol ExternalWriteMethod: ExternalMethod {
  static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result
}

/// What was fetched is put in as a long write, such as an import that was parsed and spooled.
package protocol ExternalLongWriteMethod: ExternalMethod {
  associatedtype Position: Sendable
  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result>
}

/// Concerns neither the connection nor the library, and takes longer than a loop may be held. It starts when its turn
/// comes and runs beside everything else; what blocks is for `onThread`.
package protocol DetachedMethod: Method {
  static func run(_ params: Params, for reader: Reader, with services: Services) async throws -> Result
}

/// Concerns the connection, not the library. Runs inline, as soon as its turn comes.
package protocol ControlMethod: Method {
  static func run(_ params: Params, in session: any Session) throws -> Result
}
