import Contract
import Features
import Link
import Store
import Wire

/// What one event loop needs to serve its clients. Only touched on that loop.
final class Host {
  /// A read that takes longer is stopped and answered `timedOut`.
  static let readDeadline: Duration = .seconds(30)

  let loop: Loop
  let router: Router
  let store: Store
  let services: Services
  private let reader: QuickReader
  private(set) var peers: [ObjectIdentifier: Peer] = [:]
  /// Told who is there whenever that changes.
  private let note: @Sendable ([StatusReport.ClientState]) -> Void
  private let peerEnded: @Sendable () -> Void

  init(
    loop: Loop, router: Router, store: Store, services: Services,
    note: @escaping @Sendable ([StatusReport.ClientState]) -> Void, peerEnded: @escaping @Sendable () -> Void
  ) throws {
    self.loop = loop
    self.router = router
    self.store = store
    self.services = services
    self.note = note
    self.peerEnded = peerEnded
    reader = try store.makeQuickReader()
  }

  func add(_ peer: Peer) {
    peers[ObjectIdentifier(peer)] = peer
    noteClients()
  }

  func remove(_ peer: Peer) {
    peers[ObjectIdentifier(peer)] = nil
    noteClients()
    peerEnded()
  }

  /// A client came, left, or said its name.
  func noteClients() {
    note(peers.values.map(\.state))
  }

  /// After commits: tells all clients of this loop.
  func tellAll() {
    for peer in peers.values { peer.libraryMovedOn() }
  }

  /// Nothing new is started; clients close when what they asked before is answered.
  func beginLeaving() {
    for peer in peers.values { peer.beginLeaving() }
  }

  func closeAll() {
    for peer in peers.values { peer.connection.close() }
  }

  /// A short read here and now.
  func quick(_ caller: FeatureCaller, _ body: Route.Reading, givesClock: Bool = false) throws -> Outcome {
    try reader.read(for: caller) { Outcome(output: try body($0), clock: $0.clock, givesClock: givesClock) }
  }

  func quick(_ caller: FeatureCaller, _ prepare: Route.Preparing) throws -> Route.Fetching {
    try reader.read(for: caller) { try prepare($0) }
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
