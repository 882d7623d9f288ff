import Contract
import Wire

enum SyncState: String, Choice {
  case off, idle, running, waiting, paused, needsCode, needsUpgrade, failed

  /// - Parameter problem: of the last run; nil if it has ended well.
  init(after problem: RPCError?) {
    self =
      if problem == nil {
        .idle
      } else if problem == SyncProblem.needsCode {
        .needsCode
      } else if problem == SyncProblem.needsUpgrade {
        .needsUpgrade
      } else {
        // A state and no error: a machine is often without a network.
        problem?.kind == .unreachable ? .waiting : .failed
      }
  }
}
