import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("fetch", .timeLimit(.minutes(10)))
struct FetchTests {
  @Test("an answer comes whole with its status, its headers and the name of the client")
  func answer() async throws {
    let server = try ScriptedServer { _ in .text("안녕", status: 404, [("X-Thing", "a: b "), ("ETag", "W/\"1\"")]) }
    defer { server.stop() }
    let bed = try HTTPTestBed {
      $0.userAgent = "Commonplace/1.0"
      $0.contact = "reader@example.org"
    }
    let response = try await bed.client.fetch(
      HTTPRequest(url: server.origin + "/a b?q=책", headers: ["Accept": "application/json"]))
    #expect(response.status == 404)
    #expect(String(decoding: response.body, as: UTF8.self) == "안녕")
    #expect(response.headers["x-thing"] == "a: b")
    #expect(response.headers["etag"] == "W/\"1\"")
    #expect(throws: HTTPFailure.httpStatus(code: 404, url: server.origin + "/a%20b?q=%EC%B1%85")) {
      try response.requireSuccess()
    }
    let request = try #require(server.requests.first)
    #expect(request.target == "/a%20b?q=%EC%B1%85")
    #expect(request["User-Agent"] == "Commonplace/1.0 (+reader@example.org)")
    #expect(request["Accept-Encoding"] == "gzip")
    #expect(request["Accept"] == "application/json")
  }

  @Test("a body beyond the limit is refused by its declared length, and by its bytes when it declares none")
  func limit() async throws {
    let endless = Data("10000\r\n".utf8) + Data(count: 0x10000) + Data("\r\n".utf8)
    let server = try ScriptedServer { request in
      switch request.target {
      case "/declared":
        ServerReply([.send(ServerReply.head(200, [("Content-Length", "1001")])), .waitForPeerToClose(ServerGate())])
      case "/exact": .text(String(repeating: "x", count: 1000))
      default: ServerReply([.send(ServerReply.head(200, [("Transfer-Encoding", "chunked")])), .sendForever(endless)])
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(try await bed.client.fetch(HTTPRequest(url: server.origin + "/exact", limit: 1000)).body.count == 1000)
    for path in ["/declared", "/endless"] {
      let reason = await bed.fetchFailure(HTTPRequest(url: server.origin + path, limit: 1000))
      #expect(reason == .tooLarge(limit: 1000), "\(path)")
    }
  }

  @Test("a connection that ends anywhere in an answer is a failure, also within its head")
  func halfAnswers() async throws {
    let whole = "HTTP/1.1 207 Multi-Status\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\nbody"
    let server = try ScriptedServer { request in
      ServerReply([.send(Data(whole.utf8.prefix(Int(request.path.dropFirst()) ?? 0))), .close])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for count in 0..<whole.utf8.count {
      let failure = await bed.fetchFailure(HTTPRequest(url: "\(server.origin)/\(count)"))
      switch failure {
      case .unreachable, .brokenOff, .badResponse: break
      default: Issue.record("\(count): \(String(describing: failure))")
      }
    }
  }

  @Test("headers without end, a broken status line, an unasked encoding and no answer at all are failures")
  func badAnswers() async throws {
    let server = try ScriptedServer { request in
      switch request.target {
      case "/headers":
        ServerReply([
          .send(Data("HTTP/1.1 200 OK\r\n".utf8)),
          .sendForever(Data(("X: " + String(repeating: "x", count: 1000) + "\r\n").utf8)),
        ])
      case "/09": ServerReply([.send(Data("<html>old</html>".utf8)), .close])
      case "/brotli": .answer(200, [("Content-Encoding", "br")], body: Data([0x1f, 0x8b]))
      case "/short":
        ServerReply([.send(ServerReply.head(200, [("Content-Length", "9")])), .send(Data("abc".utf8)), .close])
      default: ServerReply([.close])
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    var reasons: [String: HTTPFailure] = [:]
    for path in ["/headers", "/09", "/brotli", "/short", "/nothing"] {
      reasons[path] = await bed.fetchFailure(HTTPRequest(url: server.origin + path))
    }
    #expect(reasons["/headers"] == .badResponse(reason: "headersTooLong"))
    #expect(reasons["/brotli"] == .badResponse(reason: "answerEncoded"))
    guard case .badResponse = reasons["/09"] else { throw ExpectedOther(reasons["/09"]) }
    #expect(reasons["/short"] == .brokenOff(origin: server.origin, received: 3))
    guard case .unreachable(origin: server.origin, _) = reasons["/nothing"] else {
      throw ExpectedOther(reasons["/nothing"])
    }
  }

  @Test("a 1xx answer before and trailers after the real one change nothing")
  func interimAnswers() async throws {
    let server = try ScriptedServer { _ in
      ServerReply([
        .send(Data("HTTP/1.1 103 Early\r\nETag: \"early\"\r\n\r\n".utf8)),
        .send(ServerReply.head(200, [("Transfer-Encoding", "chunked"), ("ETag", "\"real\"")])),
        .send(Data("2\r\nab\r\n0\r\nETag: \"late\"\r\n\r\n".utf8)),
      ])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let response = try await bed.client.fetch(HTTPRequest(url: server.origin))
    #expect(response.headers["ETag"] == "\"real\"")
    #expect(response.headers.fields.filter { $0.name == "ETag" }.count == 1)
    #expect(response.body == Data("ab".utf8))
  }

  @Test("no line break gets into a request, and offline nothing is sent")
  func refusedBeforeSending() async throws {
    let server = try ScriptedServer { _ in .text("") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let url = server.origin
    for headers: HTTPHeaders in [["X-A": "a\r\nX-B: b"], ["X-A": "a\u{0}"], ["X A": "a"], ["": "a"], ["X-A:": "a"]] {
      let name = headers.fields[0].name
      #expect(await bed.fetchFailure(HTTPRequest(url: url, headers: headers)) == .invalidHeader(name: name))
      #expect(await bed.fetchFailure(HTTPRequest(url: url, credentials: headers)) == .invalidHeader(name: name))
    }
    var configuration = HTTPConfiguration()
    configuration.contact = "a\nb"
    bed.client.reconfigure(configuration)
    #expect(
      await bed.fetchFailure(HTTPRequest(url: url))
        == .invalidHeader(name: "User-Agent"))
    configuration = HTTPConfiguration()
    configuration.offline = true
    bed.client.reconfigure(configuration)
    #expect(await bed.fetchFailure(HTTPRequest(url: url)) == .offline)
    #expect(server.requests.isEmpty)
  }

  @Test("a call that may take so long in all ends then, though it has tries left and each of them may take longer")
  func within() async throws {
    let server = try ScriptedServer { _ in ServerReply([.waitForPeerToClose(ServerGate())]) }
    defer { server.stop() }
    let bed = try HTTPTestBed {
      $0.now = { .now }
      $0.random = { 0 }
      $0.callTimeout = .seconds(600)
      $0.stall.seconds = 600
    }
    let failure = await bed.getFailure(HTTPRequest(url: server.origin, within: .milliseconds(200)))
    #expect(failure == .timedOut(origin: server.origin))
    #expect(server.requests.count == 1)
    let none = await bed.getFailure(HTTPRequest(url: server.origin, within: .zero))
    #expect(none == .timedOut(origin: server.origin) && server.requests.count == 1)
  }

  @Test("a host that does not answer at all, or not in time, is named")
  func silence() async throws {
    let server = try ScriptedServer { _ in ServerReply([.waitForPeerToClose(ServerGate())]) }
    let bed = try HTTPTestBed {
      $0.callTimeout = .milliseconds(50)
      $0.stall.seconds = 50
    }
    #expect(
      await bed.fetchFailure(HTTPRequest(url: server.origin))
        == .timedOut(origin: server.origin))
    server.stop()
    let reason = await bed.fetchFailure(HTTPRequest(url: "http://nowhere.invalid/"))
    guard case .unreachable(origin: "http://nowhere.invalid", _) = reason else { throw ExpectedOther(reason) }
  }
}

/// Another failure than the one a test wants, or none.
struct ExpectedOther: Error {
  let found: HTTPFailure?

  init(_ found: HTTPFailure?) {
    self.found = found
  }
}
