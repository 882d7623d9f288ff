import Link
import SQLite
import Synchronization
import TestSupport
import Wire

/// A server that answers `initialize`, and nothing else until it is cancelled. It can be made to close the first
/// connection that greets it, as a daemon does that ends in that moment, or every one that asks for something.
final class HeldServer: Sendable {
  private let listener: Listener
  private let loops: Loops
  private let requests: AsyncStream<Void>

  static func listen(
    at path: String, closingFirst: Bool = false, closingAsked: Bool = false
  ) async throws -> HeldServer {
    let door = Door(closesNext: closingFirst)
    let loops = Loops(count: 1)
    let (requests, heard) = AsyncStream.makeStream(of: Void.self)
    let settings = Connection.Settings { ($0.text.key, $0.data) }
    let listener = try await Listener.bind(path: path, on: loops, settings: settings) { _ in
      HeldPeer(heard, door, closesAsked: closingAsked)
    }
    return HeldServer(listener: listener, loops: loops, requests: requests)
  }

  private init(listener: Listener, loops: Loops, requests: AsyncStream<Void>) {
    self.listener = listener
    self.loops = loops
    self.requests = requests
  }

  /// Returns when a request has come that is not answered.
  func asked() async {
    for await _ in requests { return }
  }

  func close() async {
    await listener.shutdown()
    try? await loops.shutdown()
  }
}

/// Whether the next greeting is met by a closed door.
private final class Door: Sendable {
  private let closesNext: Mutex<Bool>

  init(closesNext: Bool) {
    self.closesNext = Mutex(closesNext)
  }

  func closes() -> Bool {
    closesNext.withLock { closesNext in
      defer { closesNext = false }
      return closesNext
    }
  }
}

private final class HeldPeer: ConnectionDelegate {
  private let heard: AsyncStream<Void>.Continuation
  private let door: Door
  private let closesAsked: Bool
  private var held: RequestID?

  init(_ heard: AsyncStream<Void>.Continuation, _ door: Door, closesAsked: Bool) {
    self.heard = heard
    self.door = door
    self.closesAsked = closesAsked
  }

  func connection(_ connection: Connection, received frame: Frame, byteCount: Int) {
    switch frame {
    case .single(.request(_, "initialize", _)) where door.closes(): connection.close()
    case .single(.request(let id, "initialize", _)):
      connection.send(reply: MessageBytes.result(id: id, Array("{}".utf8)))
    case .single(.request) where closesAsked: connection.close()
    case .single(.request(let id, _, _)):
      held = id
      heard.yield()
    case .single(.notification("$/cancelRequest", _)):
      guard let held else { return }
      connection.send(
        reply: MessageBytes.error(
          id: held, code: RPCError.Code.cancelled, message: "cancelled at last", data: [:]))
    default: break
    }
  }

  func connectionInputEnded(_ connection: Connection) { connection.closeWhenDrained() }
  func connectionDidClose(_ connection: Connection, reason: CloseReason) {}
  func connectionHasRoom(_ connection: Connection) {}
  func nextNotification(for connection: Connection) -> [UInt8]? { nil }
}
