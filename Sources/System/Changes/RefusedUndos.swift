import Display
import Kit
import Store
import Synchronization
import Wire

/// The commits that a plain `changes/undo` or `changes/redo` refused with `conflict`, by client. The client's next
/// one skips them, so that one item of another client does not make everything older unreachable.
///
///     clock 7   this client renames A
///     clock 8   another client removes A
///     undo      conflict: A was removed; the next undo reverts 5
///     undo      reverts 5
///
/// A commit is skipped only while its item stays as it was when the client was refused. Losing an entry is harmless:
/// the client is refused once more. `clock` and `force` reach every commit all the same.
final class RefusedUndos: Sendable {
  private struct Key: Hashable {
    var client: String
    var commit: Int64
  }

  private struct Refusal {
    var item: ItemKey
    /// The item's revision when the undo was refused; nil if it was removed.
    var revision: Int64?
    /// A write may run twice for one request, and must return the same reply.
    var request: WriteToken
  }

  private let refusals = Mutex<[Key: Refusal]>([:])

  /// How many are remembered for all clients.
  private static let most = 4096
  /// How many commits one refusal inspects for the next that can be undone.
  private static let mostInspected = 100

  static func known(to services: Services) -> RefusedUndos {
    services.memory.object(RefusedUndos.self) { RefusedUndos() }
  }

  /// Whether this client was refused the commit before, and the reason still holds.
  func contains(_ commit: Int64, in transaction: Transaction) throws -> Bool {
    guard let refusal = refusals.withLock({ $0[Self.key(commit, transaction)] }),
      refusal.request !== transaction.request
    else { return false }
    return try transaction.revision(of: refusal.item) == refusal.revision
  }

  /// Remembers a refusal. Returns the error with the commit that the client's next undo reverts, if there is one.
  ///
  /// - Parameter newest: searches the client's commits, newest first, for one that fulfils the condition.
  func refuse(
    _ commit: Int64, with error: RPCError, in transaction: Transaction,
    newest: ((Int64) throws -> Bool) throws -> Int64?
  ) throws -> RPCError {
    guard try remember(commit, refusedWith: error, in: transaction) else { return error }
    var inspected = 0
    let next = try newest { other in
      if try other == commit || contains(other, in: transaction) { return false }
      inspected += 1
      guard inspected < Self.mostInspected, let item = try transaction.firstMovedOn(since: other) else { return true }
      remember(other, item, at: try transaction.revision(of: item), transaction)
      return false
    }
    var error = error
    error.data["commit"] = .integer(commit)
    guard let next else { return error }
    error.data["next"] = .integer(next)
    error.text = Text("changes.goesOn", ["next": String(next)]).saying(error.text, at: "refusal")
    return error
  }

  /// False for an error that names no item.
  @discardableResult
  func remember(_ commit: Int64, refusedWith error: RPCError, in transaction: Transaction) throws -> Bool {
    guard let collection = error.data["collection"]?.stringValue, let id = error.data["id"]?.stringValue else {
      return false
    }
    let item = ItemKey(collection: collection, id: id)
    remember(commit, item, at: try transaction.revision(of: item), transaction)
    return true
  }

  /// Remembers that this item, which has this revision now or was removed, prevents the undo of the commit.
  func remember(_ commit: Int64, _ item: ItemKey, at revision: Int64?, _ transaction: Transaction) {
    if transaction.isDryRun { return }
    let refusal = Refusal(item: item, revision: revision, request: transaction.request)
    refusals.withLock {
      if $0.count >= Self.most { $0 = [:] }
      $0[Self.key(commit, transaction)] = refusal
    }
  }

  private static func key(_ commit: Int64, _ transaction: Transaction) -> Key {
    let caller = transaction.caller
    return Key(
      client: caller.clientName.isEmpty ? "connection \(caller.connectionID)" : "name \(caller.clientName)",
      commit: commit)
  }
}
