import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("redirects", .timeLimit(.minutes(10)))
struct RedirectTests {
  @Test("redirects are followed by their relative and absolute forms, whatever their body")
  func followed() async throws {
    let server = try ScriptedServer { request in
      switch request.target {
      case "/a/b": .redirect(to: "../c?x=1", status: 301)
      case "/c?x=1":
        // A body without end that nobody should wait for.
        ServerReply([.send(ServerReply.head(307, [("Location", "/책")])), .waitForPeerToClose(ServerGate())])
      default: .text("there")
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let response = try await bed.client.fetch(HTTPRequest(url: server.origin + "/a/b"))
    #expect(response.body == Data("there".utf8))
    #expect(response.finalURL.text.lowercased() == server.origin + "/%ec%b1%85")
    #expect(server.requests.map { $0.target.lowercased() } == ["/a/b", "/c?x=1", "/%ec%b1%85"])
  }

  @Test("a loop and a sixth redirect end the call")
  func bounded() async throws {
    let server = try ScriptedServer { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return .redirect(to: request.target == "/loop" ? "/loop" : "/\(number + 1)")
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for (path, count) in [("/loop", 1), ("/0", 6)] {
      let before = server.requests.count
      let reason = await bed.fetchFailure(HTTPRequest(url: server.origin + path))
      #expect(reason == .tooManyRedirects)
      #expect(server.requests.count - before == count)
    }
  }

  @Test(
    "a redirect to anything but http and https is not followed",
    arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://x/", "http://a@b/", "javascript:x"])
  func scheme(_ target: String) async throws {
    let server = try ScriptedServer { _ in .redirect(to: target) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let reason = await bed.fetchFailure(HTTPRequest(url: server.origin))
    #expect(reason == .badResponse(reason: "redirectNowhere"))
  }

  @Test("credentials stay with the origin they are for, and do not come back to it")
  func credentials() async throws {
    let first = try ScriptedServer { request in
      switch request.target {
      case "/0": .redirect(to: "/1")
      case "/1": .redirect(to: request["X-Other"] ?? "")
      default: .text("end")
      }
    }
    defer { first.stop() }
    let second = try ScriptedServer { _ in .redirect(to: first.origin + "/back") }
    defer { second.stop() }
    let bed = try HTTPTestBed { $0.allowedOrigins = Set([Origin(second.origin)].compactMap { $0 }) }
    _ = try await bed.client.fetch(
      HTTPRequest(
        url: first.origin + "/0", headers: ["X-Other": second.origin + "/x"],
        credentials: ["Api-Key": "K", "Authorization": "Bearer T"]))
    #expect(first.requests.map { $0["Api-Key"] } == ["K", "K", nil])
    #expect(first.requests.map { $0["Authorization"] } == ["Bearer T", "Bearer T", nil])
    #expect(second.requests.map { $0["Api-Key"] } == [nil])
    #expect(second.requests.map { $0["Authorization"] } == [nil])
    #expect(second.requests.map { $0["X-Other"] } == [second.origin + "/x"])
  }

  @Test("credentials go along within an origin, and never from https to http")
  func keepsCredentials() throws {
    func keeps(_ here: String, _ next: String) throws -> Bool {
      try Redirects.keepsCredentials(from: #require(Origin(here)), to: #require(Origin(next)))
    }
    #expect(try keeps("https://a.example/x", "https://a.example/y"))
    #expect(try !keeps("https://a.example", "https://b.example"))
    #expect(try !keeps("https://a.example", "https://a.example:8443"))
    #expect(try !keeps("http://a.example", "https://a.example"))
    #expect(throws: HTTPFailure.badResponse(reason: "redirectInsecure")) {
      try keeps("https://a.example", "http://a.example")
    }
  }
}
