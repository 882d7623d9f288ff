import Contract
import Store

/// What one folder of features brings to the daemon. Other features and the daemon meet it only through this row.
package struct Feature: Sendable {
  /// The part of its methods' names before the slash, which is the name of its folder.
  package var name: String
  package var routes: [Route]
  /// Made only when asked for, as the descriptions of the routes are.
  package var notifications: [@Sendable () -> NotificationDescription]
  package var migrations: [Migration]
  package var collections: [ItemCollection]
  /// What it has of a day, for `diary/day`: each item that something happened to, at most as many as are asked for.
  package var day: DaySource?
  /// How hits in its collections are asked for and shown by `search/query`.
  package var searches: [SearchSource]
  /// Work that waits for the library to be open, such as taking up what a killed daemon left half done. It starts
  /// after the first reply could be given.
  package var start: (@Sendable (Services) async -> Void)?
  /// What must not outlive the daemon, such as pictures in memory-backed storage. Called once, when all clients have
  /// gone and the workers have ended; it must be quick.
  package var stop: (@Sendable (Services) -> Void)?
  /// What a client is told behind `session/didChangeDay` when the library's day is another than when it was last looked
  /// at: after midnight, after a sleep of several days. It runs on the client's loop, so it reads a few rows by an index.
  package var dayTurned: DayTurned?

  /// What it does by itself at the moment, for `session/status`. Must be quick.
  package var jobs: (@Sendable (Memory) -> [StatusReport.Job])?

  package typealias DayTurned =
    @Sendable (_ old: CalendarDay, _ new: CalendarDay, _ snapshot: Snapshot) throws -> [Notice]

  package typealias DaySource = @Sendable (DayQuery, Snapshot) throws -> [DayItem]

  package init(
    name: String, routes: [Route] = [], notifications: [@Sendable () -> NotificationDescription] = [],
    migrations: [Migration] = [],
    collections: [ItemCollection] = [],
    day: DaySource? = nil, searches: [SearchSource] = [],
    start: (@Sendable (Services) async -> Void)? = nil, stop: (@Sendable (Services) -> Void)? = nil,
    dayTurned: DayTurned? = nil, jobs: (@Sendable (Memory) -> [StatusReport.Job])? = nil
  ) {
    self.name = name
    self.routes = routes
    self.notifications = notifications
    self.migrations = migrations
    self.collections = collections
    self.day = day
    self.searches = searches
    self.start = start
    self.stop = stop
    self.dayTurned = dayTurned
    self.jobs = jobs
  }
}
