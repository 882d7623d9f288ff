import Contract
import Display
import Store
import Wire

/// A connection as control methods see it, implemented by the daemon's peer. Only used on the connection's event loop.
package protocol Session: AnyObject {
  var reader: Reader { get set }
  var clientName: String { get set }
  var services: Services { get }
  /// The client as features see it, with its present settings.
  var caller: FeatureCaller { get }
  /// `initialize` is accepted only once.
  var isInitialized: Bool { get set }
  /// Refuses every further request, after `shutdown`.
  func beginShutdown()
  /// Sets the changes of which this client is notified, from the returned clock on; notifications are sent once it is
  /// initialized.
  func follow(_ filter: ChangeFilter) -> Int64
  func unfollow()
  /// Allows notifications of changes to be sent.
  func beginTelling()
  var trace: TraceValue { get set }
  /// Applies to the requests that start from now on.
  var confinement: FileConfinement? { get set }
}

/// The changes of which a client is notified.
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

/// The level of messages about a client's own requests, as in LSP.
package enum TraceValue: String, Sendable {
  case off, messages, verbose

  /// Values that LSP does not define mean `off`.
  package init(_ text: String?) {
    self = text.flatMap(TraceValue.init(rawValue:)) ?? .off
  }
}
