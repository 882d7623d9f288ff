/// A document with requests, or with workers that have it open. Confined to the pool's thread.
final class OpenDocument {
  /// The identity of a worker's document: the bytes as decrypted by one password.
  struct Identity: Hashable {
    let key: String
    let password: String?

    init(_ source: DocumentSource) {
      key = source.key
      password = source.password
    }
  }

  let identity: Identity
  /// In order of arrival; see ``first(of:)``.
  var waiting: [Pending] = []
  /// One for requests that somebody waits for, and another while its text is extracted.
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

/// A job whose reply is outstanding.
struct Pending {
  let number: UInt64
  let job: Job
  let answer: Answer
  /// The time after which it fails with `busy` if it still waits.
  var deadline: ContinuousClock.Instant
}
