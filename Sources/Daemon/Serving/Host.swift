import CSandbox
import Contract
import Display
import Kit
import Link
import Store
import System
import Threads
import Wire

/// What one event loop needs to serve its clients. Only touched on that loop.
final class Host {
  let loop: Loop
  let router: Router
  let store: Store
  let services: Services
  /// A read that takes longer is stopped and answered `timedOut`.
  let readDeadline: Duration
  let bell: CommitBell
  let notices: Notices
  /// Opened by the first read, or shortly after the start: to open the library takes longer than most reads in it.
  private var openReader: QuickReader?
  private var latest: Route?
  private(set) var peers: [ObjectIdentifier: Peer] = [:]
  /// The library's own day.
  let days: DayClock
  private let dayCheck: Duration
  private var isWatchingDays = false
  private var nextLook: (timer: Loop.Timer, at: Instant)?
  private var isGivingMemoryBack = false
  /// Something large was done with since that was scheduled.
  private var givesMemoryBackAgain = false
  private var departures = 0
  /// So many clients that leave cost the allocator as much as a large message.
  private static let departureFlood = 64
  private var frames = 0
  private static let frameFlood = 4_096
  private let peerEnded: @Sendable (_ connectionID: String) -> Void

  init(
    loop: Loop, bell: CommitBell, router: Router, store: Store, services: Services, settings: Daemon.Settings,
    peerEnded: @escaping @Sendable (_ connectionID: String) -> Void
  ) {
    self.loop = loop
    self.bell = bell
    notices = Notices(feed: store.feed, epoch: store.identity.epoch)
    self.router = router
    self.store = store
    self.services = services
    readDeadline = settings.readDeadline
    days = services.days
    dayCheck = settings.dayCheck
    self.peerEnded = peerEnded
    store.logHolders.add(onLoop(self) { $0.openReader?.letGo() })
  }

  func add(_ peer: Peer) {
    peers[ObjectIdentifier(peer)] = peer
    // Its day may turn sooner than that of those who are here.
    if isWatchingDays { watchDays(of: peer) }
  }

  func remove(_ peer: Peer) {
    peers[ObjectIdentifier(peer)] = nil
    peerEnded(peer.connectionID)
    departures += 1
    let isLarge = peer.connection.unfinishedBytes > Connection.largeFrame
    if isLarge || departures.isMultiple(of: Self.departureFlood) { giveMemoryBackSoon() }
  }

  /// After commits: tells all clients of this loop.
  func tellAll() {
    for peer in peers.values { peer.libraryMovedOn() }
    bell.isWanted = peers.values.contains(where: \.waitsForCommits)
  }

  /// A line of the log, for those who listen. One who reads nothing misses it.
  func tellAll(_ message: [UInt8]) {
    for peer in peers.values where peer.follower.isTold && peer.hasRoom {
      peer.connection.send(reply: message)
    }
  }

  /// Tells of a new day, now and whenever one begins.
  func watchDays() {
    isWatchingDays = true
    let now = services.now()
    look(in: peers.values.map { $0.dayMayHaveTurned(at: now) }.min(), from: now)
  }

  /// Of one alone, that comes or says where it is: of a thousand clients that come, everybody's day would otherwise be
  /// looked at a thousand times.
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

  /// Counts a received frame. After a flood of small ones the allocator holds as much as after a large one.
  func countFrame() {
    frames += 1
    if frames.isMultiple(of: Self.frameFlood) { giveMemoryBackSoon() }
  }

  /// A second after a large message is done with, many clients have left or a flood has ended. Several of them within that
  /// second cost it once, and what comes in it is followed by another second: never more often, and never forgotten.
  ///
  /// What it was read into are hundreds of thousands of small pieces between others that live on, and the allocator
  /// keeps their pages for the next: a message of 16 MiB once in a week, and the daemon is that much larger for good.
  func giveMemoryBackSoon() {
    guard !isGivingMemoryBack else {
      givesMemoryBackAgain = true
      return
    }
    isGivingMemoryBack = true
    _ = after(.seconds(1), onLoop(self) { $0.giveMemoryBack() })
  }

  private func giveMemoryBack() {
    // Off the loop: it goes through all of the heap.
    startThread { memory_give_back() }
    isGivingMemoryBack = false
    guard givesMemoryBackAgain else { return }
    givesMemoryBackAgain = false
    giveMemoryBackSoon()
  }

  /// Nothing new is started; clients close when what they asked before is answered.
  func beginLeaving() {
    for peer in peers.values { peer.beginLeaving() }
  }

  func closeAll() {
    for peer in peers.values { peer.connection.close() }
    // Or the log could not be emptied at the end.
    openReader?.letGo()
  }

  /// The route of a method. Clients mostly ask for the same a few times in a row.
  func route(_ method: String) throws -> Route {
    if let latest, latest.name == method { return latest }
    let route = try router.route(method)
    latest = route
    return route
  }

  /// So that no client's first read has to wait for it. A failure is the reader's who needs it.
  func prepareToRead() {
    _ = try? reader()
  }

  private func reader() throws -> QuickReader {
    if let openReader { return openReader }
    let made = try store.makeQuickReader()
    openReader = made
    return made
  }

  /// A short read here and now.
  func quick(_ caller: FeatureCaller, _ body: Route.Reading, givesClock: Bool = false) throws -> Outcome {
    try reader().read(for: caller) { Outcome(output: try body($0), clock: $0.clock, givesClock: givesClock) }
  }

  func quick(_ caller: FeatureCaller, _ prepare: Route.Preparing) throws -> Route.Prepared {
    try reader().read(for: caller) { try prepare($0) }
  }

  /// What the features tell a client of a new day of the library.
  func notices(ofDayAfter old: CalendarDay, _ new: CalendarDay, for caller: FeatureCaller) throws -> [Notice] {
    if old == new || router.dayTurned.isEmpty { return [] }
    return try reader().read(for: caller) { snapshot in
      try router.dayTurned.flatMap { try $0(old, new, snapshot) }
    }
  }

  func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Loop.Timer {
    loop.schedule(after: delay, body)
  }

  /// A closure for another thread that carries a value back to an object of this loop.
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
