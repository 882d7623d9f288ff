import Contract
import Display
import HTTP
import Kit
import Link
import PDF
import Store

/// The settings and dependencies of a daemon.
package struct DaemonSettings: Sendable {
  package var folder: LibraryFolder
  /// A folder outside the library: the device's id and the last clocks.
  package var stateFolder: String
  package var caches: String
  package var features: [Feature]
  package var http: HTTPConfiguration
  package var workers: WorkerConfiguration
  /// The locale settings of clients that send none.
  package var reader: Reader
  package var now: @Sendable () -> Instant
  package var newID: @Sendable () -> String
  package var log: Log
  /// Waits before work that may turn out to be unnecessary; returns early when the task is cancelled. Tests replace
  /// it.
  package var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
  /// The network settings of config.toml if they have changed since the last call; called before each fetch.
  package var changedHTTP: @Sendable () -> HTTPConfiguration? = { nil }
  /// The secrets of config.toml.
  package var credentials = Credentials.none
  /// The state of config.toml, for reports.
  package var configuration: @Sendable () -> ConfigurationState? = { nil }
  /// The settings of features in config.toml.
  package var configured: @Sendable () -> FeatureSettings = { FeatureSettings() }
  /// The newest lines of the log that are warnings or errors.
  package var lastErrors: @Sendable () -> [String] = { [] }
  /// The number of threads, one per core.
  package var loops = 2
  /// A longer read is interrupted and gets the error `timedOut`.
  package var readDeadline: Duration = .seconds(30)
  /// The thresholds of the WAL checkpointer.
  package var logLimits = WALLimits()
  /// How many changes are stored in memory for lagging clients.
  package var feedCapacity = ChangeFeed.usualCapacity
  /// Minutes after midnight at which the library's day begins.
  package var dayStartsAt = 0
  /// How often the day is checked, in addition to the known moments of change: a computer may sleep, and its clock
  /// may be set.
  package var dayCheck: Duration = .seconds(30)
  /// How long a client with pending output may accept no byte.
  package var stallLimit: Duration? = .seconds(30)
  /// How long a client that has begun a message may send no byte of it.
  package var frameLimit: Duration? = .seconds(30)
  /// How long a daemon started by a bridge may be without clients before it exits; nil for one started by the user.
  package var idleLimit: Duration?

  /// The messages for clients.
  package var catalogue = Catalogue()

  package init(
    folder: LibraryFolder, stateFolder: String, caches: String, features: [Feature], http: HTTPConfiguration,
    workers: WorkerConfiguration, reader: Reader, now: @escaping @Sendable () -> Instant,
    newID: @escaping @Sendable () -> String, log: Log
  ) {
    self.folder = folder
    self.stateFolder = stateFolder
    self.caches = caches
    self.features = features
    self.http = http
    self.workers = workers
    self.reader = reader
    self.now = now
    self.newID = newID
    self.log = log
  }
}
