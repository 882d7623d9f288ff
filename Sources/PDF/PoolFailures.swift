// The record of workers that failed. Confined to the loop's thread.

extension PoolLoop {
  /// Waiting requests for the same attempt get their replies too, so that they cost no further worker.
  func strike(_ attempt: Attempt) {
    guard strikes.add(attempt, at: .now) else { return }
    log("\(attempt.logged) has cost three PDF readers and is left alone for ten minutes")
    for document in documents.values where document.identity.key == attempt.key {
      document.waiting.removeAll { pending in
        guard let marked = marked(pending.job) else { return false }
        respond(to: pending, .failure(marked))
        return true
      }
    }
  }

  /// Why a job is not given to any worker, if its attempt has cost three of them.
  func marked(_ job: Job) -> WorkerFailure? {
    for attempt in [Attempt.opening(job.source.key), Attempt(job)] {
      guard let rest = strikes.rest(of: attempt, at: .now) else { continue }
      return .markedDangerous(attempt.part, retryAfter: Int(rest.components.seconds) + 1)
    }
    return nil
  }

  /// Counts a failure of a worker and logs it.
  ///
  /// - Parameter attempt: nil if the worker was idle.
  func note(_ failure: WorkerFailure, of attempt: Attempt?) {
    let reason: String
    switch failure {
    case .timedOut:
      status.timeouts += 1
      reason = "took longer than \(configuration.timeout)"
    case .outOfMemory:
      status.outOfMemory += 1
      reason = "needed more than \(configuration.memory) MiB"
    case .badReply(let what):
      status.badReplies += 1
      reason = "was answered as no honest PDF reader answers: \(what)"
    case .crashed(let signal):
      status.crashes += 1
      let end = signal == 0 ? "ended" : "crashed (signal \(signal))"
      guard attempt != nil else { return log("a PDF reader that had no document \(end)") }
      reason = "failed: its PDF reader \(end)"
    default:
      return
    }
    log("\(attempt?.logged ?? "what nobody asked for") \(reason)")
  }
}
