import Contract
import Display
import HTTP
import PDF
import Store
import Wire

/// What the daemon offers to the features: the world, given from outside, so that tests can give another.
package final class Services: Sendable {
  package let now: @Sendable () -> Instant
  package let newID: @Sendable () -> String
  /// Waits; ends early when the task is cancelled.
  package let pause: @Sendable (Duration) async -> Void
  package let catalogue: Catalogue
  /// Dates for people; ICU is loaded with the first one.
  package let dates: DateWriter
  /// The library's own day.
  package let days: DayClock
  package let folder: LibraryFolder
  package let blobs: Blobs
  /// Pictures and other files that can be made again, `$XDG_CACHE_HOME/commonplace`.
  package let caches: String
  package let http: HTTPClient
  /// Pictures of the network, for as long as their service allows.
  package let httpCache: HTTPCache
  package let credentials: Credentials
  /// How config.toml is; nil where the daemon was started without one in mind.
  package let configuration: @Sendable () -> ConfigurationState?
  /// What config.toml states for features now.
  package let settings: @Sendable () -> FeatureSettings
  package let workers: WorkerPool
  package let library: any LibraryServices
  /// What features keep in memory for as long as the daemon runs.
  package let memory: Memory
  package let log: Log

  package init(
    now: @escaping @Sendable () -> Instant, newID: @escaping @Sendable () -> String,
    pause: @escaping @Sendable (Duration) async -> Void, catalogue: Catalogue,
    dates: DateWriter, days: DayClock,
    folder: LibraryFolder, blobs: Blobs, caches: String, http: HTTPClient, httpCache: HTTPCache,
    credentials: Credentials, configuration: @escaping @Sendable () -> ConfigurationState?,
    settings: @escaping @Sendable () -> FeatureSettings, workers: WorkerPool,
    library: any LibraryServices, memory: Memory,
    log: Log
  ) {
    self.now = now
    self.newID = newID
    self.pause = pause
    self.catalogue = catalogue
    self.dates = dates
    self.days = days
    self.folder = folder
    self.blobs = blobs
    self.caches = caches
    self.http = http
    self.httpCache = httpCache
    self.credentials = credentials
    self.configuration = configuration
    self.settings = settings
    self.workers = workers
    self.library = library
    self.memory = memory
    self.log = log
  }
}

/// What features ask of the running daemon itself.
package protocol LibraryServices: Sendable {
  /// The whole protocol, for `rpc.discover`.
  var reference: Reference { get }
  var identity: LibraryIdentity { get }
  /// The names of all collections.
  var collections: [String] { get }
  /// What a feature declares of a collection; nil for one that does not exist.
  func collection(_ name: String) -> ItemCollection?
  /// What a commit was about; nil where that is not known any more.
  func subject(of commit: Int64, known: inout CommitSubject.Known, in snapshot: Snapshot) throws -> CommitSubject?
  /// What links have to do with a collection; nil where that is nothing.
  func links(of collection: String) -> CollectionLinks?
  /// What every feature has of a day.
  var daySources: [Feature.DaySource] { get }
  /// Every collection that can be searched.
  var searchSources: [SearchSource] { get }
  /// Whether a client is still there: what was handed to it must stay.
  func isConnected(_ connectionID: String) -> Bool
  /// What `session/status` tells, in the words of a reader.
  func status(for reader: Reader) async -> StatusReport
  /// A copy that was opened, checked, and counted before it is called good.
  func backUp(to path: String, progress: @escaping @Sendable (Int) throws -> Void) throws -> BackupReport
  func check(_ options: CheckOptions, progress: @Sendable (Int) throws -> Void) throws -> CheckReport
  /// What the library holds, as one file that any program can read.
  func export(to path: String, progress: @escaping @Sendable (Int) throws -> Void) throws -> ArchiveReport
  /// Reads such a file and takes its blobs over; a write then puts it in.
  func readArchive(at path: String, progress: @Sendable (Int) throws -> Void) throws -> Archive
  /// Tells every client that is told of commits.
  func tell(_ notice: Notice)
  /// Calls `wake` after every group of commits, on the writer's thread: it must only hand on.
  func follow(_ wake: @escaping @Sendable () -> Void)
  /// Queues a write of the daemon's own for which nobody waits. What is queued when the daemon ends is still written.
  func post(
    as caller: any Caller, label: String, _ body: @escaping @Sendable (Transaction) throws -> Void,
    then end: @escaping @Sendable ((any Error)?) -> Void)
  /// Runs a write of the daemon's own, such as one that follows a finished download.
  func write(
    as caller: any Caller, label: String, _ body: @escaping @Sendable (Transaction) throws -> Void) async throws
  func read<Result: Sendable>(
    as caller: any Caller, _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result
}

extension Services {
  /// A folder of this library for one kind of cache; several libraries may share the caches. It has the name of a hash,
  /// since its contents are removed, and somebody else may have chosen the library's id.
  package func cacheFolder(_ kind: String) -> String {
    "\(caches)/\(kind)/\(Blobs.hash(of: Array(library.identity.id.utf8)).prefix(32))"
  }
}
