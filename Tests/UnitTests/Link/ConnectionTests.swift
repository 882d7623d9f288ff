import Client
import Dispatch
import Glibc
import Link
import TestSupport
import Testing
import Wire

@Suite("Connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
  @Test("requests of both framings are answered in their own", arguments: [Framing.headers, .lines])
  func echo(framing: Framing) async throws {
    try await ToyServer.run { server in
      let client = try await server.connect(framing: framing)
      #expect(try await client.call("echo", ["text": "한글\n"]) == ["text": "한글\n"])
      await #expect(throws: RemoteError.self) { try await client.call("fail") }
      await client.close()
    }
  }

  @Test("one byte at a time is as good as all at once", arguments: [Framing.headers, .lines])
  func byteByByte(framing: Framing) async throws {
    try await ToyServer.run { server in
      let peer = try await server.connectRaw()
      let request = MessageBytes.request(id: .integer(1), method: "echo", params: ["a": "b"])
      for byte in framing.frame(request) { peer.write([byte]) }
      peer.endInput()
      let reply = MessageBytes.result(id: .integer(1), Array(#"{"a":"b"}"#.utf8))
      #expect(try await peer.readToEnd() == String(decoding: framing.frame(reply), as: UTF8.self))
    }
  }

  @Test("a reply of 17 MiB arrives whole, and a request of 17 MiB is refused before it has come")
  func largeFrames() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let big = try await client.call("big", ["size": .integer(17 << 20)])
      #expect(big.stringValue?.utf8.count == 17 << 20)
      await client.close()

      let sender = try await server.connect(record: true)
      sender.sendRaw(Framing.headers.frame([UInt8](repeating: UInt8(ascii: " "), count: 17 << 20)))
      let answer = try await sender.firstReceived { _ in true }
      #expect(answer.error?["message"] == "error.invalidRequest.tooLarge")
      #expect(try await server.closeReason(of: 1) == .badFrame(.tooLarge(limit: 16 << 20)))
    }
  }

  @Test("while a large frame is read others of its loop are served, and what its peer sent after it waits for it")
  func largeFrameElsewhere() async throws {
    let gate = DispatchSemaphore(value: 0)
    var settings = Connection.Settings.toy()
    settings.readLarge = {
      gate.wait()
      return Frame(reading: $0)
    }
    try await ToyServer.run(settings: settings) { server in
      let large = try await server.connect(record: true)
      var others = [try await server.connect()]
      while server.peer(others.count).loop != server.peer(0).loop { others.append(try await server.connect()) }
      let text = JSONValue.string(String(repeating: "x", count: 300 << 10))
      let first = large.send("echo", ["text": text])
      let second = large.send("echo", ["second": true])
      large.closeInput()
      #expect(try await others.last!.call("echo", ["other": true]) == ["other": true])
      #expect(server.log.events.allSatisfy { if case .received(0, _) = $0 { false } else { true } })
      gate.signal()
      #expect(try await first.value() == ["text": text])
      #expect(try await second.value() == ["second": true])
      let replies = large.received.compactMap { frame -> RequestID? in
        if case .single(.response(let id, _, _)) = frame { id } else { nil }
      }
      #expect(replies == [first.id, second.id])
      #expect(try await server.closeReason(of: 0) == .inputEnded)
      for other in others { await other.close() }
    }
  }

  @Test(
    "a peer that sends thousands of frames at once has its share of a turn of its loop, and then others have theirs")
  func turns() async throws {
    let loops = Loops(count: 1)
    let pair = SocketPair()
    let peer = try await Connection.open(input: pair.one, output: dup(pair.one), on: loops, settings: .toy()) {
      TurnCounter($0)
    }
    let frame = Framing.lines.frame(MessageBytes.notification(method: "n", params: .null))
    let all = Array(repeatElement(frame, count: 20_000).joined())
    try await blocking { writeAll(all, to: pair.other) }
    shutdown(pair.other, Int32(SHUT_WR))
    try await TurnCounter.ended(peer)
    let (total, most) = await withCheckedContinuation { continuation in
      peer.execute { continuation.resume(returning: ($0.total, $0.most)) }
    }
    #expect(total == 20_000)
    // One read of a turn may find frames left, and what it hands out counts too.
    #expect(most <= 2 * Connection.framesPerTurn)
    close(pair.other)
    try await loops.shutdown()
  }

  @Test("a peer that rests after each frame has one of a turn of its loop, and all of them before its end")
  func rests() async throws {
    let loops = Loops(count: 1)
    let pair = SocketPair()
    let peer = try await Connection.open(input: pair.one, output: dup(pair.one), on: loops, settings: .toy()) {
      TurnCounter($0, rest: .microseconds(100))
    }
    let frame = Framing.lines.frame(MessageBytes.notification(method: "n", params: .null))
    try await blocking { writeAll(Array(repeatElement(frame, count: 200).joined()), to: pair.other) }
    shutdown(pair.other, Int32(SHUT_WR))
    try await TurnCounter.ended(peer)
    let (total, most) = await withCheckedContinuation { continuation in
      peer.execute { continuation.resume(returning: ($0.total, $0.most)) }
    }
    // A loop that is late ends a rest in the turn in which the count is set back.
    #expect(total == 200 && most <= 2)
    close(pair.other)
    try await loops.shutdown()
  }

  @Test("a frame that cannot be read is answered under no id, and its connection alone is closed")
  func badFrame() async throws {
    try await ToyServer.run { server in
      let other = try await server.connect()
      _ = try await other.call("echo")
      let peer = try await server.connectRaw()
      peer.write("Content-Type: nothing\r\n\r\n")
      let reply = try await peer.readToEnd()
      #expect(reply.contains(#""id":null"#) && reply.contains("-32600"))
      #expect(reply.contains("error.invalidRequest.noLength"))
      peer.endInput()
      #expect(try await server.closeReason(of: 1) == .badFrame(.noLength))
      #expect(try await other.call("echo", ["still": true]) == ["still": true])
      await other.close()
    }
  }

  @Test("a peer that goes on after a bad frame is cut off")
  func lingering() async throws {
    try await ToyServer.run(settings: .toy(linger: .milliseconds(20))) { server in
      let peer = try await server.connectRaw()
      peer.write("nonsense\r\n\r\n")
      #expect(try await server.closeReason(of: 0) == .badFrame(.badHeader))
      #expect(try await peer.readToEnd().contains("error.invalidRequest.header"))
    }
  }

  @Test("text that is no JSON, no message, or too deep is answered, and the connection goes on")
  func garbage() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect(framing: .lines, record: true)
      client.sendRaw(Array("{\n".utf8))
      client.sendRaw([0x22, 0xFF, 0x22, 0x0A])
      client.sendRaw(Array(String(repeating: "[", count: 10_000).utf8) + [0x0A])
      client.sendRaw(Array("[]\n17\n".utf8))
      client.sendRaw(Array(#"{"jsonrpc":"2.0","id":"\udead","method":"echo"}"#.utf8) + [0x0A])
      client.sendRaw(Array(#"{"jsonrpc":"2.0","id":5,"method":"echo","params":["\udead"]}"#.utf8) + [0x0A])
      _ = try await client.firstReceived { $0.id == .integer(5) }
      let codes = client.received.map { $0.error?["code"] ?? .null }
      #expect(codes == [-32700, -32700, -32700, -32600, -32600, -32600, .null])
      #expect(client.received.last == .single(.response(id: .integer(5), result: ["\u{0}"], error: nil)))
      await client.close()
    }
  }

  @Test("an id in use is refused, the first request is answered, and an answer to nothing is nothing")
  func duplicateIDs() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect(framing: .lines, record: true)
      client.sendRaw(Array((#"{"jsonrpc":"2.0","id":"a","method":"hold"}"# + "\n").utf8))
      client.sendRaw(Array((#"{"jsonrpc":"2.0","id":"a","method":"echo"}"# + "\n").utf8))
      client.sendRaw(Array((#"{"jsonrpc":"2.0","id":"nobody","result":1}"# + "\n").utf8))
      _ = try await client.firstReceived { $0.id == .string("a") }
      client.notify("release")
      let last = try await client.firstReceived(from: 1) { $0.id == .string("a") }
      #expect(client.received.first?.error?["code"] == -32600)
      #expect(last == .single(.response(id: .string("a"), result: "released", error: nil)))
      #expect(client.received.count == 2)
      await client.close()
    }
  }

  @Test("a batch is answered by one array when its last member is")
  func batch() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect(record: true)
      let batch = #"""
        [{"jsonrpc":"2.0","id":"a","method":"hold"},{"jsonrpc":"2.0","method":"nothing"},7,
        {"jsonrpc":"2.0","id":"b","method":"echo","params":{}}]
        """#
      client.sendRaw(Framing.headers.frame(Array(batch.utf8)))
      #expect(try await client.call("echo", ["before": 1]) == ["before": 1])
      client.notify("release")
      let reply = try await client.firstReceived { if case .batch = $0 { true } else { false } }
      guard case .batch(let members) = reply else { return }
      #expect(members.map(\.id) == [.string("a"), nil, .string("b")])
      await client.close()
    }
  }

  @Test("a peer that leaves in the middle of a frame is only that")
  func leavesInsideFrame() async throws {
    try await ToyServer.run { server in
      do {
        let peer = try await server.connectRaw()
        peer.write("Content-Length: 100\r\n\r\n{\"jsonrpc\"")
      }
      #expect(try await server.closeReason(of: 0) == .insideFrame)
      let client = try await server.connect()
      #expect(try await client.call("echo", [:]) == [:])
      await client.close()
    }
  }

  @Test("a peer that is gone when the last of its input is read disturbs neither the loop nor its neighbours")
  func goneAtTheEnd() async throws {
    try await ToyServer.run { server in
      let gate = DispatchSemaphore(value: 0)
      do {
        let peer = try await server.connectRaw()
        // The loop sees the request, the end and the hang-up at once, and the request fills NIO's first buffer to the
        // last byte: so one read finds both, and its answer is written where NIO is about to end the input.
        server.peer(0).execute { _ in gate.wait() }
        let empty = Framing.lines.frame(MessageBytes.request(id: .integer(1), method: "echo", params: [""]))
        let text = String(repeating: "x", count: 2048 - empty.count)
        peer.write(
          Framing.lines.frame(
            MessageBytes.request(id: .integer(1), method: "echo", params: [.string(text)])))
      }
      gate.signal()
      #expect(try await server.closeReason(of: 0) == .vanished)
    }
  }

  @Test("input that ended on a socket loses none of three replies, the last line without its end among them")
  func halfClosedSocket() async throws {
    try await ToyServer.run { server in
      let peer = try await server.connectRaw()
      let requests = (1...3).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"hold"}"# }
      peer.write(requests.joined(separator: "\n"))
      peer.endInput()
      try await server.log.first { $0 == .inputEnded(0) }
      server.peer(0).execute { $0.release() }
      let replies = try await peer.readToEnd().split(separator: "\n").map { Frame(reading: Array($0.utf8)).id }
      #expect(replies == [.integer(1), .integer(2), .integer(3)])
      #expect(try await server.closeReason(of: 0) == .inputEnded)
    }
  }

  @Test("a paused connection hands out nothing more, not even what was read, until it is resumed")
  func pause() async throws {
    try await ToyServer.run { server in
      let peer = try await server.connectRaw()
      let pause = MessageBytes.notification(method: "pause", params: .null)
      let request = MessageBytes.request(id: .integer(1), method: "echo", params: [1])
      peer.write(Framing.lines.frame(pause) + Framing.lines.frame(request))
      peer.endInput()
      try await server.log.first { $0 == .received(0, .single(.notification(method: "pause", params: .null))) }
      // The loop has had every occasion to go on: the other events of the same read are behind this one.
      await withCheckedContinuation { done in server.peer(0).execute { _ in done.resume() } }
      #expect(!server.log.events.contains(.received(0, Frame(reading: request))))
      #expect(!server.log.events.contains(.inputEnded(0)))
      server.peer(0).execute { $0.connection.resumeReading() }
      #expect(try await peer.readToEnd().contains("[1]"))
      // The peer sees the end before the server has told of it.
      _ = try await server.closeReason(of: 0)
      let order = server.log.events.suffix(3)
      #expect(order.first == .received(0, Frame(reading: request)))
    }
  }
}

extension Message {
  var id: RequestID? {
    switch self {
    case .request(let id, _, _): id
    case .response(let id, _, _), .invalid(let id, _): id
    case .notification: nil
    }
  }
}

extension Frame {
  var id: RequestID? {
    if case .single(let message) = self { message.id } else { nil }
  }

  var error: JSONObject? {
    if case .single(.response(_, _, let error)) = self { error } else { nil }
  }
}

/// Counts the frames that it was given between two turns of its loop.
private final class TurnCounter: ConnectionDelegate {
  private let connection: Connection
  private(set) var total = 0
  private(set) var most = 0
  private var ofTurn = 0
  private var waiter: CheckedContinuation<Void, Never>?
  private var isOver = false
  private let rest: Duration?

  init(_ connection: Connection, rest: Duration? = nil) {
    self.connection = connection
    self.rest = rest
  }

  static func ended(_ counter: Confined<TurnCounter>) async throws {
    await withCheckedContinuation { continuation in
      counter.execute { counter in
        if counter.isOver { continuation.resume() } else { counter.waiter = continuation }
      }
    }
  }

  func connection(_ connection: Connection, received frame: Frame, byteCount: Int) {
    total += 1
    ofTurn += 1
    most = max(most, ofTurn)
    guard ofTurn == 1 else { return }
    let counter = Confined(self, to: connection.loop)
    counter.execute { $0.ofTurn = 0 }
  }

  func connection(
    _ connection: Connection, restsAfter begun: ContinuousClock.Instant, until ended: ContinuousClock.Instant
  ) -> Duration? { rest }

  func connectionInputEnded(_ connection: Connection) { connection.closeWhenDrained() }

  func connectionDidClose(_ connection: Connection, reason: CloseReason) {
    isOver = true
    waiter?.resume()
  }

  func connectionHasRoom(_ connection: Connection) {}
  func nextNotification(for connection: Connection) -> [UInt8]? { nil }
}
