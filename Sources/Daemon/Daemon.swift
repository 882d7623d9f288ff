import Contract
import Dispatch
import Display
import Glibc
import HTTP
import Kit
import Link
import PDF
import SQLite
import Store
import Synchronization
import Wire

/// One library and its clients. This type connects the parts; their work is theirs.
package final class Daemon: Sendable {
  let settings: DaemonSettings
  let library: RunningLibrary
  /// For tests, which replace parts of it before the first request.
  package let services: Services
  private let ownership: OwnershipBox
  private let loops: Loops
  let hosts: [Confined<LoopContext>]
  private let listener = Mutex<Listener?>(nil)
  private let folderWatch = Mutex<FolderWatch?>(nil)
  private let ending = Ending()
  private let logNotifier = LogNotifier()
  private let hook: ChangeHook
  private let startedAt: Instant
  private let isEnding = Mutex(false)

  /// Opens the library and creates everything that serves it. No client is served yet.
  ///
  /// - Throws: `StoreError`, or an error of the file system.
  package init(_ settings: DaemonSettings) async throws {
    var settings = settings
    settings.log = logNotifier.log(into: settings.log)
    self.settings = settings
    try settings.folder.prepare()
    let ownership = OwnershipBox(try Ownership.take(settings.folder))
    self.ownership = ownership
    startedAt = settings.now()
    let machineState = try MachineState(folder: settings.stateFolder, newID: settings.newID)
    var surroundings = Store.Surroundings(
      now: settings.now, newID: settings.newID, log: settings.log, limits: settings.logLimits)
    surroundings.feedCapacity = settings.feedCapacity
    surroundings.answerTogether = { Loop.batchingWakeups($0) }
    // The next client starts a daemon for the library that is there then.
    surroundings.whenLost = { [ending] in ending.end(saidShutdown: true) }
    surroundings.holdLock = { () throws(StoreError) in try ownership.hold() }
    let store = try Store(
      folder: settings.folder,
      parts: Store.Parts(
        migrations: settings.features.flatMap(\.migrations), collections: settings.features.flatMap(\.collections)),
      machineState: machineState, surroundings: surroundings)
    library = RunningLibrary(settings: settings, store: store, startedAt: startedAt)
    services = library.makeServices()
    hook = ChangeHook(of: store, settings: settings)
    loops = Loops(count: settings.loops)
    let made = await Self.makeHosts(
      on: loops, settings: settings, library: library, services: services, ending: ending)
    hosts = made.map(\.host)
    library.follow(made)
    logNotifier.notify(hosts)
  }

  /// Creates one host for each loop, on that loop.
  private static func makeHosts(
    on loops: Loops, settings: DaemonSettings, library: RunningLibrary, services: Services, ending: Ending
  ) async -> [(host: Confined<LoopContext>, bell: CommitBell)] {
    var hosts: [(host: Confined<LoopContext>, bell: CommitBell)] = []
    let requests = RecentRequests()
    for loop in loops.all {
      let bell = CommitBell()
      let host: Confined<LoopContext> = await withCheckedContinuation { continuation in
        loop.execute {
          let host = LoopContext(
            loop: loop, bell: bell, requests: requests, router: library.router, store: library.store,
            services: services, settings: settings,
            peerEnded: { connection in
              library.clientDisconnected(connection)
              for feature in settings.features { feature.clientLeft?(connection, services) }
              ending.clientDisconnected()
            })
          host.watchDays()
          continuation.resume(returning: Confined(host, to: loop))
        }
      }
      hosts.append((host, bell))
    }
    return hosts
  }

  // MARK: - Serving

  /// Listens on a socket for all clients of this user.
  ///
  /// - Parameter descriptor: a socket that is bound to the path already, which another process owns (socket activation).
  /// - Throws: `UnixSocket.Failure`.
  package func listen(at path: String, inheriting descriptor: Int32? = nil) async throws {
    let accept: @Sendable (Connection) -> Peer = { [self] connection in peer(for: connection, ended: nil) }
    let made: Listener
    if let descriptor {
      made = try await Listener.inherit(descriptor, on: loops, settings: connectionSettings, accept: accept)
    } else {
      made = try await Listener.bind(
        path: path, on: loops, settings: connectionSettings,
        renewed: { [log = settings.log] in log("the socket \(path) had vanished and was created again", as: .warning) },
        accept: accept)
    }
    listener.withLock { $0 = made }
    library.socket.withLock { $0 = path }
    announce(socket: path)
    watchFolder()
    if let limit = settings.idleLimit { ending.endWhenIdle(for: limit, on: loops.next()) }
  }

  /// Ends a daemon whose library was moved or removed, even if no request comes: its clients would go on in the moved
  /// library, while new ones get another.
  private func watchFolder() {
    let watch = FolderWatch(settings.folder.path, on: DispatchQueue(label: "commonplace.library")) {
      [tenure = library.store.tenure] in try? tenure.checkPlace()
    }
    folderWatch.withLock { $0 = watch }
  }

  private func announce(socket: String) {
    ownership.announce(
      Owner(
        pid: getpid(), socket: socket, version: Version.current, epoch: library.identity.epoch,
        isAutomatic: settings.idleLimit != nil))
  }

  /// Serves one client over two descriptors; the daemon exits with it.
  ///
  /// - Throws: an error of NIO for descriptors that cannot be polled.
  package func serve(input: Int32, output: Int32) async throws {
    let ending = ending
    // Without a socket, so that other processes learn the owner of the library, and that it does not listen.
    announce(socket: "")
    _ = try await Connection.open(input: input, output: output, on: loops, settings: connectionSettings) {
      [self] connection in
      peer(for: connection, ended: { ending.end(saidShutdown: $0) })
    }
  }

  private var connectionSettings: Connection.Settings {
    let catalogue = settings.catalogue
    let language = settings.reader.language
    var result = Connection.Settings { catalogue.render($0, language: language) }
    result.stallLimit = settings.stallLimit
    result.frameLimit = settings.frameLimit
    return result
  }

  /// Called on the connection's loop.
  private func peer(for connection: Connection, ended: (@Sendable (Bool) -> Void)?) -> Peer {
    let host = hosts.first { $0.loop == connection.loop }!.value
    let peer = Peer(
      connection: connection, host: host, reader: settings.reader, connectionID: settings.newID(),
      log: settings.log, ended: ended)
    host.add(peer)
    library.clientConnected(peer.connectionID)
    ending.clientConnected()
    return peer
  }

  // MARK: - Ending

  /// Returns when the client of a private daemon has disconnected, when an automatic one was idle for long, or when
  /// `end()` was called. Returns false if a private client disconnected without `shutdown`, which is an error in LSP.
  package func waitForEnd() async -> Bool {
    await ending.wait()
  }

  package func end() {
    ending.end(saidShutdown: true)
  }

  /// Starts the features' background work, after the first client could be served, which it must not delay. Returns
  /// false without starting any if the daemon is already shutting down, since the library would be closed.
  @discardableResult
  package func startBackgroundWork() -> Bool {
    isEnding.withLock { isEnding in
      guard !isEnding else { return false }
      for feature in settings.features {
        guard let start = feature.start else { continue }
        Task { [services] in await start(services) }
      }
      for host in hosts { host.execute { $0.prepareToRead() } }
      hook.begin()
      library.startCare()
      return true
    }
  }

  /// Refuses new work, cancels fetches, finishes writes, sends replies, stops the workers, empties the WAL, deletes the
  /// socket and releases the lock. Every step has a deadline.
  package func shutDown() async {
    isEnding.withLock { $0 = true }
    folderWatch.withLock { $0.take() }?.end()
    let listener = self.listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    await step("the socket", .seconds(2)) { await listener?.shutdown() }
    for host in hosts { host.execute { $0.beginLeaving() } }
    // All clients get the replies to their earlier requests.
    await step("the clients", .seconds(5)) { [ending] in await ending.waitForNobody() }
    await step("the readers", .seconds(2)) { [hosts] in
      for host in hosts {
        await withCheckedContinuation { closed in
          host.execute { host in
            host.closeAll()
            closed.resume()
          }
        }
      }
    }
    await step("the network", .seconds(2)) { [services] in services.http.shutDown() }
    await step("the workers", .seconds(2)) { [services] in await services.workers.shutDown() }
    for feature in settings.features { feature.stop?(services) }
    logNotifier.notify([])
    library.store.close(deadline: .now + .seconds(10))
    // After the last commit.
    await step("the hook", .seconds(2)) { [hook] in await hook.end() }
    hook.kill()
    await step("the killed hook", .seconds(2)) { [hook] in await hook.end() }
    await step("the loops", .seconds(2)) { [loops] in try? await loops.shutdown() }
    library.unfollow()
    ownership.giveUp()
  }

  /// Returns when a step of the shutdown is done or its time is over: a step that hangs must not keep the library
  /// locked.
  private func step(_ name: String, _ limit: Duration, _ body: @escaping @Sendable () async -> Void) async {
    let log = settings.log
    await withCheckedContinuation { continuation in
      let waiting = Waiting(continuation)
      // Not on our own loops: one of them may be the one that hangs, and ending them is the last step.
      let timer = Loops.shared.next().schedule(after: limit) {
        if waiting.resume() { log("the daemon exits without waiting longer for \(name)", as: .warning) }
      }
      Task {
        await body()
        timer.cancel()
        _ = waiting.resume()
      }
    }
  }
}

/// A continuation that two events may resume, of which the first counts.
private final class Waiting: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// Returns false for the second.
  func resume() -> Bool {
    let waiting = continuation.withLock { $0.take() }
    waiting?.resume()
    return waiting != nil
  }
}
