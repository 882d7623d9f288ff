import Contract
import Wire

/// A run has begun or ended, or the schedule was changed.
enum DidChangeSync: Notification {
  static let name = "sync/didChange"
  static let summary =
    "A run of the exchange with other devices has begun or ended, or was paused, resumed or left. Sent to every client that "
    + "is notified of commits, at most once a second: of several changes the last one. What was received is in "
    + "`changes/didCommit`, new conflicts too."
  static let direction = Direction.toClient

  struct Params: Payload, Equatable {
    var state: SyncState
    var conflicts: Int?
    static let example = Params(state: .idle, conflicts: 1)
    static let fields = [
      "state": "`running`, then `idle`, or what has ended the run: `sync/status` has the problem.",
      "conflicts": "The number of conflicts between devices; absent when a run begins, and when the library is left.",
    ]
  }
}
