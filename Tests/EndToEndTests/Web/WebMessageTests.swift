import Foundation
import TestSupport
import Testing
import Wire

@Suite("The page's WebSocket is a client of the daemon", .timeLimit(.minutes(10)))
struct WebMessageTests {
  @Test("two windows are two clients: each has its own undo, and hears of the other's change")
  func twoWindows() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let (one, two) = (try await bridge.openSocket(session), try await bridge.openSocket(session))
    _ = try await two.call(1, "changes/subscribe")
    let card = try await one.call(1, "projects/add", ["title": "Return the book"])
    let id = try #require(card?["result"]?["id"]?.stringValue)
    let notice = try await two.receive()
    guard case .text(let text) = notice else {
      Issue.record("\(notice)")
      return
    }
    #expect(try JSONParser.parse(text)["params"]?["changes"]?[0]?["id"]?.stringValue == id)
    #expect(try await two.call(2, "changes/undo")?["error"]?["data"]?["kind"] == "nothingToUndo")
    #expect(try await one.call(2, "changes/undo")?["result"]?["items"]?[0]?["id"]?.stringValue == id)
  }

  @Test("messages pass as they are: batches, fragments, line ends, large ones, and replies larger than any buffer")
  func messages() async throws {
    let bridge = try await WebBridge.start()
    let socket = try await bridge.openSocket(try await bridge.signIn())
    await socket.send("[\n  {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"session/ping\"}\n]")
    #expect(try await socket.receive() == .text(#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#))
    await socket.send("no JSON ü")
    guard case .text(let error) = try await socket.receive() else {
      Issue.record("closed")
      return
    }
    #expect(error.contains("-32700"))
    let request = Array(#"{"jsonrpc":"2.0","id":2,"method":"session/ping"}"#.utf8)
    await socket.connection.send(WebSocketClient.frame(opcode: 1, Array(request[..<7]), isLast: false))
    await socket.connection.send(WebSocketClient.frame(opcode: 9, Array("ping".utf8)))
    await socket.connection.send(WebSocketClient.frame(opcode: 0, Array(request[7..<30]), isLast: false))
    await socket.connection.send(WebSocketClient.frame(opcode: 0, Array(request[30...])))
    #expect(try await socket.receive() == .text(#"{"jsonrpc":"2.0","id":2,"result":{}}"#))
    let text = String(repeating: "한강을 따라 걸었다. ", count: 30_000)
    let added = try await socket.call(3, "diary/add", ["text": .string(text)])
    let id = try #require(added?["result"]?["id"])
    let read = try await socket.call(4, "diary/get", ["id": id])
    #expect(read?["result"]?["text"]?.stringValue == text)
    #expect(try await socket.call(5, "rpc.discover")?["result"]?["openrpc"] != nil)
  }

  @Test("what is no message of a page closes the WebSocket with the code for it")
  func violations() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let large = [UInt8](repeating: 0x20, count: 12 << 20)
    let key = [UInt8](repeating: 0, count: 4)
    let frames: [(bytes: [UInt8], code: Int)] = [
      (WebSocketClient.frame(opcode: 2, [1, 2, 3]), 1003),
      (WebSocketClient.frame(opcode: 1, Array("{}".utf8), isMasked: false), 1002),
      (WebSocketClient.frame(opcode: 0, Array("{}".utf8)), 1002),
      (WebSocketClient.frame(opcode: 1, [0x20], isLast: false) + WebSocketClient.frame(opcode: 1, [0x20]), 1002),
      (
        WebSocketClient.frame(opcode: 1, large, isLast: false, key: key)
          + WebSocketClient.frame(opcode: 0, large, key: key), 1009
      ),
      ([0x81, 0xFF, 0, 0, 0, 0, 0x7F, 0, 0, 0, 0, 0, 0, 0], 1009),
      (WebSocketClient.frame(opcode: 8, [0x03, 0xE8]), 1000),
    ]
    for (bytes, code) in frames {
      let socket = try await bridge.openSocket(session)
      let connection = socket.connection
      async let sent: Void = connection.send(bytes)
      #expect(try await socket.receive() == .closed(code: code, reason: ""))
      await sent
      try await connection.end()
    }
  }

  @Test("a page that sends and does not read is held back, and others are served meanwhile")
  func flood() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let (flooding, other) = (try await bridge.openSocket(session), try await bridge.openSocket(session))
    // Each reply is 400 KB. What the daemon, the bridge and the kernel hold is bounded, so at some point no more bytes
    // are accepted, long before the requests are all sent. Spaces fill the buffers with few requests.
    let spaces = String(repeating: " ", count: 16 << 10)
    func request(_ number: Int) -> [UInt8] {
      let text = #"{"jsonrpc":"2.0","id":\#(100_000 + number),"method":"rpc.discover"}"# + spaces
      return WebSocketClient.frame(opcode: 1, Array(text.utf8), key: [0, 0, 0, 0])
    }
    let length = request(0).count
    var accepted = 0
    let descriptor = flooding.connection.socket.descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var isFull = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while accepted < 64 << 20, poll(&isFull, 1, 2_000) > 0, isFull.revents == Int16(POLLOUT) {
      // A send may take a part of a request; the next one goes on there.
      let rest = request(accepted / length).dropFirst(accepted % length)
      accepted += max(
        0, rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
    }
    #expect(isFull.revents == 0, "the bridge has closed the WebSocket")
    #expect(accepted < 64 << 20)
    #expect(try await other.call(1, "session/ping")?["result"] == [:])
    #expect(try Self.resident(of: bridge.process.pid) < 200 << 20)
  }

  @Test("the pings of a page that does not read are not all answered, so that they fill no memory")
  func pings() async throws {
    let bridge = try await WebBridge.start()
    let socket = try await bridge.openSocket(try await bridge.signIn())
    let ping = WebSocketClient.frame(opcode: 9, [UInt8](repeating: 0x20, count: 125))
    let many = Array([[UInt8]](repeating: ping, count: 8000).joined())
    for _ in 0..<30 { await socket.connection.send(many) }
    await socket.connection.send(WebSocketClient.frame(opcode: 8, [0x03, 0xE8]))
    // An answer has 127 bytes. The kernel keeps some millions of bytes that are not read.
    let answered = try await socket.connection.socket.read(.max).count / 127
    #expect(answered < 200_000)
  }

  /// The bytes of a process in memory.
  private static func resident(of pid: pid_t) throws -> Int {
    let fields = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8).split(separator: " ")
    return (Int(fields[1]) ?? 0) * 4096
  }

  @Test("a daemon whose headers have no end is left, and what it says is not held")
  func endlessHeaders() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    _ = await bridge.home.killDaemon()
    unlink(bridge.home.socket)
    let listening = try Self.listen(at: bridge.home.socket)
    defer { close(listening) }
    async let sent = withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Self.sendHeaders(at: listening)) }
    }
    let socket = try await bridge.openSocket(session)
    #expect(try await socket.receive() == .closed(code: 4000, reason: ""))
    // Some hundred kilobytes are in the kernel's buffers.
    #expect(await sent < 8 << 20)
  }

  private static func listen(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && Foundation.listen(descriptor, 1) == 0)
    return descriptor
  }

  /// Sends headers to the first that connects, until it has left or 64 MiB are sent. Returns how many bytes it took.
  private static func sendHeaders(at listening: Int32) -> Int {
    var isAsked = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
    guard poll(&isAsked, 1, 300_000) == 1 else { return .max }
    let descriptor = accept(listening, nil, nil)
    defer { close(descriptor) }
    let lines = [UInt8](String(repeating: "X-Name: a value that says nothing\r\n", count: 100).utf8)
    var count = 0
    while count < 64 << 20 {
      let sent = send(descriptor, lines, lines.count, Int32(MSG_NOSIGNAL))
      guard sent > 0 else { break }
      count += sent
    }
    return count
  }

  @Test("a daemon that ends closes the WebSocket with 4000, and the next one finds a new daemon")
  func killedDaemon() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let socket = try await bridge.openSocket(session)
    let card = try await socket.call(1, "projects/add", ["title": "Return the book"])
    let first = try #require(bridge.home.owner)
    kill(first.pid, SIGKILL)
    #expect(try await socket.receive() == .closed(code: 4000, reason: ""))
    // Two at once start one daemon.
    async let joining = Self.join(bridge, session)
    let one = try await Self.join(bridge, session)
    let two = try await joining
    let id = try #require(card?["result"]?["id"])
    for socket in [one, two] {
      #expect(try await socket.call(2, "projects/get", ["id": id])?["result"]?["title"] == "Return the book")
    }
    #expect(bridge.home.owner?.pid != first.pid)
    // The bridge's own client is joined anew too.
    #expect(try await bridge.request("GET", WebBridge.file("books/cover", ["id": "none"]), session).status == 404)
  }

  private struct NeverJoined: Error {}

  /// A WebSocket to a daemon that lives: a killed one loses its sockets one after the other.
  private static func join(_ bridge: WebBridge, _ session: [String: String]) async throws -> WebSocketClient {
    for _ in 0..<200 {
      let socket = try await bridge.openSocket(session)
      if try await socket.call(1, "session/ping") != nil { return socket }
    }
    throw NeverJoined()
  }

  @Test("a daemon that cannot be started is told in a sentence: at the start, and later in the WebSocket's end")
  func noDaemon() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let bridge = try await WebBridge.start(home)
    let session = try await bridge.signIn()
    kill(try #require(home.owner).pid, SIGKILL)
    try home.configure("[network\n")
    // A killed process loses its sockets one after the other.
    var message = WebSocketClient.Message.closed(code: 4000, reason: "")
    for _ in 0..<200 where message == .closed(code: 4000, reason: "") {
      message = try await bridge.openSocket(session).receive()
    }
    guard case .closed(4001, let reason) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(reason.contains("config.toml"))
    let second = try home.start(["web"])
    let ended = await second.ended()
    #expect(ended.status == 15 && ended.errors.hasPrefix("commonplace: ") && ended.errors.contains("config.toml"))
    #expect(ended.output.isEmpty)
  }

  @Test("a signal tells each page with 1001, ends the bridge with status 0, and leaves the daemon and no file")
  func signals() async throws {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let bridge = try await WebBridge.start()
      let session = try await bridge.signIn()
      let pages = [try await bridge.openSocket(session), try await bridge.openSocket(session)]
      for page in pages { #expect(try await page.call(1, "session/ping") != nil) }
      bridge.process.kill(number)
      for page in pages { #expect(try await page.receive() == .closed(code: 1001, reason: "")) }
      #expect(await bridge.process.ended().status == 0)
      #expect(bridge.home.isOwned)
      #expect(try Self.scratch(bridge).isEmpty)
    }
    let killed = try await WebBridge.start()
    killed.process.kill(SIGKILL)
    _ = await killed.process.ended()
    #expect(try Self.scratch(killed).count == 1)
    let next = try await WebBridge.start(killed.home)
    #expect(try Self.scratch(next) == ["web-\(next.process.pid)"])
  }

  private static func scratch(_ bridge: WebBridge) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bridge.home.caches).filter { $0.hasPrefix("web-") }
  }

  @Test("a port that is taken is an error, and without --port another one is found")
  func ports() async throws {
    let bridge = try await WebBridge.start()
    let second = try bridge.home.start(["web", "--port", String(bridge.port)])
    let ended = await second.ended()
    #expect(ended.status == 1)
    #expect(ended.errors == "commonplace: Another program has port \(bridge.port). Leave out --port for a free one.\n")
    #expect(try await bridge.home.run(["web", "--port", "65536"]).status == 2)
  }
}
