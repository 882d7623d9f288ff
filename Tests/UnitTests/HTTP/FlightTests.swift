import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("calls that ask the same", .timeLimit(.minutes(10)))
struct FlightTests {
  private struct Scene {
    let server: ScriptedServer
    let bed: HTTPTestBed
    let arrived = ServerGate()
    let go = ServerGate()

    init() throws {
      let (arrived, go) = (arrived, go)
      server = try ScriptedServer { request in .text("\(request.index)").after(go, telling: arrived) }
      bed = try HTTPTestBed()
    }

    func call(_ change: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }) -> Task<Data?, Never> {
      Task { [server, bed] in
        var request = HTTPRequest(url: server.origin + "/search?q=1")
        change(&request)
        return try? await bed.client.get(request).body
      }
    }

    /// Returns when so many calls are in flights.
    func joined(_ count: Int) async {
      while bed.client.callsInFlight < count { await Task.yield() }
    }
  }

  @Test("two identical calls at once are one request, and both get its answer")
  func joined() async throws {
    let scene = try Scene()
    defer { scene.server.stop() }
    let calls = (0..<5).map { _ in scene.call() }
    await scene.joined(5)
    scene.go.open()
    for call in calls { #expect(await call.value == Data("0".utf8)) }
    #expect(scene.server.requests.count == 1)
    let origins = scene.bed.logLines.map { String($0.split(separator: " ").last ?? "") }
    #expect(origins.sorted() == ["joined", "joined", "joined", "joined", "network"])
    // Later is another time.
    #expect(await scene.call().value == Data("1".utf8))
  }

  @Test("another URL, identity, question or limit is another call")
  func different() async throws {
    let scene = try Scene()
    defer { scene.server.stop() }
    scene.go.open()
    let url = scene.server.origin + "/search?q=1"
    let calls = [
      scene.call(), scene.call { $0.url += "2" }, scene.call { $0.credentials = ["Api-Key": "a"] },
      scene.call { $0.credentials = ["Api-Key": "b"] }, scene.call { $0.secretQuery = ("key", Secret("a")) },
      scene.call { $0.validators = Validators(url: url, etag: "\"a\"", lastModified: nil) },
      scene.call { $0.limit = 100 }, scene.call { $0.headers = ["Accept": "x"] },
    ]
    for call in calls { #expect(await call.value != nil) }
    #expect(scene.server.requests.count == calls.count)
  }

  @Test("who leaves is answered at once and takes nobody along, the first neither")
  func leaving() async throws {
    let scene = try Scene()
    defer { scene.server.stop() }
    let first = scene.call()
    await scene.arrived.opened()
    let second = scene.call()
    let third = scene.call()
    await scene.joined(3)
    first.cancel()
    third.cancel()
    #expect(await first.value == nil)
    #expect(await third.value == nil)
    scene.go.open()
    #expect(await second.value == Data("0".utf8))
    #expect(scene.server.requests.count == 1)
  }

  @Test("the last who leaves ends the request, and its connection is closed")
  func last() async throws {
    let arrived = ServerGate()
    let closed = ServerGate()
    let server = try ScriptedServer { _ in ServerReply.silence(closed).telling(arrived) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let calls = (0..<2).map { _ in Task { await bed.getFailure(HTTPRequest(url: server.origin)) } }
    await arrived.opened()
    while bed.client.callsInFlight < 2 { await Task.yield() }
    for call in calls { call.cancel() }
    for call in calls { #expect(await call.value == .cancelled) }
    await closed.opened()
    #expect(bed.client.callsInFlight == 0)
  }

  @Test("a failure is everybody's failure")
  func failing() async throws {
    let arrived = ServerGate()
    let go = ServerGate()
    let server = try ScriptedServer { _ in
      ServerReply([.send(ServerReply.head(200, [("Content-Length", "99999999")]))]).after(go, telling: arrived)
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let calls = (0..<3).map { _ in Task { await bed.getFailure(HTTPRequest(url: server.origin, limit: 10)) } }
    while bed.client.callsInFlight < 3 { await Task.yield() }
    go.open()
    for call in calls { #expect(await call.value == .tooLarge(limit: 10)) }
    #expect(server.requests.count == 1)
  }
}
