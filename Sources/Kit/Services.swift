import Contract
import Display
import HTTP
import PDF
import Store
import Synchronization
import Wire

/// The environment of the features, passed in by the daemon, so that tests can replace it.
package final class Services: Sendable {
  package let now: @Sendable () -> Instant
  package let newID: @Sendable () -> String
  /// Waits; returns early when the task is cancelled.
  package let pause: @Sendable (Duration) async -> Void
  package let catalogue: Catalogue
  /// Formats dates for users; ICU is loaded on first use.
  package let dates: DateWriter
  /// The library's own day boundaries.
  package let days: DayClock
  package let folder: LibraryFolder
  package let blobs: Blobs
  /// Pictures and other files that can be generated again, `$XDG_CACHE_HOME/commonplace`.
  package let caches: String
  /// Files that outlive the daemon and can be made again from the library, `$XDG_STATE_HOME/commonplace`.
  package let stateFolder: String
  package let http: HTTPClient
  /// Pictures from the network, for as long as their service allows.
  package let httpCache: HTTPCache
  package let credentials: Credentials
  /// The state of config.toml; nil if the daemon was started without one.
  package let configuration: @Sendable () -> ConfigurationState?
  /// The present settings of features in config.toml.
  package let settings: @Sendable () -> FeatureSettings
  package let workers: WorkerPool
  package let library: any LibraryServices
  /// The features' in-memory state for the life of the daemon.
  package let memory: Memory
  package let log: Log

  package init(
    now: @escaping @Sendable () -> Instant, newID: @escaping @Sendable () -> String,
    pause: @escaping @Sendable (Duration) async -> Void, catalogue: Catalogue,
    dates: DateWriter, days: DayClock,
    folder: LibraryFolder, blobs: Blobs, caches: String, stateFolder: String,
    http: HTTPClient, httpCache: HTTPCache,
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
    self.stateFolder = stateFolder
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

/// The services of the running daemon itself.
package protocol LibraryServices: Sendable {
  /// The whole protocol, for `rpc.discover`.
  var reference: Reference { get }
  var identity: LibraryIdentity { get }
  /// The names of all collections.
  var collections: [String] { get }
  /// A feature's declaration of a collection; nil if the collection does not exist.
  func collection(_ name: String) -> ItemCollection?
  /// The subject of a commit; nil if it is not known any more.
  ///
  /// - Throws: `StoreError.broken` or `DatabaseError`.
  func subject(of commit: Int64, known: inout CommitSubject.Known, in snapshot: Snapshot) throws -> CommitSubject?
  /// The links of a collection; nil if it does not take part in links.
  func links(of collection: String) -> CollectionLinks?
  /// The members that the features add to LSP's server capabilities, for a client with these params of `initialize`.
  func capabilities(for client: JSONValue, in session: any Session) -> JSONObject
  /// Runs a method of any feature in process, as this caller, and returns its result without `clock`. So a feature that
  /// serves texts of all collections uses the others as a client does.
  ///
  /// - Throws: the method's own errors; `methodNotFound`, also for methods that only a connection can run.
  func call(_ method: String, _ params: JSONValue, as caller: FeatureCaller) async throws -> JSONValue
  /// Sends a notification to one client; none if it has disconnected.
  func send(_ notice: Notice, to connectionID: String)
  /// Sends a request to one client and returns its result. Nil if it replied with an error or has disconnected, or if
  /// too many requests of the daemon are unanswered.
  func ask(_ method: String, _ params: JSONValue, of connectionID: String) async -> JSONValue?
  /// The day sources of all features.
  var daySources: [DaySource] { get }
  /// The forms of texts of all features.
  var textForms: [any LibraryTextForm] { get }
  /// The importers of all features for files that other devices have added.
  var fileImporters: [FileImporter] { get }
  /// The files without items that features need.
  var neededFiles: [RetainedFiles] { get }
  /// `neededFiles`, and the files without items that features retain for other devices.
  var retainedFiles: [RetainedFiles] { get }
  /// All searchable collections.
  var searchSources: [SearchSource] { get }
  /// Creates queries for single texts; nil if no feature has the language of queries.
  var itemQuery: ItemQuery.Compiler? { get }
  /// Whether a client is still connected, so that data handed to it must be retained.
  func isConnected(_ connectionID: String) -> Bool
  /// The report of `session/status`, in the language of an audience.
  func status(for reader: Reader) async -> StatusReport
  /// Makes a backup: the copy is opened, checked and counted before it is reported as complete.
  ///
  /// - Throws: `BackupError`, `FileFailure`, and whatever `progress` throws.
  func backUp(
    to path: String, copyingLinked: Bool, progress: @escaping @Sendable (Int) throws -> Void
  ) throws -> BackupReport
  func check(_ options: CheckOptions, progress: @Sendable (Int) throws -> Void) throws -> CheckReport
  /// Writes the contents of the library to one file that any program can read.
  ///
  /// - Throws: `ArchiveError`, `FileFailure`, and whatever `progress` throws.
  func export(to path: String, progress: @escaping @Sendable (Int) throws -> Void) throws -> ArchiveReport
  /// Reads such a file and copies its blobs; a write then inserts its rows.
  ///
  /// - Throws: `ArchiveError.damaged` or `.newer`, `FileFailure`, and whatever `progress` throws.
  func readArchive(at path: String, progress: @Sendable (Int) throws -> Void) throws -> Archive
  /// Sends a notification to every client that follows commits.
  func notify(_ notice: Notice)
  /// Calls `wake` after every group of commits, on the writer's thread, so it must only schedule work.
  func follow(_ wake: @escaping @Sendable () -> Void)
  /// Queues a write of the daemon itself without waiting for it. Queued writes are still committed when the daemon
  /// exits.
  func post(
    as caller: any Caller, label: String, priority: WritePriority,
    _ body: @escaping @Sendable (Transaction) throws -> Void,
    then end: @escaping @Sendable ((any Error)?) -> Void)
  /// Runs a write of the daemon itself, such as one that follows a finished download.
  ///
  /// - Throws: whatever `body` throws, `RPCError` while the daemon ends, `StoreError` if it cannot be committed.
  func write(
    as caller: any Caller, label: String, priority: WritePriority,
    _ body: @escaping @Sendable (Transaction) throws -> Void) async throws
  func read<Result: Sendable>(
    as caller: any Caller, _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result
}

extension LibraryServices {
  package func post(
    as caller: any Caller, label: String, _ body: @escaping @Sendable (Transaction) throws -> Void,
    then end: @escaping @Sendable ((any Error)?) -> Void
  ) { post(as: caller, label: label, priority: .usual, body, then: end) }

  package func write(
    as caller: any Caller, label: String, _ body: @escaping @Sendable (Transaction) throws -> Void
  ) async throws { try await write(as: caller, label: label, priority: .usual, body) }

  /// Runs such a write, and returns the result of its body. A write may run twice; the result of the last run counts.
  ///
  /// - Throws: as the write without a result.
  package func write<Result: Sendable>(
    as caller: any Caller, label: String, priority: WritePriority = .usual,
    returning body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    let result = Mutex<Result?>(nil)
    try await write(as: caller, label: label, priority: priority) { transaction in
      let value = try body(transaction)
      result.withLock { $0 = value }
    }
    guard let value = result.withLock(\.self) else { throw RPCError.internalError }
    return value
  }
}

extension Services {
  /// The folder for one type of cache of this library; several libraries may share the caches. Its name is a hash,
  /// since its contents are deleted and the library's id may be chosen by an attacker.
  package func cacheFolder(_ kind: String) -> String {
    "\(caches)/\(kind)/\(Blobs.hash(of: Array(library.identity.id.utf8)).prefix(32))"
  }
}
