import Contract
import Display
import Wire

/// The protocol as a whole, derived from the features.
package enum Protocol {
  package static func reference(of features: [Feature], catalogue: Catalogue) -> Reference {
    Reference(
      methods: features.flatMap { $0.routes.map(\.description) },
      notifications: features.flatMap { $0.notifications.map { $0() } },
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
    once. A batch is its members in order, no transaction, one array reply when all have answered. An id still in use \
    is refused (−32600) for the second request.
    """,
    """
    A read sees every write the same client sent before it, and exactly one state of the library, whose `clock` is in \
    the reply.
    """,
    """
    Writes of all clients happen one at a time. Clock N+1 follows N. The clock and the change rows commit in the same \
    transaction as the data.
    """,
    """
    A reply to a write means the data is on disk: the WAL was synced, and a blob's file and folder before its row. \
    Writes that wait together, of one client or of many, share one sync.
    """,
    """
    Change notifications arrive in clock order. A reply that carries clock N is written after every notification up to \
    N, to the writer as to everyone. So "reply received" means "caught up to N", and `session/sync` is an exact barrier.
    """,
    """
    A notification says `{epoch, since, clock, changes}`; `since` is the clock of the one before, so a gap can be seen. \
    It lists collection, id, kind, revision and changed field names, not records. Commits may be merged: added+updated \
    is added, added+removed is left out, removed+added is updated.
    """,
    """
    A client that fell behind, and any change of more than 1,000 items, gets `reset` (all, or the collections to \
    refetch). `changes/since` answers the same way after a reconnect, and always when the `epoch` differs (a restored \
    or copied library) or the clock lies in the future. A slow client costs the daemon a cursor and at most 4 MiB of \
    unsent replies, and never slows another.
    """,
    """
    Cancelling a read or a fetch answers at once (−32800). A write not yet begun is answered −32800 and never runs; one \
    that has begun is answered with what happened.
    """,
    """
    A write may carry `ifRevision`. If the item has moved on, nothing is written and the error carries the current \
    item. Revisions are compared for equality only.
    """,
    """
    What a user's write method committed can be undone, and the undo is itself a commit. `changes/undo {}` takes back \
    the newest undoable commit of this connection (else of its client name), never another client's; an item that has \
    moved on since is a `conflict` and nothing is written (`force` restores it all the same); the next \
    `changes/undo {}` goes on to the commit that the error's `next` names. Undo of a removal brings back the same ids, what was removed along, and the blob. Reading positions, history and fetched data are not \
    undoable and say so.
    """,
    """
    A failure is the reply to its own request: a code, a stable `kind`, a sentence for people in the client's language, \
    and what to do. Nothing is half-written. An empty result is never a disguised error, a cut-off text never a whole one.
    """,
  ]
}
