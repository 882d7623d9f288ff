import CSandbox

// The end of workers, by themselves or by the loop. Confined to the loop's thread.

extension PoolLoop {
  /// Kills a worker whose request, if any, already has a reply. The process is reaped when the kernel reports its end.
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

    // The loop did not end it: it crashed.
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

  /// Removes the worker from its document, which other workers serve from now on.
  func leave(_ worker: Worker) {
    guard case .serving(let document) = worker.phase else { return }
    document.workers.removeAll { $0 === worker }
  }

  /// Sends the failure for the worker's current request, and counts it against the document if somebody waited for it.
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

  /// Whether stderr reports a lack of memory: poppler, GLib and the C++ library have different messages for it before
  /// they abort.
  static func saysOutOfMemory(_ words: String) -> Bool {
    ["Out of memory", "bad_alloc", "failed to allocate"].contains { words.contains($0) }
  }
}
