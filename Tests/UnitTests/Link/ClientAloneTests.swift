import Foundation
import Link
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Client

/// A client whose server is the test: it sees each byte, and answers what no server should.
@Suite("A client by itself", .timeLimit(.minutes(10)))
struct ClientAloneTests {
  private final class Server {
    private let requests = PipeEnds()
    private let replies = PipeEnds()
    private var parser = FrameParser()
    private var isOpen = true

    func connect(record: Bool = false) async throws -> Client {
      try await Client.connect(input: replies.reading, output: requests.writing, record: record)
    }

    func send(_ text: String) { writeAll(Framing.headers.frame(Array(text.utf8)), to: replies.writing) }

    func end() {
      guard isOpen else { return }
      isOpen = false
      close(replies.writing)
    }

    /// The next that the client sends.
    func next() async throws -> Message {
      while true {
        if let frame = try parser.next() {
          guard case .single(let message) = Frame(reading: frame) else { throw Unexpected() }
          return message
        }
        let descriptor = requests.reading
        let bytes = try await blocking {
          var buffer = [UInt8](repeating: 0, count: 1 << 16)
          let count = read(descriptor, &buffer, buffer.count)
          return Array(buffer.prefix(max(count, 0)))
        }
        guard !bytes.isEmpty else { throw Unexpected() }
        parser.append(bytes)
      }
    }

    deinit {
      end()
      close(requests.reading)
    }
  }

  private struct Unexpected: Error {}

  @Test("a server that asks is told that nobody answers, under its own id")
  func asked() async throws {
    let server = Server()
    let client = try await server.connect()
    server.send(#"{"jsonrpc":"2.0","id":"q","method":"window/show","params":{}}"#)
    guard case .response(let id, _, let error) = try await server.next() else { throw Unexpected() }
    #expect(id == .string("q") && error?["code"] == -32601)
    #expect(error?["message"]?.stringValue?.contains("window/show") == true)
    server.end()
    #expect(try await client.closed() == .inputEnded)
  }

  @Test("replies find their requests in any order, and what answers none is passed over")
  func answers() async throws {
    let server = Server()
    let client = try await server.connect()
    let (one, two) = (client.send("one"), client.send("two", ["a": 1]))
    guard case .request(let first, "one", _) = try await server.next(),
      case .request(let second, "two", let params) = try await server.next()
    else { throw Unexpected() }
    #expect(first == one.id && second == two.id && first != second && params == ["a": 1])
    server.send(#"{"jsonrpc":"2.0","id":999,"result":"nobody's"}"#)
    server.send(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}"#)
    server.send(#"[{"jsonrpc":"2.0","id":2,"result":"second"},{"jsonrpc":"2.0","id":1,"result":null}]"#)
    #expect(try await two.value() == "second")
    #expect(try await one.value() == .null)
    // The first answer counts.
    server.send(#"{"jsonrpc":"2.0","id":2,"result":"again"}"#)
    #expect(try await two.value() == "second")
    await client.close()
  }

  @Test("an error that says less than it should is one all the same, and whoever watches failures hears of it once")
  func poorErrors() async throws {
    let server = Server()
    let client = try await server.connect()
    for (number, (text, expected))
      in ([
        (#"{"code":5,"message":"m","data":{"kind":"k","x":1}}"#, (5, "m", "k")),
        (#"{"code":5,"message":"m"}"#, (5, "m", nil)), (#"{"code":6,"message":""}"#, (6, "", nil)),
      ] as [(String, (Int, String, String?))]).enumerated()
    {
      let reply = client.send("a")
      _ = try await server.next()
      server.send(#"{"jsonrpc":"2.0","id":\#(number + 1),"error":\#(text)}"#)
      let error = await #expect(throws: RemoteError.self) { try await reply.value() }
      #expect(error?.code == expected.0 && error?.message == expected.1 && error?.kind == expected.2)
    }
    #expect(RemoteError([:]) == RemoteError(["code": 0, "message": ""]))
    await client.close()
  }

  @Test("progress is asked for by a token of the request, heard in order, and no longer once the reply has come")
  func progress() async throws {
    let server = Server()
    let client = try await server.connect(record: true)
    let heard = Mutex<[JSONValue]>([])
    let reply = client.send("work", ["a": 1]) { value in heard.withLock { $0.append(value) } }
    let plain = client.send("work")
    let bare = client.send("work", .null) { _ in }
    guard case .request(_, _, let params) = try await server.next(),
      case .request(_, _, let none) = try await server.next(),
      case .request(_, _, let only) = try await server.next(), let token = params["workDoneToken"]?.stringValue
    else { throw Unexpected() }
    #expect(params["a"] == 1 && none["workDoneToken"] == nil && only["workDoneToken"] != nil)
    #expect(only["workDoneToken"] != params["workDoneToken"])
    func report(_ token: String, _ value: String) {
      server.send(#"{"jsonrpc":"2.0","method":"$/progress","params":{"token":"\#(token)","value":\#(value)}}"#)
    }
    report(token, "1")
    report("another", "2")
    server.send(#"{"jsonrpc":"2.0","method":"$/progress","params":{"token":"\#(token)"}}"#)
    report(token, "{\"b\":3}")
    server.send(#"{"jsonrpc":"2.0","id":1,"result":"done"}"#)
    report(token, "4")
    server.send(#"{"jsonrpc":"2.0","id":2,"result":"done"}"#)
    server.send(#"{"jsonrpc":"2.0","id":3,"result":"done"}"#)
    for pending in [reply, plain, bare] { #expect(try await pending.value() == "done") }
    #expect(heard.withLock(\.self) == [1, ["b": 3]])
    server.end()
    try await client.closed()
    // Progress is nobody's notification.
    for try await notification in client.notifications { Issue.record("\(notification)") }
  }

  @Test("bytes that are no message end the connection, and all that waited fails with the reason")
  func unreadable() async throws {
    let server = Server()
    let client = try await server.connect()
    let reply = client.send("a")
    _ = try await server.next()
    server.send("{no json")
    let error = await #expect(throws: ClientError.self) { try await reply.value() }
    guard case .closed(.failed(let reason)) = error else { throw Unexpected() }
    #expect(try await client.closed() == .failed(reason) && !reason.isEmpty)
    await #expect(throws: ClientError.closed(.failed(reason))) { try await client.call("b") }
  }

  @Test("a server that takes no bytes is asked nothing more once 64 MiB wait for it")
  func unsent() async throws {
    let server = Server()
    let client = try await server.connect()
    client.sendRaw([UInt8](repeating: 32, count: 60 << 20))
    let early = client.send("early")
    client.sendRaw([UInt8](repeating: 32, count: 5 << 20))
    await #expect(throws: ClientError.tooMuchUnsent(limit: 64 << 20)) { try await client.call("late") }
    await client.close()
    await #expect(throws: ClientError.closed(.asked)) { try await early.value() }
  }

  @Test("a reply may be longer than what a daemon takes")
  func longReply() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      #expect(try await client.call("big", ["size": .integer(17 << 20)]).stringValue?.utf8.count == 17 << 20)
      await client.close()
    }
  }

  @Test("what comes is recorded up to the limit, for whom it is wanted, and found from a place on")
  func record() async throws {
    let frame = Frame(reading: Array(#"{"jsonrpc":"2.0","method":"a"}"#.utf8))
    let other = Frame(reading: Array(#"{"jsonrpc":"2.0","method":"b"}"#.utf8))
    let none = Record(isEnabled: false)
    #expect(none.append(frame) && none.frames.isEmpty)
    let record = Record(isEnabled: true)
    #expect(record.append(frame) && record.append(other))
    #expect(try await record.first(from: 0) { _ in true } == frame)
    #expect(try await record.first(from: 1) { _ in true } == other)
    #expect(try await record.first(from: 0) { $0 == other } == other)
    let waiting = Task.immediate { try await record.first(from: 3) { _ in true } }
    let picky = Task.immediate { try await record.first(from: 0) { $0 != frame && $0 != other } }
    let ended = Task.immediate { try await record.closed() }
    #expect(record.append(frame) && record.append(other))
    #expect(try await waiting.value == other)
    var isTaken = true
    for _ in 4..<Record.limit { isTaken = record.append(frame) && isTaken }
    #expect(isTaken && !record.append(frame) && record.frames.count == 1 << 18)
    record.end(.vanished)
    await #expect(throws: ClientError.closed(.vanished)) { try await picky.value }
    #expect(try await ended.value == .vanished)
    #expect(try await record.closed() == .vanished)
    #expect(try await record.first(from: 0) { _ in true } == frame)
    await #expect(throws: ClientError.closed(.vanished)) { try await record.first(from: 0) { _ in false } }
  }
}
