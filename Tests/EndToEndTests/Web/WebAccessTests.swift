import Foundation
import TestSupport
import Testing
import Wire

@Suite("The page's bridge lets in our own page and nobody else", .timeLimit(.minutes(10)))
struct WebAccessTests {
  private static let requests = [
    ("GET", "/"), ("GET", "/none.js"), ("GET", "/session"), ("POST", "/session"), ("GET", "/rpc"), ("GET", "/file"),
    ("GET", WebBridge.file("session/status")), ("POST", "/frame"), ("PUT", WebBridge.file("documents/add")),
    ("DELETE", "/"), ("OPTIONS", "/file"), ("TRACE", "/"), ("PUT", "/index.html"),
  ]

  @Test("each answer has the headers that keep a page from being framed, guessed at, followed and scripted")
  func headers() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    for (method, target) in Self.requests {
      for cookie in [[:], session] {
        let reply = try await bridge.request(method, target, cookie)
        #expect(reply["x-content-type-options"] == "nosniff", "\(method) \(target)")
        #expect(reply["referrer-policy"] == "no-referrer")
        #expect(["DENY", "SAMEORIGIN"].contains(reply["x-frame-options"]))
        #expect(reply["cross-origin-resource-policy"] == "same-origin")
        let policy = try #require(reply["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors"))
        #expect(!policy.contains("unsafe-eval") && !policy.contains("script-src 'self' '"))
        #expect(reply["access-control-allow-origin"] == nil)
      }
    }
    let malformed = try bridge.connect()
    await malformed.send("GET\r\n\r\n")
    #expect(try await malformed.reply()?["x-content-type-options"] == "nosniff")
  }

  @Test("a request under another name is refused, as that of a site whose name leads to 127.0.0.1")
  func hosts() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    for host in ["localhost:\(bridge.port)", "127.0.0.1", "example.org:\(bridge.port)", "127.0.0.1:1"] {
      for (method, target) in Self.requests {
        let reply = try await bridge.request(method, target, session.merging(["Host": host]) { $1 })
        #expect(reply.status == 403, "\(host): \(method) \(target)")
      }
    }
    #expect(try await bridge.request("GET", "/", ["Host": ""]).status == 403)
    let twice = try bridge.connect()
    await twice.send("GET / HTTP/1.1\r\nHost: \(bridge.host)\r\nHost: example.org\r\n\r\n")
    #expect(try await twice.reply()?.status == 403)
  }

  @Test("a page of another site or port is refused, whatever cookie the browser sends along")
  func origins() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let status = WebBridge.file("books/cover", ["id": "x"])
    for origin in ["null", "http://127.0.0.1:1", "https://\(bridge.host)", "http://localhost:\(bridge.port)"] {
      for (method, target) in Self.requests {
        let reply = try await bridge.request(method, target, session.merging(["Origin": origin]) { $1 })
        #expect(reply.status == 403, "\(origin): \(method) \(target)")
      }
      let refused = await #expect(throws: WebSocketClient.Refused.self) {
        try await bridge.openSocket(session.merging(["Origin": origin]) { $1 })
      }
      #expect(refused?.reply?.status == 403)
    }
    // An image has no Origin. Another port of 127.0.0.1 is the same site, and so has the cookie.
    for site in ["same-site", "cross-site"] {
      let reply = try await bridge.request("GET", status, session.merging(["Sec-Fetch-Site": site]) { $1 })
      #expect(reply.status == 403)
    }
    for (method, target) in [("POST", "/session"), ("POST", "/frame"), ("PUT", status), ("POST", status)] {
      let reply = try await bridge.request(method, target, session.merging(["Origin": ""]) { $1 })
      #expect(reply.status == 403, "\(method) \(target)")
    }
  }

  @Test("only the page's files are there without the cookie, and the cookie is for scripts and other sites not there")
  func cookies() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    #expect(try await bridge.request("GET", "/").status == 200)
    let name = try #require(session["Cookie"]?.split(separator: "=").first)
    let wrong = [
      [:], ["Cookie": ""], ["Cookie": "\(name)="], ["Cookie": "\(name)=\(String(repeating: "0", count: 64))"],
      ["Cookie": "other=" + session["Cookie"]!.drop { $0 != "=" }.dropFirst()],
    ]
    for cookie in wrong {
      #expect(try await bridge.request("GET", "/session", cookie).status == 401)
      #expect(try await bridge.request("GET", WebBridge.file("session/status"), cookie).status == 401)
      #expect(try await bridge.request("PUT", WebBridge.file("documents/add"), cookie).status == 401)
      #expect(try await bridge.request("POST", "/frame", cookie).status == 401)
      let refused = await #expect(throws: WebSocketClient.Refused.self) { try await bridge.openSocket(cookie) }
      #expect(refused?.reply?.status == 401)
    }
    #expect(try await bridge.request("GET", "/session", session).status == 204)
    let among = ["Cookie": "a=b; \(session["Cookie"]!); c=d"]
    #expect(try await bridge.request("GET", "/session", among).status == 204)
  }

  @Test("a token works once, and the next one is printed for another browser")
  func tokens() async throws {
    let bridge = try await WebBridge.start()
    func trade(_ token: String) async throws -> WebReply {
      try await bridge.request("POST", "/session", body: Array(token.utf8))
    }
    #expect(try await trade("").status == 403)
    #expect(try await trade(String(bridge.token.dropLast())).status == 403)
    let first = try await trade(bridge.token)
    #expect(first.status == 204)
    let cookie = try #require(first["set-cookie"])
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(try await trade(bridge.token).status == 403)
    let next = try #require(await bridge.nextToken())
    #expect(next != bridge.token)
    #expect(try await trade(next).status == 204)
    #expect(try await trade(next).status == 403)
  }

  @Test(
    "another user of the machine is not let in, not even with the token",
    .enabled(if: geteuid() == 0, "only root can be another user"))
  func otherUser() async throws {
    let bridge = try await WebBridge.start()
    let request =
      "POST /session HTTP/1.1\r\nHost: \(bridge.host)\r\nOrigin: \(bridge.origin)\r\n"
      + "Content-Length: 64\r\n\r\n\(bridge.token)"
    func output(_ user: [String]) async throws -> String {
      let socat = try ChildProcess(
        "/usr/bin/setpriv", user + ["--clear-groups", "/usr/bin/socat", "-t300", "-", "TCP4:\(bridge.host)"],
        environment: [:], folder: "/")
      socat.write(request)
      return await socat.end().output
    }
    #expect(try await output(["--reuid=65534"]) == "")
    // The same from our own user, whose token it still is.
    #expect(try await output([]).hasPrefix("HTTP/1.1 204 "))
  }

  @Test("other methods, long URLs, many headers and large bodies are refused with a status of their own")
  func limits() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let put = try await bridge.request("PUT", "/index.html")
    #expect(put.status == 405 && put["allow"] == "GET, HEAD")
    #expect(try await bridge.request("DELETE", "/file", session).status == 405)
    #expect(try await bridge.request("GET", "/frame", session).status == 405)
    #expect(try await bridge.request("GET", "/rpc", session).status == 426)
    #expect(try await bridge.request("GET", "/" + String(repeating: "a", count: 40_000)).status == 414)
    #expect(try await bridge.request("POST", "/session", body: Array(repeating: 0x61, count: 300)).status == 413)
    let many = Dictionary(uniqueKeysWithValues: (0..<100).map { ("X-\($0)", "x") })
    #expect(try await bridge.request("GET", "/", many).status == 400)
    // What is declared is not read.
    let large = try bridge.connect()
    await large.send(bridge.request("POST", "/frame", session, length: 1 << 40))
    #expect(try await large.reply()?.status == 413)
    try await large.end()
    // What is not declared is cut off.
    let endless = try bridge.connect()
    await endless.send("GET /" + String(repeating: "a", count: 200_000))
    #expect(try await endless.reply()?.status == 400)
    try await endless.end()
  }

  @Test("a connection over the limit is closed, and one of those that left makes room")
  func connections() async throws {
    let bridge = try await WebBridge.start()
    // All at once, so that none has been idle for long when the last is there.
    var open = try (0..<128).map { _ in try bridge.connect() }
    for connection in open { await connection.send(bridge.request("GET", "/session")) }
    for connection in open { #expect(try await connection.reply()?.status == 401) }
    try await bridge.connect().end()
    open[0].socket.endInput()
    try await open.removeFirst().end()
    // The bridge counts a connection for a moment longer than its peer sees it.
    var status: Int?
    for _ in 0..<1000 where status == nil {
      let next = try bridge.connect()
      await next.send(bridge.request("GET", "/session"))
      status = try await next.reply()?.status
    }
    #expect(status == 401)
  }

  @Test("two requests at once on a connection are answered in their order")
  func pipelining() async throws {
    let bridge = try await WebBridge.start()
    let connection = try bridge.connect()
    await connection.send(bridge.request("GET", "/") + bridge.request("GET", "/none") + bridge.request("HEAD", "/"))
    #expect(try await connection.reply()?.status == 200)
    #expect(try await connection.reply()?.status == 404)
    #expect(try await connection.reply(to: "HEAD")?.status == 200)
  }

  @Test("bytes that are no HTTP, whatever they are, end their connection and nothing else")
  func fuzz() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    var generator = SeededGenerator(seed: 27)
    let upgrade = [
      "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": bridge.origin,
    ]
    let heads: [[UInt8]] = [
      bridge.request("GET", "/", session),
      bridge.request("POST", "/frame", session, length: 7),
      bridge.request("PUT", WebBridge.file("documents/add", ["title": "x"]), session, length: 9),
      bridge.request("POST", "/session", ["Transfer-Encoding": "chunked", "Content-Length": ""]),
      bridge.request("GET", "/rpc", session.merging(upgrade) { $1 }),
    ]
    let bodies: [[UInt8]] = [
      [], Array("html=%4".utf8), Array("%PDF-1.4\n".utf8), Array("3\r\nabc\r\n0\r\n\r\n".utf8),
      WebSocketClient.frame(opcode: 1, Array("{}".utf8)),
    ]
    let samples = zip(heads, bodies).map { $0 + $1 }
    for _ in 0..<400 {
      var bytes = samples.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: [0x0D, 0x0A, 0x3A, 0x00].shuffled(using: &generator), at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let connection = try bridge.connect()
      await connection.send(bytes)
      connection.socket.endInput()
      try await connection.end()
    }
    #expect(try await bridge.request("GET", "/session", session).status == 204)
  }
}
