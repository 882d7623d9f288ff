import Client
import Contract
import Link
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Client", .timeLimit(.minutes(10)))
struct ClientTests {
  @Test("requests leave in the order of the calls, wherever their replies are awaited")
  func order() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let pending = (0..<300).map { client.send("echo", [.integer($0)]) }
      for reply in pending.reversed() { _ = try await reply.value() }
      let arrived = server.log.events.compactMap { event -> JSONValue? in
        if case .received(_, .single(.request(_, _, let params))) = event { params[0] } else { nil }
      }
      #expect(arrived == (0..<300).map { .integer($0) })
      await client.close()
    }
  }

  @Test("a client without a record stores no received message")
  func noRecord() async throws {
    try await ToyServer.run { server in
      let client = try await Client.connect(socket: server.path)
      #expect(try await client.call("echo", [1]) == [1])
      #expect(client.received.isEmpty)
      await client.close()
    }
  }

  @Test("a cancelled task asks the server to stop and returns its answer")
  func cancellation() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let task = Task { try await client.call("hold") }
      try await server.log.first { if case .received = $0 { true } else { false } }
      task.cancel()
      let error = await #expect(throws: RemoteError.self) { try await task.value }
      #expect(error?.code == -32800)

      let early = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.call("echo", ["true": "answer"])
      }
      #expect(try await early.value == ["true": "answer"], "The answer was on its way before the cancellation.")
      await client.close()
    }
  }

  @Test("a reply goes to all who wait for it, and to who asks for it later")
  func severalWait() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let pending = client.send("hold")
      // Each waits already when the next one comes.
      let (codes, tell) = AsyncStream.makeStream(of: Int?.self)
      for _ in 0..<3 {
        Task.immediate {
          do { _ = try await pending.value() } catch { tell.yield((error as? RemoteError)?.code) }
        }
      }
      pending.cancel()
      var found: [Int?] = []
      for await code in codes.prefix(3) { found.append(code) }
      #expect(found == [-32800, -32800, -32800])
      let late = await #expect(throws: RemoteError.self) { try await pending.value() }
      #expect(late?.code == -32800)
      await client.close()
    }
  }

  @Test("a server that never answers is not waited for once the task is cancelled and the grace has passed")
  func cancellationGrace() async throws {
    try await ToyServer.run { server in
      let client = try await Client.connect(socket: server.path, cancellationGrace: .milliseconds(10))
      let task = Task { try await client.call("mute") }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await client.call("echo", [1]) == [1])
      await client.close()
    }
  }

  @Test("a cancelled task waits neither for a frame nor for the end of the connection")
  func cancelledWaits() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect(record: true)
      let frame = Task { try await client.firstReceived { _ in true } }
      let end = Task { try await client.closed() }
      frame.cancel()
      end.cancel()
      await #expect(throws: CancellationError.self) { try await frame.value }
      await #expect(throws: CancellationError.self) { try await end.value }
      await client.close()
    }
  }

  @Test("an error reply carries its code, its sentence and its kind")
  func remoteError() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let error = await #expect(throws: RemoteError.self) { try await client.call("fail") }
      #expect(error?.code == 1)
      #expect(error?.message == "failed")
      #expect(error?.kind == "conflict")
      await #expect(throws: ClientError.paramsNotObject) {
        try await client.call("echo", [1], onProgress: { _ in })
      }
      await client.close()
    }
  }

  @Test("whoever watches failures hears of each that somebody waits for, with its method")
  func watchedFailures() async throws {
    try await ToyServer.run { server in
      let seen = Mutex<[String]>([])
      let client = try await Client.connect(socket: server.path) { method, error in
        seen.withLock { $0.append("\(method) \(error.code)") }
      }
      await #expect(throws: RemoteError.self) { try await client.call("fail") }
      _ = try await client.call("echo", [1])
      #expect(seen.withLock(\.self) == ["fail 1"])
      await client.close()
      await #expect(throws: ClientError.self) { try await client.call("fail") }
      #expect(seen.withLock(\.self).count == 1)
    }
  }

  @Test("a server that goes fails what waits and what is asked afterwards")
  func serverGoes() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect(record: true)
      let pending = client.send("hold")
      try await server.log.first { if case .received = $0 { true } else { false } }
      server.peer(0).execute { $0.connection.close() }
      await #expect(throws: ClientError.self) { try await pending.value() }
      await #expect(throws: ClientError.self) { try await client.call("echo") }
      await #expect(throws: ClientError.self) { try await client.firstReceived { _ in true } }
      await client.close()
    }
  }

  @Test("notifications come in order and end with the connection")
  func notifications() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      _ = try await client.call("subscribe")
      for _ in 0..<3 { _ = try await client.call("commit") }
      client.closeInput()
      try await client.closed()
      var clocks: [Int64] = []
      for try await notification in client.notifications {
        clocks.append(notification.params["clock"]?.integerValue ?? 0)
      }
      #expect(clocks == [1, 2, 3])
    }
  }

  @Test("notifications that nobody reads end the stream with an error instead of filling the memory")
  func overflow() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      _ = try await client.call("notices", ["count": .integer(Int64(Client.notificationLimit) + 1)])
      await client.close()
      var count = 0
      await #expect(throws: ClientError.overflow(limit: Client.notificationLimit)) {
        for try await _ in client.notifications { count += 1 }
      }
      #expect(count == Client.notificationLimit)
    }
  }

  @Test("a typed call sends the method's params under its name and reads its result")
  func typedCall() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let params = Echo.Params(text: "독서", page: nil)
      #expect(try await client.call(Echo.self, params) == params)
      let request = try await server.log.first { if case .received = $0 { true } else { false } }
      guard case .received(0, .single(.request(_, "echo", let sent))) = request else {
        Issue.record("\(request)")
        return
      }
      // What is not there is left out, not null.
      #expect(sent == ["text": "독서"])
      await client.close()
    }
  }

  @Test("a result that a typed method does not promise is an error that names the field, and the client goes on")
  func wrongResult() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let error = await #expect(throws: RPCError.self) {
        try await client.call(Mistaken.self, Echo.Params(text: "a", page: nil))
      }
      #expect(error?.data["field"] == "text")
      #expect(try await client.call(Echo.self, Echo.Params(text: "b", page: 3)).page == 3)
      await client.close()
    }
  }

  @Test("a typed call that is refused or loses its server throws what the plain one throws")
  func typedFailure() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      let error = await #expect(throws: RemoteError.self) { try await client.call(Fail.self, Empty()) }
      #expect(error?.kind == "conflict")
      await client.close()
      await #expect(throws: ClientError.self) { try await client.call(Fail.self, Empty()) }
    }
  }

  @Test("nobody listening is an error at once")
  func nobody() async throws {
    await #expect(throws: (any Error).self) { try await Client.connect(socket: "/nonexistent/commonplace.sock") }
    #expect(throws: UnixSocket.Failure.system(call: "connect", errno: 2)) {
      try UnixSocket.connect("/nonexistent/commonplace.sock")
    }
  }
}

/// The toy server gives back what it gets.
private enum Echo: Method {
  static let name = "echo"
  static let summary = "Gives back its params."
  static let effects: Effects = []

  struct Params: Payload, Equatable {
    var text: String
    var page: Int?
    static let example = Params(text: "a", page: nil)
    static let fields = ["text": "A text.", "page": "A page."]
  }
  typealias Result = Params
}

/// Gives back a text where a number is promised.
private enum Mistaken: Method {
  static let name = "echo"
  static let summary = "Gives back its params, which are no such result."
  static let effects: Effects = []
  typealias Params = Echo.Params

  struct Result: Payload {
    var text: Int
    static let example = Result(text: 1)
    static let fields = ["text": "A number."]
  }
}

private enum Fail: Method {
  static let name = "fail"
  static let summary = "Fails."
  static let effects: Effects = []
  typealias Params = Empty
  typealias Result = Empty
}
