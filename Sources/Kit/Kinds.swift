import Contract
import Display
import Store
import Wire

/// A method that reads a snapshot of the library and cannot write.
package protocol ReadMethod: Method {
  /// Reads by key, or limited: runs on the event loop. Other methods run on a reader's thread.
  static var isQuick: Bool { get }
  /// Whether the result contains its own `clock`.
  static var givesClock: Bool { get }
  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result
}

extension ReadMethod {
  package static var isQuick: Bool { false }
  package static var givesClock: Bool { false }
}

/// A method that writes, in the order in which all clients' writes arrive. It may run twice if its group could not be
/// committed, so it must have no effect outside the transaction.
package protocol WriteMethod: Method {
  static func run(_ params: Params, in transaction: Transaction) throws -> Result
}

/// A write that may touch more rows than other clients should wait for. It runs in slices between which other writes
/// run, and yet is one step: undone as one, and rolled back completely if it fails (`LongWrite`).
package protocol LongWriteMethod: Method {
  associatedtype Position: Sendable
  /// Continues where the previous slice ended (nil at first), while `transaction.hasRoom`.
  ///
  /// - Throws: the `RPCError` of the reply, `StoreError` or `DatabaseError`; then all slices are rolled back.
  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result>
}

/// The result of a slice of a long write: the position for the next slice, or the method's result.
package enum Sliced<Position: Sendable, Result: Sendable>: Sendable {
  case more(Position)
  case done(Result)
}

/// A method that needs an external resource: the network, a worker, a file.
///
/// `prepare` reads the library in the client's order, like a read by key. `fetch` uses no database and may take long;
/// it stops when it is cancelled. The result is then used in a separate read or write, which must expect that the
/// library has changed meanwhile.
package protocol ExternalMethod: Method {
  associatedtype Plan: Sendable
  associatedtype Fetched: Sendable
  /// The title of its `$/progress`, shown to users beside a progress bar.
  static var doing: Text { get }
  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan
  /// The result of `fetch` if it is known without an external request; otherwise nil. Runs where `prepare` ran, and
  /// saves two thread switches.
  ///
  /// - Throws: the `RPCError` of the reply, `StoreError` or `DatabaseError`.
  static func known(_ plan: Plan, in snapshot: Snapshot) throws -> Fetched?
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched
}

extension ExternalMethod {
  /// Only for methods that use neither the network nor a worker, and finish before anybody could read it.
  package static var doing: Text { Text("doing.something") }

  /// - Throws: nothing.
  package static func known(_ plan: Plan, in snapshot: Snapshot) throws -> Fetched? { nil }
}

package protocol ExternalReadMethod: ExternalMethod {
  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result
}

package protocol ExternalWriteMethod: ExternalMethod {
  static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result
}

/// Inserts the fetched data as a long write, such as an import that was parsed and spooled.
package protocol ExternalLongWriteMethod: ExternalMethod {
  associatedtype Position: Sendable
  static func finish(
    _ fetched: Fetched, of plan: Plan, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result>
  /// The result if nothing has to be written, so that the request does not wait for the writer; otherwise nil.
  static func unwritten(_ fetched: Fetched, of plan: Plan) -> Result?
}

extension ExternalLongWriteMethod {
  package static func unwritten(_ fetched: Fetched, of plan: Plan) -> Result? { nil }
}

/// A method that uses neither the connection nor the library, and takes too long for an event loop. It starts in the
/// client's order and runs concurrently; blocking calls belong in `onThread`.
package protocol DetachedMethod: Method {
  static func run(_ params: Params, for reader: Reader, with services: Services) async throws -> Result
}

/// A method on the connection, not the library. Runs inline, in the client's order.
package protocol ControlMethod: Method {
  static func run(_ params: Params, in session: any Session) throws -> Result
}
