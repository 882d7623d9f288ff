import Contract
import Wire

/// A run has begun or ended.
enum DidChangeSync: Notification {
  static let name = "sync/didChange"
  static let summary =
    "A run of the exchange with other devices has begun or ended. Sent to every client that is notified of commits; what "
    + "was received is in `changes/didCommit`, new conflicts too."
  static let since = 1
  static let direction = Direction.toClient

  struct Params: Payload, Equatable {
    var state: SyncState
    static let example = Params(state: .running)
    static let fields = ["state": "`running`, then `idle` or `failed`: `sync/status` has the problem."]
  }
}
