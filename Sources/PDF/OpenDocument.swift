/// A document with requests, or with a worker that has it open. The pool's thread alone knows it.
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
  /// First in, first out.
  var waiting: [Pending] = []
  var worker: Worker?

  init(_ identity: Identity) {
    self.identity = identity
  }
}

/// A job whose answer is outstanding.
struct Pending {
  let number: UInt64
  let job: Job
  let answer: Answer
  /// When it is answered `busy` if it still waits.
  let deadline: ContinuousClock.Instant
}
