import CSandbox
import Contract
import Display
import FoundationEssentials
import Glibc
import HTTP
import Kit
import Link
import PDF
import Store
import Synchronization
import System
import Threads
import Wire

/// The open library as features see it, with the services around it.
final class RunningLibrary: LibraryServices {
  let store: Store
  let socket = Mutex<String?>(nil)
  private let settings: DaemonSettings
  private let startedAt: Instant
  private let connections = Mutex<Set<String>>([])
  private let followers = Mutex<[(host: Confined<LoopContext>, token: Int)]>([])
  /// The daemon's clock for HTTP headers.
  private let wallClock: @Sendable () -> Date
  private let http: HTTPClient
  private let httpCache: HTTPCache
  private let workers: WorkerPool
  private let memory = Memory()
  private let dates: DateWriter
  private let cacheSize: CacheSize
  let router: Router

  init(settings: DaemonSettings, store: Store, startedAt: Instant) {
    self.settings = settings
    self.store = store
    self.startedAt = startedAt
    cacheSize = CacheSize(folder: settings.caches)
    router = Router(settings.features)
    let (log, now) = (settings.log, settings.now)
    wallClock = { Date(timeIntervalSince1970: Double(now().milliseconds) / 1_000) }
    let (clock, changed) = (wallClock, settings.changedHTTP)
    http = HTTPClient(
      settings.http.dated(by: clock), changed: { changed()?.dated(by: clock) }, log: { log($0, as: .info) })
    httpCache = HTTPCache(client: http, folder: settings.caches + "/network", wallClock: wallClock)
    dates = DateWriter(catalogue: settings.catalogue)
    workers = WorkerPool(settings.workers, log: { log($0, as: .warning) })
  }

  /// Called once, by the daemon: the services retain this object, so it does not retain them.
  func makeServices() -> Services {
    Services(
      now: settings.now, newID: settings.newID, pause: settings.pause, catalogue: settings.catalogue, dates: dates,
      days: DayClock(zone: settings.reader.zone, dayStartsAt: settings.dayStartsAt),
      folder: settings.folder,
      blobs: store.blobs, caches: settings.caches, stateFolder: settings.stateFolder,
      http: http, httpCache: httpCache,
      credentials: settings.credentials, configuration: settings.configuration, settings: settings.configured,
      workers: workers, library: self, memory: memory,
      log: settings.log)
  }

  var reference: Reference { Protocol.reference(of: settings.features, catalogue: settings.catalogue) }
  var identity: LibraryIdentity { store.identity }
  var daySources: [DaySource] { settings.features.compactMap(\.day) }
  var textForms: [any LibraryTextForm] { settings.features.flatMap(\.texts) }
  var fileImporters: [FileImporter] { settings.features.compactMap(\.fileImporter) }
  var neededFiles: [RetainedFiles] { settings.features.compactMap(\.neededFiles) }
  var retainedFiles: [RetainedFiles] { neededFiles + settings.features.compactMap(\.retainedFiles) }
  var searchSources: [SearchSource] { settings.features.flatMap(\.searches) }
  var itemQuery: ItemQuery.Compiler? { settings.features.lazy.compactMap(\.itemQuery).first }
  var collections: [String] { store.schema.names }
  func collection(_ name: String) -> ItemCollection? { store.schema.description(of: name) }
  func subject(of commit: Int64, known: inout CommitSubject.Known, in snapshot: Snapshot) throws -> CommitSubject? {
    try store.schema.subject(of: commit, known: &known, in: snapshot)
  }
  func links(of collection: String) -> CollectionLinks? { store.schema.links(of: collection) }

  /// Subscribes the clients of these loops to commits.
  func follow(_ hosts: [(host: Confined<LoopContext>, bell: CommitBell)]) {
    followers.withLock { followers in
      followers = hosts.map { host, bell in (host, store.feed.follow { bell.ring(at: host) }) }
    }
  }

  /// Unsubscribes the loops, whose hosts retain this object and the library's open files.
  func unfollow() {
    let followers = followers.withLock { followers in
      defer { followers = [] }
      return followers
    }
    for follower in followers { store.feed.unfollow(follower.token) }
  }

  var loops: [(host: Confined<LoopContext>, token: Int)] { followers.withLock(\.self) }

  // MARK: - Services for features

  func status(for reader: Reader) async -> StatusReport {
    let status = workers.status
    let (clients, requests) = await clientsAndJobs()
    let jobs = requests + settings.features.flatMap { $0.jobs?(memory) ?? [] }
    return StatusReport(
      server: .init(
        version: Version.current, protocolLevel: Version.protocolLevel, pid: Int(getpid()), startedAt: startedAt,
        socket: socket.withLock(\.self)),
      library: .init(
        id: identity.id, epoch: identity.epoch, clock: store.feed.head, path: settings.folder.path),
      clients: clients, jobs: jobs, workers: .init(status),
      caches: .init(path: settings.caches, bytes: await cacheSize.bytes()),
      wal: store.walSize,
      configuration: settings.configuration().map {
        StatusReport.Configuration($0, catalogue: settings.catalogue, for: reader)
      },
      lastErrors: settings.lastErrors())
  }

  func clientConnected(_ connectionID: String) {
    connections.withLock { _ = $0.insert(connectionID) }
  }

  func clientDisconnected(_ connectionID: String) {
    connections.withLock { _ = $0.remove(connectionID) }
  }

  func isConnected(_ connectionID: String) -> Bool {
    connections.withLock { $0.contains(connectionID) }
  }

  /// Queries every loop, since the state of its clients is confined to it.
  private func clientsAndJobs() async -> ([StatusReport.ClientState], [StatusReport.Job]) {
    var clients: [StatusReport.ClientState] = []
    var jobs: [StatusReport.Job] = []
    for (host, _) in followers.withLock(\.self) {
      let (some, their) = await withCheckedContinuation { continuation in
        host.execute { host in
          continuation.resume(returning: (host.peers.values.map(\.state), host.peers.values.flatMap(\.jobs)))
        }
      }
      clients += some
      jobs += their
    }
    return (clients.sorted { $0.connection < $1.connection }, jobs)
  }

  func backUp(
    to path: String, copyingLinked: Bool, progress: @escaping @Sendable (Int) throws -> Void
  ) throws -> BackupReport {
    try store.backUp(to: path, newEpoch: settings.newID(), copyingLinked: copyingLinked, progress: progress)
  }

  func check(_ options: CheckOptions, progress: @Sendable (Int) throws -> Void) throws -> CheckReport {
    try store.check(options, progress: progress)
  }

  func export(to path: String, progress: @escaping @Sendable (Int) throws -> Void) throws -> ArchiveReport {
    try store.export(to: path, progress: progress)
  }

  func readArchive(at path: String, progress: @Sendable (Int) throws -> Void) throws -> Archive {
    try store.readArchive(at: path, newName: settings.newID, progress: progress)
  }

  func capabilities(for client: JSONValue, in session: any Session) -> JSONObject {
    settings.features.reduce(into: [:]) { all, feature in
      for member in feature.negotiate?(client, session).members ?? [] { all[member.key] = member.value }
    }
  }

  func follow(_ wake: @escaping @Sendable () -> Void) {
    _ = store.feed.follow(wake)
  }

  func notify(_ notice: Notice) {
    for (host, _) in followers.withLock(\.self) {
      host.execute { host in
        for peer in host.peers.values { peer.hear(notice) }
      }
    }
  }

  func post(
    as caller: any Caller, label: String, priority: WritePriority,
    _ body: @escaping @Sendable (Transaction) throws -> Void,
    then end: @escaping @Sendable ((any Error)?) -> Void
  ) {
    store.writes.add(
      WriteJob(caller: caller, label: label, priority: priority) { [writes = store.writes] transaction in
        transaction.othersWait = { writes.hasOthers }
        try body(transaction)
        return []
      } completion: { result in
        switch result {
        case .success: end(nil)
        case .failure(let error): end(error)
        }
      })
  }

  func write(
    as caller: any Caller, label: String, priority: WritePriority,
    _ body: @escaping @Sendable (Transaction) throws -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      post(as: caller, label: label, priority: priority, body) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  func read<Result: Sendable>(
    as caller: any Caller, _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result {
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        store.reads.read(for: caller, interruption: interruption, pinned: {}, body: body) {
          continuation.resume(with: $0)
        }
      }
    } onCancel: {
      interruption.interrupt(.cancelled)
    }
  }

  // MARK: - Maintenance

  /// Starts work that can wait until the first client was served: an index built by another tokenizer, missing link
  /// tables of an older library, files without rows, an old change log.
  func startCare() {
    let store = store
    let log = settings.log
    startThread {
      // It logs its own failure, and nothing else depends on it.
      if store.needsIndexRebuild { try? store.rebuildIndex { _ in } }
      do {
        if store.needsLinks { try store.fillLinks() }
        try store.pruneFetched()
        try store.pruneLog()
        _ = try store.sweepBlobs(olderThan: Store.sweptAge)
      } catch let error as RPCError where error == .shuttingDown {
        // The remaining steps can wait for the next start.
      } catch {
        log("the library's maintenance failed: \(error)")
      }
      // Most memory needed for startup is not needed again.
      memory_give_back()
      memory_give_code_back()
    }
  }
}

extension StatusReport.Workers {
  init(_ status: WorkerStatus) {
    var protections: [String] = []
    if let given = status.protections {
      if given.landlock > 0 { protections.append("landlock \(given.landlock)") }
      if given.seccomp { protections.append("seccomp") }
      if given.limits { protections.append("rlimits") }
      if given.noNewPrivileges { protections.append("no_new_privs") }
      if given.endsWithDaemon { protections.append("pdeathsig") }
    }
    self.init(
      running: status.workers.map { .init(pid: Int($0.pid), residentKiB: $0.residentKiB, isBusy: $0.isBusy) },
      spares: status.spares, protections: protections, missing: status.protections?.missing ?? [],
      crashes: status.crashes, timeouts: status.timeouts, outOfMemory: status.outOfMemory,
      badReplies: status.badReplies, leftAlone: status.dangerous.count, restarts: status.restarts,
      scans: status.scans)
  }
}

extension HTTPConfiguration {
  fileprivate func dated(by wallClock: @escaping @Sendable () -> Date) -> HTTPConfiguration {
    var dated = self
    dated.wallClock = wallClock
    return dated
  }
}
