import Client
import TestSupport
import Testing
import Wire

@testable import Link

@Suite("Outbox", .timeLimit(.minutes(10)))
struct OutboxTests {
  @Test("a reply with clock N comes after every notification up to N, to the writer and to everyone")
  func order() async throws {
    try await ToyServer.run { server in
      let watcher = try await server.connect(record: true)
      let writers = try await Array(0..<4).asyncMap { _ in
        try await server.connect(record: true)
      }
      for client in writers + [watcher] { _ = try await client.call("subscribe") }
      try await withThrowingTaskGroup { group in
        for writer in writers {
          let replies = (0..<200).map { _ in writer.send("commit") }
          group.addTask { for reply in replies { _ = try await reply.value() } }
        }
        try await group.waitForAll()
      }
      _ = try await watcher.call("commit")
      for client in writers + [watcher] {
        var told: Int64 = 0
        for frame in client.received.dropFirst() {
          switch frame {
          case .single(.notification("moved", let params)):
            #expect(params["since"] == .integer(told), "A gap, or a step back.")
            told = params["clock"]?.integerValue ?? -1
          case .single(.response(_, let result?, _)):
            let clock = try #require(result["clock"]?.integerValue)
            #expect(clock <= told, "The reply with clock \(clock) overtook a notification.")
          default: break
          }
        }
      }
      for client in writers + [watcher] { await client.close() }
    }
  }

  @Test("a peer that reads nothing costs a cursor: its replies stop at the limit, and others are not slower")
  func stalledReader() async throws {
    try await ToyServer.run(settings: .toy(stallLimit: nil)) { server in
      let stalled = try await server.connectRaw()
      let subscribe = MessageBytes.request(id: .integer(0), method: "subscribe", params: .null)
      let big = MessageBytes.request(id: .integer(1), method: "big", params: ["size": .integer(5 << 20)])
      stalled.write(Framing.lines.frame(subscribe) + Framing.lines.frame(big))
      try await server.log.first { $0 == .received(0, Frame(reading: big)) }

      let client = try await server.connect()
      let commits = (0..<2000).map { _ in client.send("commit") }
      for commit in commits { _ = try await commit.value() }
      let unsent = await server.peer(0).read { $0.connection.unsentBytes }
      #expect(unsent > 4 << 20 && unsent < 5 << 20 + 100)

      // When it wakes it gets its reply, and the two thousand commits as one notification or a few.
      // Bytes count as taken piece by piece, not when the whole reply is: two of its five MiB make room.
      let start = try await stalled.read(2 << 20)
      try await server.log.first { $0 == .hasRoom(0) }
      let reader = Task.detached { try await stalled.readToEnd() }
      _ = try await client.call("commit")
      stalled.endInput()
      let lines = try await (String(decoding: start, as: UTF8.self) + reader.value).split(separator: "\n").map {
        Frame(reading: Array($0.utf8))
      }
      let moved = lines.filter { if case .single(.notification) = $0 { true } else { false } }
      #expect(!moved.isEmpty && moved.count < 5)
      #expect(lines.contains { $0.id == .integer(1) })
      await client.close()
    }
  }

  @Test("a peer with unsent replies that takes no byte is closed, and nobody else")
  func stallLimit() async throws {
    try await ToyServer.run(settings: .toy(stallLimit: .milliseconds(80))) { server in
      let client = try await server.connect()
      _ = try await client.call("echo")
      let stalled = try await server.connectRaw()
      let big = MessageBytes.request(id: .integer(1), method: "big", params: ["size": .integer(2 << 20)])
      stalled.write(Framing.lines.frame(big))
      #expect(try await server.closeReason(of: 1) == .stalled(.milliseconds(80)))
      #expect(try await client.call("echo", ["well": true]) == ["well": true])
      await client.close()
    }
  }

  @Test("a slow peer that takes some bytes now and then within one long reply is not closed, whatever it takes in all")
  func slowReader() async throws {
    let clock = HandClock()
    var settings = Connection.Settings.toy(stallLimit: .milliseconds(40))
    settings.now = { clock.look() }
    try await ToyServer.run(settings: settings) { server in
      let slow = try await server.connectRaw()
      let size = 3 << 20
      let big = MessageBytes.request(id: .integer(1), method: "big", params: ["size": .integer(Int64(size))])
      slow.write(Framing.lines.frame(big))
      slow.endInput()
      var count = 0
      // Nine tenths of the limit pass between two pieces, of each of which the connection takes notice before.
      while count < size {
        let piece = try await slow.read(256 << 10)
        if piece.isEmpty { break }
        count += piece.count
        if count < size - 512 << 10 { try await clock.lookedAtTwice() }
        clock.advance(by: .milliseconds(36))
      }
      count += try await slow.read(.max).count
      #expect(count > size)
      #expect(try await server.closeReason(of: 0) == .inputEnded)
    }
  }

  @Test(
    "a peer that sends a byte of its message now and then is told that it is too slow, and closed",
    .timeLimit(.minutes(10)))
  func trickle() async throws {
    let clock = HandClock()
    var settings = Connection.Settings.toy(linger: .milliseconds(10))
    settings.now = { clock.look() }
    try await ToyServer.run(settings: settings) { server in
      let slow = try await server.connectRaw()
      slow.write(Array("{".utf8))
      // When the watch is made, when the message begins and when the watch begins.
      try await clock.lookedAt(times: 3)
      clock.advance(by: .seconds(29))
      let before = clock.count
      slow.write(Array(" ".utf8))
      try await clock.lookedAt(times: before + 1)
      clock.advance(by: .seconds(29))
      slow.write(Array(" ".utf8))
      let answer = String(decoding: try await slow.read(.max), as: UTF8.self)
      #expect(answer.contains("error.invalidRequest.halfFrame"), "\(answer)")
      #expect(try await server.closeReason(of: 0) == .halfFrame(.seconds(30)))
    }
  }

  @Test("a message may take thirty seconds and one more for each 64 KiB of it")
  func ages() {
    let begun = ContinuousClock.now
    let partial = PartialFrame(number: 0, since: begun)
    func isLate(_ seconds: Int, _ bytes: Int) -> Bool {
      partial.isLate(at: begun + .seconds(seconds), bytes: bytes, limit: .seconds(30))
    }
    #expect(!isLate(30, 1) && isLate(31, 1) && !isLate(31, 64 << 10) && isLate(32, 64 << 10))
    #expect(!isLate(285, 16 << 20) && isLate(287, 16 << 20))
  }

  @Test("a peer that only leaves its notifications unread is not closed")
  func unreadNotifications() async throws {
    try await ToyServer.run(settings: .toy(stallLimit: .milliseconds(20))) { server in
      let quiet = try await server.connectRaw()
      let subscribe = MessageBytes.request(id: .integer(0), method: "subscribe", params: .null)
      quiet.write(Framing.lines.frame(subscribe))
      try await server.log.first { $0 == .received(0, Frame(reading: subscribe)) }
      let client = try await server.connect()
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .milliseconds(100) { _ = try await client.call("commit") }
      #expect(await server.peer(0).read { $0.connection.unsentBytes } == 0)
      quiet.endInput()
      #expect(try await quiet.readToEnd().contains("moved"))
      await client.close()
    }
  }

  @Test("progress comes before its reply, in order, and only the latest report when it is not read in between")
  func progress() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let steps = EventLog<JSONValue>()
      #expect(try await client.call("progress", ["count": 5, "flush": true]) { steps.append($0) } == 5)
      #expect(steps.events == ["begin", 1, 2, 3, 4, 5, "end"])
      let latest = EventLog<JSONValue>()
      #expect(try await client.call("progress", ["count": 5]) { latest.append($0) } == 5)
      #expect(latest.events == ["begin", 5, "end"])
      await client.close()
    }
  }

  @Test("a peer over its limit sees the end of what it saw begin, and nothing of what it did not")
  func progressOverLimit() async throws {
    try await ToyServer.run(settings: .toy(stallLimit: nil)) { server in
      let peer = try await server.connectRaw()
      peer.write(Framing.lines.frame(MessageBytes.notification(method: "nothing", params: .null)))
      try await server.log.first { if case .received = $0 { true } else { false } }
      server.peer(0).execute { peer in
        let connection = peer.connection
        func send(_ step: ProgressStep, of token: String) {
          let bytes = MessageBytes.notification(
            method: "$/progress", params: ["token": .string(token), "value": .string(step.rawValue)])
          connection.send(progress: bytes, step: step, token: .string(token))
        }
        send(.begin, of: "a")
        connection.send(reply: [UInt8](repeating: UInt8(ascii: " "), count: Connection.unsentLimit))
        for step in [ProgressStep.report, .end, .report, .end] { send(step, of: "a") }
        for step in [ProgressStep.begin, .report, .end] { send(step, of: "b") }
      }
      peer.endInput()
      let seen = try await peer.readToEnd().split(separator: "\n").compactMap { line -> [JSONValue]? in
        guard case .single(.notification(_, let params)) = Frame(reading: Array(line.utf8)) else { return nil }
        return [params["token"] ?? .null, params["value"] ?? .null]
      }
      #expect(seen == [["a", "begin"], ["a", "end"]])
    }
  }

  @Test("a hundred clients are answered each what it asked")
  func hundredClients() async throws {
    try await ToyServer.run { server in
      try await withThrowingTaskGroup { group in
        for number in 0..<100 {
          group.addTask {
            let client = try await server.connect(framing: number.isMultiple(of: 2) ? .headers : .lines)
            let pending = (0..<20).map { client.send("echo", ["n": .integer(Int64(number * 100 + $0))]) }
            for (index, reply) in pending.enumerated() {
              #expect(try await reply.value() == ["n": .integer(Int64(number * 100 + index))])
            }
            await client.close()
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

extension Confined {
  func read<Result: Sendable>(_ body: @escaping @Sendable (Value) -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      execute { continuation.resume(returning: body($0)) }
    }
  }
}

extension Array {
  func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
