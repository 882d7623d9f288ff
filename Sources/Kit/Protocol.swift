import Contract
import Display
import Wire

/// The protocol as a whole, derived from the features.
package enum Protocol {
  package static func reference(of features: [Feature], catalogue: Catalogue) -> Reference {
    Reference(
      methods: features.flatMap { $0.routes.map(\.description) },
      notifications: features.flatMap { feature in
        feature.notifications.map { $0() } + feature.handlers.map { $0.description() }
      },
      errors: ErrorKind.allCases.map { kind in
        let text = Text("error.\(kind.rawValue)")
        let advice = catalogue.advice(on: text, language: .english).map { " " + $0 } ?? ""
        return ErrorDescription(
          name: kind.rawValue, meaning: catalogue.string(for: text, language: .english) + advice,
          data: kind.dataMembers, retry: kind.retry)
      },
      promises: promises, items: features.flatMap { $0.collections.map(\.description) })
  }

  /// The guarantees on which clients may rely. Each has a test that fails without it.
  package static let promises = [
    """
    A client's messages *start* in the order sent; replies may come in any order; every request is answered exactly \
    once. A batch starts its members in order, without a transaction, and gets one array reply when all are answered. \
    A second request with an id still in use is refused (−32600).
    """,
    """
    A read sees every earlier write of the same client, and exactly one state of the library, whose `clock` is in the \
    reply.
    """,
    """
    Writes of all clients happen one at a time. Clock N+1 follows N. The clock and the change rows commit in the same \
    transaction as the data.
    """,
    """
    A reply to a write means that the data is on disk: the WAL is synced, and a blob's file and folder are synced \
    before its row. Waiting writes, of one client or of many, share one sync.
    """,
    """
    Change notifications arrive in clock order. A reply with clock N is written after every notification up to N, to \
    the writer as to everyone. So "reply received" means "caught up to N", and `session/sync` is an exact barrier.
    """,
    """
    A notification has `{epoch, since, clock, changes}`; `since` is the previous notification's clock, so that a gap \
    can be detected. It lists collection, id, kind, revision and changed field names, not records. Commits may be \
    merged: added+updated becomes added, added+removed is omitted, removed+added becomes updated.
    """,
    """
    A client that fell behind gets `reset` (all, or the collections to refetch), and so does every client after a \
    change of more than 1,000 items. `changes/since` returns the same after a reconnect, and always if the `epoch` \
    differs (a restored or copied library) or the clock is in the future. A slow client costs the daemon a cursor and \
    at most 4 MiB of unsent replies, and never slows another.
    """,
    """
    A cancelled read or fetch is answered at once (−32800). A write that has not begun is answered −32800 and never \
    runs; one that has begun is answered with its result.
    """,
    """
    A write may carry `ifRevision`. If the item has another revision, nothing is written and the error has the current \
    item. Compare revisions for equality only.
    """,
    """
    A commit of a user's write method can be undone, and the undo is itself a commit. `changes/undo {}` undoes the \
    newest undoable commit of this connection (else of its client name), never another client's. If an item has \
    changed since, the error is `conflict` and nothing is written (`force` restores it anyway); the next \
    `changes/undo {}` continues with the commit in the error's `next`. Undoing a removal restores the same ids, \
    everything removed along with it, and the blob. Reading positions, history and fetched data cannot be undone, and \
    their methods state so.
    """,
    """
    A failure is the reply to its own request: a code, a stable `kind`, a sentence in the client's language, and what \
    to do. Nothing is half-written. An empty result is never a disguised error, and a truncated text never passes for \
    a whole one.
    """,
  ]
}
