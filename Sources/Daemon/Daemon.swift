import Contract
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

/// One library and all who use it. Here the parts are put together; what they do is theirs.
package final class Daemon: Sendable {
  let settings: Settings
  let library: RunningLibrary
  /// For tests, which put other parts in their place before the first request.
  package let services: Services
  private let ownership: OwnershipBox
  private let loops: Loops
  let hosts: [Confined<Host>]
  private let listener = Mutex<Listener?>(nil)
  private let ending = Ending()
  private let logTeller = LogTeller()
  private let startedAt: Instant
  private let isEnding = Mutex(false)

  /// Opens the library and makes everything that serves it. Nobody is served yet.
  package init(_ settings: Settings) async throws {
    var settings = settings
    settings.log = logTeller.log(into: settings.log)
    self.settings = settings
    try settings.folder.prepare()
    let ownership = OwnershipBox(try Ownership.take(settings.folder))
    self.ownership = ownership
    startedAt = settings.now()
    let remembered = try Remembered(folder: settings.stateFolder, newID: settings.newID)
    var surroundings = Store.Surroundings(
      now: settings.now, newID: settings.newID, log: settings.log, limits: settings.logLimits)
    surroundings.feedCapacity = settings.feedCapacity
    surroundings.answerTogether = { Loop.gathering($0) }
    // Whoever asks next starts a daemon for the library that is there then.
    surroundings.whenLost = { [ending] in ending.end(saidShutdown: true) }
    surroundings.holdLock = { () throws(StoreError) in try ownership.hold() }
    let store = try Store(
      folder: settings.folder,
      parts: Store.Parts(
        migrations: settings.features.flatMap(\.migrations), collections: settings.features.flatMap(\.collections)),
      remembered: remembered, surroundings: surroundings)
    library = RunningLibrary(settings: settings, store: store, startedAt: startedAt)
    services = library.makeServices()
    loops = Loops(count: settings.loops)
    let made = await Self.makeHosts(
      on: loops, settings: settings, library: library, services: services, ending: ending)
    hosts = made.map(\.host)
    library.follow(made)
    logTeller.tell(hosts)
  }

  /// One host for each loop, made on that loop.
  private static func makeHosts(
    on loops: Loops, settings: Settings, library: RunningLibrary, services: Services, ending: Ending
  ) async -> [(host: Confined<Host>, bell: CommitBell)] {
    let router = Router(settings.features)
    var hosts: [(host: Confined<Host>, bell: CommitBell)] = []
    for loop in loops.all {
      let bell = CommitBell()
      let host: Confined<Host> = await withCheckedContinuation { continuation in
        loop.execute {
          let host = Host(
            loop: loop, bell: bell, router: router, store: library.store, services: services, settings: settings,
            peerEnded: { connection in
              library.clientLeft(connection)
              ending.clientLeft()
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

  /// Listens at a socket for everybody of this user.
  ///
  /// - Parameter descriptor: a socket that is bound to the path already, which another process owns (socket activation).
  package func listen(at path: String, inheriting descriptor: Int32? = nil) async throws {
    let accept: @Sendable (Connection) -> Peer = { [self] connection in peer(for: connection, ended: nil) }
    let made: Listener
    if let descriptor {
      made = try await Listener.inherit(descriptor, on: loops, settings: connectionSettings, accept: accept)
    } else {
      made = try await Listener.bind(
        path: path, on: loops, settings: connectionSettings,
        renewed: { [log = settings.log] in log("the socket \(path) had vanished and was made anew", as: .warning) },
        accept: accept)
    }
    listener.withLock { $0 = made }
    library.socket.withLock { $0 = path }
    announce(socket: path)
    if let limit = settings.idleLimit { ending.endWhenIdle(for: limit, on: loops.next()) }
  }

  private func announce(socket: String) {
    ownership.announce(
      Owner(
        pid: getpid(), socket: socket, version: Version.current, epoch: library.identity.epoch,
        isAutomatic: settings.idleLimit != nil))
  }

  /// Serves one client over two descriptors; the daemon ends with it.
  package func serve(input: Int32, output: Int32) async throws {
    let ending = ending
    // Without a socket, so that whoever finds the library owned knows by whom, and that nobody will listen.
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

  /// On the connection's loop.
  private func peer(for connection: Connection, ended: (@Sendable (Bool) -> Void)?) -> Peer {
    let host = hosts.first { $0.loop == connection.loop }!.value
    let peer = Peer(
      connection: connection, host: host, reader: settings.reader, connectionID: settings.newID(),
      log: settings.log, ended: ended)
    host.add(peer)
    library.clientCame(peer.connectionID)
    ending.clientCame()
    return peer
  }

  // MARK: - Ending

  /// Returns when the client of a private daemon has left, when nobody needed an automatic one for long, or when
  /// `end()` was called. False when a private client left without `shutdown`, which LSP calls an error.
  package func waitForEnd() async -> Bool {
    await ending.wait()
  }

  package func end() {
    ending.end(saidShutdown: true)
  }

  /// Starts what features do in the background. After the first client could be served: nothing here may delay it. A
  /// daemon that was ended before that begins nothing any more, as it would find the library closed; false then.
  @discardableResult
  package func startBackgroundWork() -> Bool {
    isEnding.withLock { isEnding in
      guard !isEnding else { return false }
      for feature in settings.features {
        guard let start = feature.start else { continue }
        Task { [services] in await start(services) }
      }
      for host in hosts { host.execute { $0.prepareToRead() } }
      library.startCare()
      return true
    }
  }

  /// Refuses new work, cancels fetches, finishes writes, answers, stops the workers, empties the WAL, removes the socket
  /// and gives up the lock. Every step ends at its deadline.
  package func shutDown() async {
    isEnding.withLock { $0 = true }
    let listener = self.listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    await step("the socket", .seconds(2)) { await listener?.shutdown() }
    for host in hosts { host.execute { $0.beginLeaving() } }
    // Everybody gets the replies to what they had asked.
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
    logTeller.tell([])
    library.store.close(deadline: .now + .seconds(10))
    await step("the loops", .seconds(2)) { [loops] in try? await loops.shutdown() }
    library.unfollow()
    ownership.giveUp()
  }

  /// Returns when a step of the end is done or its time is over: one that hangs must not keep the library locked.
  private func step(_ name: String, _ limit: Duration, _ body: @escaping @Sendable () async -> Void) async {
    let log = settings.log
    await withCheckedContinuation { continuation in
      let waiting = Waiting(continuation)
      // On no loop of ours: it may be the one that hangs, and the last thing that is done is to end them.
      let timer = Loops.shared.next().schedule(after: limit) {
        if waiting.resume() { log("the daemon ends without waiting for \(name) any longer", as: .warning) }
      }
      Task {
        await body()
        timer.cancel()
        _ = waiting.resume()
      }
    }
  }
}

/// Whoever waits for one of two things, of which the first counts.
private final class Waiting: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// False for the second.
  func resume() -> Bool {
    let waiting = continuation.withLock { $0.take() }
    waiting?.resume()
    return waiting != nil
  }
}
