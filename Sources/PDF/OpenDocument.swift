/// A document with requests, or with workers that have it open. The pool's thread alone knows it.
final class OpenDocument {
  /// What one worker serves: the bytes as one password shows them.
  struct Identity: Hashable {
    let key: String
    let password: String?

    init(_ source: DocumentSource) {
      key = source.key
      password = source.password
    }
  }

  let identity: Identity
  /// In the order in which they came; see ``first(of:)``.
  var waiting: [Pending] = []
  /// One for who reads it, and another while its text is taken out.
  var workers: [Worker] = []

  init(_ identity: Identity) {
    self.identity = identity
  }

  /// The next request of this rank: first in, first out.
  func first(of rank: Urgency.Rank) -> Pending? {
    waiting.first { $0.job.rank == rank }
  }

  func remove(_ pending: Pending) {
    waiting.removeAll { $0.number == pending.number }
  }

  var idleWorker: Worker? {
    workers.first { $0.isServing && $0.activity.pending == nil }
  }
}

/// A job whose answer is outstanding.
struct Pending {
  let number: UInt64
  let job: Job
  let answer: Answer
  /// When it is answered `busy` if it still waits.
  var deadline: ContinuousClock.Instant
}
