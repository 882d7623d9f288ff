import Synchronization

/// Answers one after the other, the last one for ever: a service that fails twice and then works.
package final class ReplySequence: Sendable {
  private let replies: [ServerReply]
  private let given = Mutex(0)

  /// At least one.
  package init(_ replies: ServerReply...) {
    self.replies = replies
  }

  /// The next answer.
  package func next() -> ServerReply {
    given.withLock { given in
      defer { given += 1 }
      return replies[min(given, replies.count - 1)]
    }
  }
}
