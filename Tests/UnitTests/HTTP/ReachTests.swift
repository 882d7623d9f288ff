import Foundation
import TestSupport
import Testing

@testable import HTTP

/// The address policy at work: what libcurl resolves is what is checked.
@Suite("what a request may reach", .timeLimit(.minutes(10)))
struct ReachTests {
  @Test("a public name that resolves to this machine is refused before a connection is made")
  func publicNameAtPrivateAddress() async throws {
    let server = try ScriptedServer { _ in .text("secret") }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.resolved = ["books.example:\(server.port):127.0.0.1"] }
    let request = HTTPRequest(url: "http://books.example:\(server.port)/")
    #expect(
      await bed.fetchFailure(request)
        == .refusedAddress(origin: "http://books.example:\(server.port)", address: "127.0.0.1"))
    // The server accepts in order: the first connection that ever reaches it is this one.
    _ = try await bed.client.fetch(HTTPRequest(url: server.origin))
    #expect(server.requests.map(\.connection) == [0])
  }

  @Test("the same name is reached when its origin is allowed")
  func allowedName() async throws {
    let server = try ScriptedServer { _ in .text("mine") }
    defer { server.stop() }
    let bed = try HTTPTestBed {
      $0.resolved = ["books.example:\(server.port):127.0.0.1"]
      $0.allowedOrigins = Set([Origin("http://books.example:\(server.port)")].compactMap { $0 })
    }
    let response = try await bed.client.fetch(HTTPRequest(url: "http://books.example:\(server.port)/"))
    #expect(response.body == Data("mine".utf8))
  }

  @Test(
    "a literal in the user's own URL is reached in each spelling",
    arguments: ["127.1", "0x7f.1", "2130706433", "localhost"])
  func literal(_ host: String) async throws {
    let server = try ScriptedServer { _ in .text("here") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let response = try await bed.client.fetch(HTTPRequest(url: "http://\(host):\(server.port)/"))
    #expect(response.status == 200)
  }

  @Test(
    "what a service names reaches no private place, however it is spelled, unless its origin is allowed",
    arguments: ["127.0.0.1", "127.1", "2130706433", "localhost"])
  func namedByContent(_ host: String) async throws {
    let server = try ScriptedServer { _ in .text("secret") }
    defer { server.stop() }
    let url = "http://\(host):\(server.port)/x.png"
    let request = HTTPRequest(url: url, isNamedByContent: true)
    let bed = try HTTPTestBed()
    let reason = await bed.getFailure(request)
    guard case .refusedAddress = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(server.requests.isEmpty)
    let allowing = try HTTPTestBed { $0.allowedOrigins = Set([Origin(url)].compactMap { $0 }) }
    #expect(try await allowing.client.get(request).body == Data("secret".utf8))
  }

  @Test(
    "a redirect to another private origin is refused and its server never asked",
    arguments: ["127.0.0.1", "localhost", "0x7f.1"])
  func redirectToPrivate(_ host: String) async throws {
    let secret = try ScriptedServer { _ in .text("secret") }
    defer { secret.stop() }
    let server = try ScriptedServer { _ in .redirect(to: "http://\(host):\(secret.port)/") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let reason = await bed.fetchFailure(HTTPRequest(url: server.origin))
    guard case .refusedAddress = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(secret.requests.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test("a redirect to an allowed private origin is followed")
  func redirectToAllowed() async throws {
    let other = try ScriptedServer { _ in .text("allowed") }
    defer { other.stop() }
    let server = try ScriptedServer { _ in .redirect(to: other.origin + "/there") }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.allowedOrigins = Set([Origin(other.origin)].compactMap { $0 }) }
    let response = try await bed.client.fetch(HTTPRequest(url: server.origin))
    #expect(response.finalURL.text == other.origin + "/there")
    #expect(response.body == Data("allowed".utf8))
  }

  @Test("a connection that a permitted request left open carries no refused one")
  func reusedConnection() async throws {
    let secret = try ScriptedServer { _ in .text("secret") }
    defer { secret.stop() }
    let server = try ScriptedServer { _ in .redirect(to: secret.origin + "/reused") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    // Meant by the user, so it is permitted and leaves its connection in the pool.
    for _ in 0..<2 { _ = try await bed.client.fetch(HTTPRequest(url: secret.origin + "/meant")) }
    #expect(Set(secret.requests.map(\.connection)).count == 1, "the pool is used")
    #expect(
      await bed.fetchFailure(HTTPRequest(url: server.origin))
        == .refusedAddress(origin: secret.origin, address: "127.0.0.1"))
    #expect(secret.requests.map(\.target) == ["/meant", "/meant"])
  }

  @Test("the proxy of the environment is not used")
  func noProxy() async {
    // In a process of its own: the environment belongs to all tests of this one.
    await #expect(processExitsWith: .success) {
      let proxy = try ScriptedServer { _ in .text("proxy") }
      let server = try ScriptedServer { _ in .text("server") }
      setenv("http_proxy", proxy.origin, 1)
      let bed = try HTTPTestBed()
      let response = try await bed.client.fetch(HTTPRequest(url: server.origin))
      guard response.body == Data("server".utf8), proxy.requests.isEmpty else { exit(1) }
    }
  }
}
