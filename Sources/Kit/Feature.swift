import Contract
import Store
import Wire

/// The parts of the daemon that one folder of features provides. Other features and the daemon use the feature only
/// through this value.
package struct Feature: Sendable {
  /// The part of its methods' names before the slash, which is the name of its folder.
  package var name: String
  package var routes: [Route]
  /// Created on demand, like the descriptions of the routes.
  package var notifications: [@Sendable () -> NotificationDescription]
  /// The clients' notifications that it handles.
  package var handlers: [NotificationHandler]
  package var migrations: [Migration] { deferredMigrations.value }
  package var collections: [ItemCollection] {
    get { deferredCollections.value }
    set { deferredCollections = Deferred { newValue } }
  }
  /// Its items of a day, for `diary/day`: each item with an event on that day, up to the limit.
  package var day: DaySource?
  /// How `search/query` searches its collections and shows their hits.
  package var searches: [SearchSource] { deferredSearches.value }
  /// Creates queries for single texts of any collection; only the feature with the language of queries has it.
  package var itemQuery: ItemQuery.Compiler?
  /// The texts that it makes from its items.
  package var texts: [any LibraryTextForm]
  /// Imports a file that another device has added into the library. False if no item of the feature refers to it; then the
  /// file stays where it is.
  package var fileImporter: FileImporter?
  /// The files without items that the feature needs, such as for an unsaved text. Neither the daemon nor the user
  /// removes them.
  package var neededFiles: RetainedFiles?
  /// The files without items that the feature retains because other devices may show them. The daemon does not remove
  /// them, the user may.
  package var retainedFiles: RetainedFiles?
  /// Work that needs the open library, such as resuming work of a killed daemon. It starts after the first reply could
  /// be sent.
  package var start: (@Sendable (Services) async -> Void)?
  /// Deletes data that must not outlive the daemon, such as pictures in memory-backed storage. Called once, after all
  /// clients have disconnected and the workers have ended; it must be quick.
  package var stop: (@Sendable (Services) -> Void)?
  /// The notifications for a client after `session/didChangeDay`, when the library's day has changed since the last
  /// check: after midnight, or after a sleep of several days. It runs on the client's loop, so it reads a few rows by
  /// an index.
  package var dayTurned: DayTurned?
  /// The notifications for a client that is notified from now on. It runs on the client's loop, as `dayTurned` does.
  package var clientStarted: (@Sendable (_ snapshot: Snapshot) throws -> [Notice])?

  /// The members that it adds to LSP's server capabilities, for a client with these params of `initialize`. Runs on the
  /// connection's loop.
  package var negotiate: Negotiate?
  /// Called when a client has disconnected, with its connection: deletes what was retained for it. Must be quick.
  package var clientLeft: (@Sendable (_ connectionID: String, Services) -> Void)?

  /// Its current background jobs, for `session/status`. Must be quick.
  package var jobs: (@Sendable (Memory) -> [StatusReport.Job])?

  // A command that sends one request needs none of these, and they take longer than the request.
  private let deferredMigrations: Deferred<[Migration]>
  private var deferredCollections: Deferred<[ItemCollection]>
  private let deferredSearches: Deferred<[SearchSource]>

  package typealias DayTurned =
    @Sendable (_ old: CalendarDay, _ new: CalendarDay, _ snapshot: Snapshot) throws -> [Notice]

  package typealias Negotiate = @Sendable (_ client: JSONValue, _ session: any Session) -> JSONObject

  package init(
    name: String, routes: [Route] = [], notifications: [@Sendable () -> NotificationDescription] = [],
    handlers: [NotificationHandler] = [],
    migrations: @autoclosure @escaping @Sendable () -> [Migration] = [],
    collections: @autoclosure @escaping @Sendable () -> [ItemCollection] = [],
    day: DaySource? = nil, searches: @autoclosure @escaping @Sendable () -> [SearchSource] = [],
    itemQuery: ItemQuery.Compiler? = nil, texts: [any LibraryTextForm] = [],
    fileImporter: FileImporter? = nil, neededFiles: RetainedFiles? = nil, retainedFiles: RetainedFiles? = nil,
    start: (@Sendable (Services) async -> Void)? = nil, stop: (@Sendable (Services) -> Void)? = nil,
    dayTurned: DayTurned? = nil, clientStarted: (@Sendable (_ snapshot: Snapshot) throws -> [Notice])? = nil,
    negotiate: Negotiate? = nil,
    clientLeft: (@Sendable (_ connectionID: String, Services) -> Void)? = nil,
    jobs: (@Sendable (Memory) -> [StatusReport.Job])? = nil
  ) {
    self.name = name
    self.routes = routes
    self.notifications = notifications
    self.handlers = handlers
    deferredMigrations = Deferred(migrations)
    deferredCollections = Deferred(collections)
    deferredSearches = Deferred(searches)
    self.day = day
    self.itemQuery = itemQuery
    self.texts = texts
    self.fileImporter = fileImporter
    self.neededFiles = neededFiles
    self.retainedFiles = retainedFiles
    self.start = start
    self.stop = stop
    self.dayTurned = dayTurned
    self.clientStarted = clientStarted
    self.negotiate = negotiate
    self.clientLeft = clientLeft
    self.jobs = jobs
  }
}
