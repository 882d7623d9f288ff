import Contract
import Display
import HTTP
import Kit
import Link
import PDF
import Store

extension Daemon {
  /// What a daemon is given: where, for whom, and the world it lives in.
  package struct Settings: Sendable {
    package var folder: LibraryFolder
    /// Outside the library: the device's id and the last clocks.
    package var stateFolder: String
    package var caches: String
    package var features: [Feature]
    package var http: HTTPConfiguration
    package var workers: WorkerConfiguration
    /// How clients read that do not say.
    package var reader: Reader
    package var now: @Sendable () -> Instant
    package var newID: @Sendable () -> String
    package var log: Log
    /// Waits before work that may turn out not to be wanted; ends early when the task is cancelled. Tests put a gate here.
    package var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    /// The network's part of config.toml if it has changed since this was last called; asked before each fetch.
    package var changedHTTP: @Sendable () -> HTTPConfiguration? = { nil }
    /// The secrets of config.toml.
    package var credentials = Credentials.none
    /// How config.toml is, for who asks what holds.
    package var configuration: @Sendable () -> ConfigurationState? = { nil }
    /// What config.toml states for features.
    package var configured: @Sendable () -> FeatureSettings = { FeatureSettings() }
    /// The newest lines of the log that are warnings or errors.
    package var lastErrors: @Sendable () -> [String] = { [] }
    /// One thread a core.
    package var loops = 2
    /// A read that takes longer is stopped and answered `timedOut`.
    package var readDeadline: Duration = .seconds(30)
    /// When the write-ahead log is looked after.
    package var logLimits = LogLimits()
    /// How many changes are kept in memory for clients that lag.
    package var feedCapacity = ChangeFeed.usualCapacity
    /// Minutes after midnight at which the library's day begins.
    package var dayStartsAt = 0
    /// How often the day is looked at, beside the moments at which it is known to turn: a computer sleeps, and its clock
    /// is set.
    package var dayCheck: Duration = .seconds(30)
    /// How long a client may take no byte of what it is owed.
    package var stallLimit: Duration? = .seconds(30)
    /// How long a client that has begun a message may send nothing of it.
    package var frameLimit: Duration? = .seconds(30)
    /// An owner that a bridge started ends when nobody was there for this long; nil for one that a person started.
    package var idleLimit: Duration?

    /// The sentences that clients get.
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
}
