import CSandbox

// How the loop's workers end, by themselves or by the loop. On its thread only, as all of it.

extension PoolLoop {
  /// Kills a worker whose request, if any, has been answered. It is collected when the kernel says it has ended.
  func end(_ worker: Worker) {
    leave(worker)
    worker.phase = .ending
    worker.activity = .idle
    worker.deadline = nil
    worker.kill()
  }

  func collect(_ worker: Worker) {
    var waitStatus: Int32 = 0
    guard process_collect(worker.pid, &waitStatus) != 0 else { return }
    workers.removeAll { $0 === worker }
    guard !worker.isEnding else { return }

    // Nobody ended it: it crashed.
    worker.listen()
    status.lastWords = worker.lastWords
    let signal = waitStatus & 0x7f
    let failure: WorkerFailure = Self.saysOutOfMemory(worker.lastWords) ? .outOfMemory : .crashed(signal: signal)
    note(failure, of: worker.attempt)
    if worker.isStarting {
      failedStarts += 1
      if failedStarts >= Self.mostFailedStarts {
        cannotStart(.unavailable("commonplace-pdf: SIG\(signal): \(worker.lastWords)"))
      }
    } else {
      fail(worker, failure)
      leave(worker)
    }
  }

  /// Its document is served by others from now on.
  func leave(_ worker: Worker) {
    guard case .serving(let document) = worker.phase else { return }
    document.workers.removeAll { $0 === worker }
  }

  /// Answers what the worker was doing, and holds it against the document if somebody asked for it.
  func fail(_ worker: Worker, _ failure: WorkerFailure) {
    guard let pending = worker.activity.pending else { return }
    if pending.job.rank != .ahead, let attempt = worker.attempt {
      strike(attempt)
    }
    if !worker.isAbandoned {
      respond(to: pending, .failure(failure))
    }
    worker.activity = .idle
  }

  /// poppler, GLib and the C++ library each say it in their own words before they abort.
  static func saysOutOfMemory(_ words: String) -> Bool {
    ["Out of memory", "bad_alloc", "failed to allocate"].contains { words.contains($0) }
  }
}
