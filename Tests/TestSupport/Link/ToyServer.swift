import Client
import Foundation
import Link
import SQLite
import Synchronization
import Wire

/// A server of a few toy methods on a real Unix socket: enough to see what Link promises, and no more.
package final class ToyServer: Sendable {
  package enum Event: Sendable, Equatable {
    case opened(Int)
    case received(Int, Frame)
    case inputEnded(Int)
    case hasRoom(Int)
    /// The lent output was used.
    case sentLent(Int)
    case closed(Int, CloseReason)
  }

  package let path: String
  package let loops: Loops
  package let log = EventLog<Event>()
  package let clock = Atomic<Int64>(0)
  /// The outputs that were lent by `lend`, and nil where none could be.
  package let lent = EventLog<LentOutput?>()
  /// The numbers of the connections by themselves, for waits that need not look through everything.
  private let opened = EventLog<Int>()
  fileprivate let closed = EventLog<Int>()
  private let folder: String
  private let count = Atomic<Int>(0)
  /// How many connections the test has asked for.
  private let expected = Atomic<Int>(0)
  private let peers = Mutex<[Int: Confined<ToyPeer>]>([:])
  private let listener = Mutex<Listener?>(nil)

  private init(loops: Loops) throws {
    self.loops = loops
    folder = NSTemporaryDirectory() + "/link-" + UUID().uuidString.prefix(8)
    path = folder + "/s"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Runs `body` against a server, which is gone afterwards.
  @discardableResult
  package static func run<Result>(
    settings: Connection.Settings = .toy(), owner: UInt32 = geteuid(),
    _ body: (ToyServer) async throws -> Result
  ) async throws -> Result {
    let server = try ToyServer(loops: Loops(count: 2))
    let listener = try await Listener.bind(path: server.path, on: server.loops, settings: settings, owner: owner) {
      [unowned server] in server.accept($0)
    }
    server.listener.withLock { $0 = listener }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    await server.shutdown()
    try FileManager.default.removeItem(atPath: server.folder)
    return try result.get()
  }

  package func accept(_ connection: Connection) -> ToyPeer {
    let number = count.add(1, ordering: .relaxed).oldValue
    let peer = ToyPeer(connection, number: number, server: self)
    let confined = Confined(peer, to: connection.loop)
    peers.withLock { $0[number] = confined }
    log.append(.opened(number))
    opened.append(number)
    return peer
  }

  /// One more peer, over pipes; its number is the next.
  package func open(input: Int32, output: Int32, settings: Connection.Settings = .toy()) async throws {
    expected.add(1, ordering: .relaxed)
    _ = try await Connection.open(input: input, output: output, on: loops, settings: settings) { [unowned self] in
      accept($0)
    }
  }

  /// A client whose peer here is known: they are numbered in the order in which a test connects them, which the order
  /// in which two loops accept them would not give.
  package func connect(framing: Framing = .headers, record: Bool = false) async throws -> Client {
    try await numbered { try await Client.connect(socket: path, framing: framing, record: record) }
  }

  /// A peer without manners, numbered like the others.
  package func connectRaw() async throws -> RawSocket {
    try await numbered { try RawSocket(connectingTo: path) }
  }

  private func numbered<Peer>(_ connect: () async throws -> Peer) async throws -> Peer {
    let expected = expected.add(1, ordering: .relaxed).newValue
    let peer = try await connect()
    try await opened.wait { $0.count >= expected }
    return peer
  }

  /// Why the connection was closed, as soon as it is.
  package func closeReason(of number: Int) async throws -> CloseReason {
    guard
      case .closed(_, let reason) = try await log.first(where: { event in
        if case .closed(number, _) = event { true } else { false }
      })
    else { preconditionFailure("the event was asked for") }
    return reason
  }

  package func peer(_ number: Int) -> Confined<ToyPeer> {
    peers.withLock { $0[number]! }
  }

  /// One more commit, as the daemon does it: the clock first, then a flush on each loop.
  package func commit() -> Int64 {
    let clock = clock.add(1, ordering: .sequentiallyConsistent).newValue
    for peer in peers.withLock(\.values) { peer.execute { $0.connection.flush() } }
    return clock
  }

  package func stopListening() async {
    await listener.withLock(\.self)?.shutdown()
  }

  private func shutdown() async {
    await stopListening()
    let peers = peers.withLock { Array($0.values) }
    for peer in peers { peer.execute { $0.connection.close() } }
    _ = try? await closed.wait { $0.count >= peers.count }
    try? await loops.shutdown()
  }
}

extension Connection.Settings {
  /// Words that name the reason, so that a test can tell them apart.
  package static func toy(
    stallLimit: Duration? = .seconds(30), linger: Duration = .seconds(1)
  ) -> Connection.Settings {
    var settings = Connection.Settings { ($0.text.key, $0.data) }
    settings.stallLimit = stallLimit
    settings.linger = linger
    return settings
  }
}

/// The toy server's side of one connection.
///
/// Requests: `echo` gives its params; `big {size}` a text of that size; `hold` waits for the notification `release`;
/// `lend` lends the output for its reply, which the test makes, or has made by `release`; `mute` is never answered, nor is a cancellation afterwards;
/// `commit` moves the clock and gives it; `subscribe` makes the clock's moves known as `moved {since, clock}`;
/// `progress {token, count}` begins, sends that many reports, ends, and then replies; `notices {count}` that many notifications.
package final class ToyPeer: ConnectionDelegate {
  package let connection: Connection
  package let number: Int
  private unowned let server: ToyServer
  private var inFlight = InFlight()
  private var held: [RequestID] = []
  private var isMute = false
  private var cursor: Int64?

  init(_ connection: Connection, number: Int, server: ToyServer) {
    self.connection = connection
    self.number = number
    self.server = server
  }

  package func connection(_ connection: Connection, received frame: Frame, byteCount: Int) {
    let admission = inFlight.admit(frame) { id, error in
      MessageBytes.error(id: id, code: error.code, message: error.text.key, data: error.data)
    }
    if let reply = admission.reply { connection.send(reply: reply) }
    admission.messages.forEach(start)
    server.log.append(.received(number, frame))
  }

  private func start(_ message: Message) {
    switch message {
    case .request(let id, "hold", _): held.append(id)
    case .request(let id, "lend", _):
      held.append(id)
      server.lent.append(connection.lendOutput())
    case .request(_, "mute", _): isMute = true
    case .request(let id, "big", let params):
      answer(id, .string(String(repeating: "x", count: Int(params["size"]?.integerValue ?? 0))))
    case .request(let id, "commit", _): answer(id, ["clock": .integer(server.commit())])
    case .request(let id, "subscribe", _):
      cursor = server.clock.load(ordering: .sequentiallyConsistent)
      answer(id, ["clock": .integer(cursor!)])
    case .request(let id, "progress", let params): report(id, params)
    case .request(let id, "notices", let params):
      for index in 1...(params["count"]?.integerValue ?? 1) {
        connection.send(reply: MessageBytes.notification(method: "notice", params: ["n": .integer(index)]))
      }
      answer(id, .null)
    case .request(let id, "fail", _):
      guard
        let reply = inFlight.complete(
          id, MessageBytes.error(id: id, code: 1, message: "failed", data: ["kind": "conflict"]), tooMuch: { [] })
      else { return }
      connection.send(reply: reply)
    case .request(let id, _, let params): answer(id, params)
    case .notification("release", _): release()
    case .notification("pause", _): connection.pauseReading()
    case .notification("$/cancelRequest", let params):
      guard !isMute, let id = params["id"].flatMap(RequestID.init) else { return }
      let bytes = MessageBytes.error(id: id, code: RPCError.Code.cancelled, message: "cancelled", data: [:])
      if let reply = inFlight.complete(id, bytes, tooMuch: { [] }) { connection.send(reply: reply) }
    default: break
    }
  }

  private func report(_ id: RequestID, _ params: JSONValue) {
    let token = params["workDoneToken"].flatMap(RequestID.init) ?? .integer(0)
    func send(_ step: ProgressStep, _ value: JSONValue) {
      let progress: JSONValue = ["token": token.json, "value": value]
      connection.send(
        progress: MessageBytes.notification(method: "$/progress", params: progress), step: step, token: token)
      if params["flush"] == true { connection.flush() }
    }
    send(.begin, "begin")
    for index in 1...(params["count"]?.integerValue ?? 1) { send(.report, .integer(index)) }
    send(.end, "end")
    answer(id, params["count"] ?? 1)
  }

  private func answer(_ id: RequestID, _ result: JSONValue) {
    let bytes = MessageBytes.result(id: id, JSONWriter.bytes(of: result))
    if let reply = inFlight.complete(id, bytes, tooMuch: { [] }) { connection.send(reply: reply) }
  }

  package func connectionSentLentReply(_ connection: Connection) {
    server.log.append(.sentLent(number))
    for id in held { inFlight.remove(id) }
    held = []
    closeIfDone()
  }

  package func release() {
    let ids = held
    held = []
    for id in ids { answer(id, "released") }
    closeIfDone()
  }

  private var inputHasEnded = false

  package func connectionInputEnded(_ connection: Connection) {
    inputHasEnded = true
    server.log.append(.inputEnded(number))
    closeIfDone()
  }

  private func closeIfDone() {
    if inputHasEnded, inFlight.count == 0 { connection.closeWhenDrained() }
  }

  package func connectionDidClose(_ connection: Connection, reason: CloseReason) {
    server.log.append(.closed(number, reason))
    server.closed.append(number)
  }

  package func connectionHasRoom(_ connection: Connection) {
    server.log.append(.hasRoom(number))
  }

  package func nextNotification(for connection: Connection) -> [UInt8]? {
    let clock = server.clock.load(ordering: .sequentiallyConsistent)
    guard let since = cursor, since < clock else { return nil }
    cursor = clock
    return MessageBytes.notification(method: "moved", params: ["since": .integer(since), "clock": .integer(clock)])
  }
}
