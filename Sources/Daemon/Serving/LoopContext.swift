import CSandbox
import Contract
import Display
import Kit
import Link
import Store
import System
import Threads
import Wire

/// The state of one event loop that serves clients. Confined to that loop.
final class LoopContext {
  let loop: Loop
  let router: Router
  let store: Store
  let services: Services
  /// A longer read is interrupted and gets the error `timedOut`.
  let readDeadline: Duration
  let bell: CommitBell
  let notices: Notices
  /// Those of all loops.
  let requests: RecentRequests
  /// Opened by the first read, or shortly after startup: opening the library takes longer than most reads.
  private var openReader: QuickReader?
  private var latest: Route?
  private(set) var peers: [ObjectIdentifier: Peer] = [:]
  /// The library's own day boundaries.
  let days: DayClock
  private let dayCheck: Duration
  private var isWatchingDays = false
  private var nextLook: (timer: Loop.Timer, at: Instant)?
  private var isGivingMemoryBack = false
  /// Whether more large memory was freed since that was scheduled.
  private var givesMemoryBackAgain = false
  private var departures = 0
  /// This many disconnected clients fragment the heap as much as one large message.
  private static let departureFlood = 64
  private var frames = 0
  private static let frameFlood = 4_096
  private let peerEnded: @Sendable (_ connectionID: String) -> Void

  init(
    loop: Loop, bell: CommitBell, requests: RecentRequests, router: Router, store: Store, services: Services,
    settings: DaemonSettings,
    peerEnded: @escaping @Sendable (_ connectionID: String) -> Void
  ) {
    self.loop = loop
    self.bell = bell
    self.requests = requests
    notices = Notices(feed: store.feed, epoch: store.identity.epoch)
    self.router = router
    self.store = store
    self.services = services
    readDeadline = settings.readDeadline
    days = services.days
    dayCheck = settings.dayCheck
    self.peerEnded = peerEnded
    store.snapshotHolders.add(onLoop(self) { $0.openReader?.letGo() })
  }

  func add(_ peer: Peer) {
    peers[ObjectIdentifier(peer)] = peer
    // Its day may change sooner than that of the other clients.
    if isWatchingDays { watchDays(of: peer) }
  }

  /// A search among all: it is used for few messages of one client.
  func peer(of connectionID: String) -> Peer? {
    peers.values.first { sameBytes($0.connectionID, connectionID) }
  }

  func remove(_ peer: Peer) {
    peers[ObjectIdentifier(peer)] = nil
    peerEnded(peer.connectionID)
    departures += 1
    let isLarge = peer.connection.unfinishedBytes > Connection.largeFrame
    if isLarge || departures.isMultiple(of: Self.departureFlood) { giveMemoryBackSoon() }
  }

  /// Called after commits: notifies all clients of this loop.
  func notifyAll() {
    for peer in peers.values { peer.libraryMovedOn() }
    bell.isWanted = peers.values.contains(where: \.waitsForCommits)
  }

  /// Sends a log line to subscribed clients. A client that does not read misses it.
  func notifyAll(_ message: [UInt8]) {
    for peer in peers.values where peer.follower.hasStarted && peer.hasRoom {
      peer.connection.send(reply: message)
    }
  }

  /// Sends notifications of a new day, now and whenever one begins.
  func watchDays() {
    isWatchingDays = true
    let now = services.now()
    look(in: peers.values.map { $0.dayMayHaveTurned(at: now) }.min(), from: now)
  }

  /// The same for one client that connects or changes its time zone: otherwise, with a thousand new clients, the day of
  /// every client would be checked a thousand times.
  func watchDays(of peer: Peer) {
    let now = services.now()
    let wait = peer.dayMayHaveTurned(at: now)
    guard let nextLook, now.milliseconds + wait >= nextLook.at.milliseconds else { return look(in: wait, from: now) }
  }

  private func look(in milliseconds: Int64?, from now: Instant) {
    nextLook?.timer.cancel()
    let most = Int64(dayCheck / .milliseconds(1))
    let wait = max(1, min(most, milliseconds ?? most))
    let timer = after(.milliseconds(wait), onLoop(self) { $0.watchDays() })
    nextLook = (timer, Instant(milliseconds: now.milliseconds + wait))
  }

  /// Counts a received frame. After many small ones the allocator retains as much memory as after a large one.
  func countFrame() {
    frames += 1
    if frames.isMultiple(of: Self.frameFlood) { giveMemoryBackSoon() }
  }

  /// Returns free heap memory to the system, one second after a large message was handled, many clients have
  /// disconnected or many frames were received. Several events within that second cause one run, and events during it
  /// schedule another after a second: never more often, and none is missed.
  ///
  /// Parsed messages are hundreds of thousands of small blocks between others that stay allocated, and the allocator
  /// retains their pages for reuse: after a single message of 16 MiB the daemon would stay that much larger for good.
  func giveMemoryBackSoon() {
    guard !isGivingMemoryBack else {
      givesMemoryBackAgain = true
      return
    }
    isGivingMemoryBack = true
    _ = after(.seconds(1), onLoop(self) { $0.giveMemoryBack() })
  }

  private func giveMemoryBack() {
    // Off the loop: it scans the whole heap.
    startThread { memory_give_back() }
    isGivingMemoryBack = false
    guard givesMemoryBackAgain else { return }
    givesMemoryBackAgain = false
    giveMemoryBackSoon()
  }

  /// Starts nothing new; clients are disconnected when their earlier requests have replies.
  func beginLeaving() {
    for peer in peers.values { peer.beginLeaving() }
  }

  func closeAll() {
    for peer in peers.values { peer.connection.close() }
    // Otherwise the WAL could not be emptied at shutdown.
    openReader?.letGo()
  }

  /// The route of a method. Caches the last one, since clients mostly call the same method a few times in a row.
  func route(_ method: String) throws -> Route {
    if let latest, latest.name == method { return latest }
    let route = try router.route(method)
    latest = route
    return route
  }

  /// Opens the reader in advance, so that no client's first read has to wait for it. A failure is reported to the first
  /// read that needs it.
  func prepareToRead() {
    _ = try? reader()
  }

  private func reader() throws -> QuickReader {
    if let openReader { return openReader }
    let made = try store.makeQuickReader()
    openReader = made
    return made
  }

  /// Runs a short read on this thread.
  func quick(_ caller: FeatureCaller, _ body: Route.Reading, givesClock: Bool = false) throws -> Outcome {
    try reader().read(for: caller) { Outcome(output: try body($0), clock: $0.clock, givesClock: givesClock) }
  }

  func quick(_ caller: FeatureCaller, _ prepare: Route.Preparing) throws -> Route.Prepared {
    try reader().read(for: caller) { try prepare($0) }
  }

  /// The features' notifications of a new day of the library, for one client.
  func notices(ofDayAfter old: CalendarDay, _ new: CalendarDay, for caller: FeatureCaller) throws -> [Notice] {
    if old == new || router.dayTurned.isEmpty { return [] }
    return try reader().read(for: caller) { snapshot in
      try router.dayTurned.flatMap { try $0(old, new, snapshot) }
    }
  }

  /// The features' notifications for a client that is notified from now on.
  func notices(forStarted caller: FeatureCaller) throws -> [Notice] {
    if router.clientStarted.isEmpty { return [] }
    return try reader().read(for: caller) { snapshot in try router.clientStarted.flatMap { try $0(snapshot) } }
  }

  func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Loop.Timer {
    loop.schedule(after: delay, body)
  }

  /// A closure for another thread that passes a value to an object of this loop.
  func onLoop<Object, Value: Sendable>(
    _ object: Object, _ body: @escaping @Sendable (Object, Value) -> Void
  ) -> @Sendable (Value) -> Void {
    let confined = Confined(object, to: loop)
    return { value in confined.execute { body($0, value) } }
  }

  func onLoop<Object>(
    _ object: Object, _ body: @escaping @Sendable (Object) -> Void
  ) -> @Sendable () -> Void {
    let confined = Confined(object, to: loop)
    return { confined.execute(body) }
  }
}
