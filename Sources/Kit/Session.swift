import Contract
import Display
import Store
import Wire

/// A connection as control methods see it; the daemon's peer is one. Only touched on the connection's event loop.
package protocol Session: AnyObject {
  var reader: Reader { get set }
  var clientName: String { get set }
  var services: Services { get }
  /// `initialize` may come once.
  var isInitialized: Bool { get set }
  /// After `shutdown` every further request is refused.
  func beginShutdown()
  /// Which changes this client is told of, from the clock that it answers; they are told once it is initialized.
  func follow(_ filter: ChangeFilter) -> Int64
  func unfollow()
  /// Notifications of changes may be sent now.
  func beginTelling()
  var trace: TraceValue { get set }
}

/// Which changes a client wants to be told of.
package struct ChangeFilter: Sendable, Equatable {
  package var collections: Set<String>?
  package var ids: Set<String>?

  package init(collections: Set<String>? = nil, ids: Set<String>? = nil) {
    self.collections = collections
    self.ids = ids
  }

  package static let everything = ChangeFilter()

  package func admits(_ change: Change) -> Bool {
    (collections?.contains(change.collection) ?? true) && (ids?.contains(change.id) ?? true)
  }

  /// A count of the library belongs to no item, so that a filter by ids leaves it out.
  package func admits(_ count: ItemCount) -> Bool {
    (collections?.contains(count.key.collection) ?? true)
      && (ids.map { ids in count.key.id.map(ids.contains) ?? false } ?? true)
  }
}

/// What a client wants to hear of its own requests, as LSP has it.
package enum TraceValue: String, Sendable {
  case off, messages, verbose

  /// What LSP does not know is `off`.
  package init(_ text: String?) {
    self = text.flatMap(TraceValue.init(rawValue:)) ?? .off
  }
}
