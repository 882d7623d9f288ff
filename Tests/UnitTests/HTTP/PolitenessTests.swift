import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTP

/// What a service sees of us when it is well, busy, or ill.
@Suite("the polite GET", .timeLimit(.minutes(10)))
struct PolitenessTests {
  @Test("a service that fails twice is asked three times, with growing pauses")
  func flaky() async throws {
    let replies = ReplySequence(.text("", status: 503), .text("", status: 503), .text("there"))
    let server = try ScriptedServer { _ in replies.next() }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let response = try await bed.client.get(HTTPRequest(url: server.origin))
    #expect(response.body == Data("there".utf8))
    #expect(server.requests.count == 3)
    #expect(bed.time.pauses == [.milliseconds(500), .seconds(1)])
  }

  @Test(
    "what may pass is tried three times and then is what it was",
    arguments: [408, 425, 500, 502, 503, 504])
  func persistent(_ status: Int) async throws {
    let server = try ScriptedServer { _ in .text("why", status: status) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let response = try await bed.client.get(HTTPRequest(url: server.origin))
    #expect(response.status == status)
    #expect(response.body == Data("why".utf8))
    #expect(server.requests.count == 3)
  }

  @Test("what will not pass is asked once", arguments: [400, 401, 403, 404, 410, 422, 501])
  func final(_ status: Int) async throws {
    let server = try ScriptedServer { _ in .text("", status: status) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let response = try await bed.client.get(HTTPRequest(url: server.origin))
    #expect(response.status == status)
    #expect(server.requests.count == 1)
    let failure = await failure { () throws(HTTPFailure) in try response.requireSuccess() }
    #expect(
      failure
        == (status == 401
          ? .unauthorized(origin: server.origin) : .httpStatus(code: status, url: server.origin + "/")))
  }

  @Test("a connection that breaks before the body is complete is made again, and no more than twice")
  func broken() async throws {
    let replies = ReplySequence(.closing, .text(String(repeating: "x", count: 500)).cut(after: 300), .text("whole"))
    let server = try ScriptedServer { _ in replies.next() }
    defer { server.stop() }
    let dead = try ScriptedServer { _ in .closing }
    defer { dead.stop() }
    let bed = try HTTPTestBed()
    #expect(try await bed.client.get(HTTPRequest(url: server.origin)).body == Data("whole".utf8))
    let reason = await bed.getFailure(HTTPRequest(url: dead.origin))
    guard case .unreachable(origin: dead.origin, _) = reason else { throw ExpectedOther(reason) }
    // Over connections of their own: where a reused one dies, libcurl itself sends again.
    #expect(Set(dead.requests.map(\.connection)).count == 3)
  }

  @Test("a connection that is reset in the middle is made again, and a call without patience for that ends")
  func reset() async throws {
    let half = ServerReply([
      .send(ServerReply.head(200, [("Content-Length", "100")])), .send(Data("half".utf8)), .reset,
    ])
    let replies = ReplySequence(half, .text("whole"))
    let server = try ScriptedServer { request in request.path == "/ever" ? half : replies.next() }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(try await bed.client.get(HTTPRequest(url: server.origin)).body == Data("whole".utf8))
    let before = server.requests.count
    let reason = await bed.getFailure(HTTPRequest(url: server.origin + "/ever", patience: .milliseconds(100)))
    guard case .brokenOff = reason else { throw ExpectedOther(reason) }
    #expect(server.requests.count == before + 1)
  }

  @Test("a body longer than it says is cut there, and the rest is in no other answer")
  func tooLong() async throws {
    let server = try ScriptedServer { request in
      guard request.path == "/long" else { return .text("next") }
      return ServerReply([.send(ServerReply.head(200, [("Content-Length", "4")]) + Data("fourHTTP/1.1 200 OK".utf8))])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(try await bed.client.get(HTTPRequest(url: server.origin + "/long")).body == Data("four".utf8))
    #expect(try await bed.client.get(HTTPRequest(url: server.origin + "/next")).body == Data("next".utf8))
  }

  @Test(
    "after a 429 nothing is sent before the time that the service names, whatever form it has",
    arguments: [
      ["Retry-After": "4"], ["Retry-After": "Sat, 21 Nov 2026 00:00:04 GMT", "Date": "Sat, 21 Nov 2026 00:00:00 GMT"],
      ["X-Wait": "4"], ["Retry-After": "1", "X-Wait": "4"],
    ])
  func limited(_ headers: [String: String]) async throws {
    let replies = ReplySequence(.text("", status: 429, headers.map { ($0, $1) }), .text("there"))
    let server = try ScriptedServer { _ in replies.next() }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let response = try await bed.client.get(HTTPRequest(url: server.origin, judge: Self.judgeByHeader))
    #expect(response.body == Data("there".utf8))
    #expect(bed.time.passed == .seconds(4))
    #expect(server.requests.count == 2)
  }

  /// As a service that has a form of its own.
  private static let judgeByHeader: @Sendable (HTTPResponse) -> ServiceDecision = { response in
    guard response.status == 429 else { return .answer }
    return .retryLater(after: response.headers["X-Wait"].flatMap { Int($0) }.map { .seconds($0) })
  }

  @Test("a wait beyond the call's patience is reported, and until it is over nobody asks that service")
  func reported() async throws {
    let server = try ScriptedServer { request in
      request.path == "/limited" ? .text("", status: 429, [("Retry-After", "86400")]) : .text("there")
    }
    defer { server.stop() }
    let other = try ScriptedServer { _ in .text("other") }
    defer { other.stop() }
    let bed = try HTTPTestBed()
    func ask(_ path: String) async -> HTTPFailure? { await bed.getFailure(HTTPRequest(url: server.origin + path)) }
    #expect(await ask("/limited") == .rateLimited(origin: server.origin, retryAfter: .seconds(900)))
    bed.time.pass(.seconds(800))
    #expect(await ask("/else") == .rateLimited(origin: server.origin, retryAfter: .seconds(100)))
    #expect(server.requests.count == 1)
    // Another service has nothing to do with it.
    #expect(await bed.getFailure(HTTPRequest(url: other.origin)) == nil)
    bed.time.pass(.seconds(100))
    #expect(await ask("/else") == nil)
  }

  @Test("a 429 holds back those that wait in the queue already")
  func held() async throws {
    let arrived = ServerGate()
    let go = ServerGate()
    let server = try ScriptedServer { request in
      request.path == "/first"
        ? .text("", status: 429, [("Retry-After", "60")]).after(go, telling: arrived) : .text("there")
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let budget = RequestBudget(service: "one", atOnce: 1)
    let ends = await withTaskGroup(of: HTTPFailure?.self) { group in
      group.addTask { await bed.getFailure(HTTPRequest(url: server.origin + "/first", budget: budget)) }
      await arrived.opened()
      for number in 0..<3 {
        group.addTask { await bed.getFailure(HTTPRequest(url: server.origin + "/\(number)", budget: budget)) }
      }
      while bed.client.load.waiting < 3 { await Task.yield() }
      go.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends == Array(repeating: .rateLimited(origin: server.origin, retryAfter: .seconds(60)), count: 4))
    #expect(server.requests.count == 1)
  }

  @Test("in the queue of a service the request of a person is sent before one that nobody waits for")
  func persons() async throws {
    let arrived = ServerGate()
    let go = ServerGate()
    let server = try ScriptedServer { request in
      request.path == "/first" ? .text("").after(go, telling: arrived) : .text("")
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let budget = RequestBudget(service: "one", atOnce: 1)
    await withTaskGroup(of: HTTPFailure?.self) { group in
      group.addTask { await bed.getFailure(HTTPRequest(url: server.origin + "/first", budget: budget)) }
      await arrived.opened()
      group.addTask {
        await bed.getFailure(HTTPRequest(url: server.origin + "/nobody", budget: budget, urgency: .background))
      }
      while bed.client.load.waiting < 1 { await Task.yield() }
      group.addTask { await bed.getFailure(HTTPRequest(url: server.origin + "/person", budget: budget)) }
      while bed.client.load.waiting < 2 { await Task.yield() }
      go.open()
      for await failure in group { #expect(failure == nil) }
    }
    #expect(server.requests.map(\.path) == ["/first", "/person", "/nobody"])
  }

  @Test("an error inside of a good answer, a quota and a wrong key are what the judge says they are")
  func judged() async throws {
    let server = try ScriptedServer { request in .text(String(request.path.dropFirst())) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    @Sendable func judge(_ response: HTTPResponse) -> ServiceDecision {
      switch String(decoding: response.body, as: UTF8.self) {
      case "overloaded": .retryLater(after: nil)
      case "quota": .closed(for: .seconds(3600), reason: "dailyQuota")
      case "key": .refused(reason: "badKey")
      default: .answer
      }
    }
    func ask(_ path: String) async -> HTTPFailure? {
      await bed.getFailure(HTTPRequest(url: server.origin + path, judge: judge))
    }
    #expect(await ask("/overloaded") == .badResponse(reason: "serviceOverloaded"))
    #expect(server.requests.count == 3)
    #expect(await ask("/key") == .refused(origin: server.origin, reason: "badKey"))
    #expect(await ask("/quota") == .closed(origin: server.origin, reason: "dailyQuota", retryAfter: .seconds(3600)))
    #expect(server.requests.count == 5)
    guard case .closed = await ask("/fine") else { throw ExpectedOther(nil) }
    #expect(server.requests.count == 5)
    bed.time.pass(.seconds(3600))
    #expect(await ask("/fine") == nil)
  }

  @Test("five failed calls in a row leave the service alone, and one probe brings it back")
  func circuit() async throws {
    let isWell = Mutex(false)
    let server = try ScriptedServer { _ in isWell.withLock(\.self) ? .text("there") : .text("", status: 500) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    func ask() async -> HTTPFailure? {
      await failure { () throws(HTTPFailure) in
        try await bed.client.get(HTTPRequest(url: server.origin)).requireSuccess()
      }
    }
    for _ in 0..<5 { #expect(await ask() == .httpStatus(code: 500, url: server.origin + "/")) }
    let before = server.requests.count
    #expect(before == 15)
    #expect(await ask() == .resting(origin: server.origin, retryAfter: .seconds(60)))
    bed.time.pass(.seconds(60))
    #expect(await ask() == .httpStatus(code: 500, url: server.origin + "/"))
    #expect(server.requests.count == before + 1, "a probe asks once")
    #expect(await ask() == .resting(origin: server.origin, retryAfter: .seconds(120)))
    isWell.withLock { $0 = true }
    bed.time.pass(.seconds(120))
    #expect(await ask() == nil)
    #expect(await ask() == nil)
  }

  @Test("a call that has to end before its turn would come is refused at once, however patient it is")
  func tooLate() async throws {
    let server = try ScriptedServer { _ in .text("there") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let budget = RequestBudget(tokens: 1, refill: .seconds(60))
    func ask(within: Duration?) async -> HTTPFailure? {
      await bed.getFailure(
        HTTPRequest(url: server.origin, budget: budget, patience: .seconds(600), within: within))
    }
    #expect(await ask(within: nil) == nil)
    #expect(await ask(within: .seconds(5)) == .rateLimited(origin: server.origin, retryAfter: .seconds(60)))
    #expect(await ask(within: nil) == nil && server.requests.count == 2)
  }

  @Test("sixty calls at one host are two at a time, and all are answered")
  func manyFeeds() async throws {
    let server = try ScriptedServer { request in .text(request.path) }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.callsPerOrigin = 60 }
    try await withThrowingTaskGroup { group in
      for number in 0..<60 {
        group.addTask {
          let response = try await bed.client.get(HTTPRequest(url: server.origin + "/\(number)", urgency: .background))
          #expect(response.body == Data("/\(number)".utf8))
        }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 60)
    // A connection carries one request at a time.
    #expect(Set(server.requests.map(\.connection)).count <= 2)
  }

  @Test("a budget is counted by its service's name, whatever the origin")
  func sharedBudget() async throws {
    let servers = try (0..<2).map { _ in try ScriptedServer { _ in .text("") } }
    defer { for server in servers { server.stop() } }
    let bed = try HTTPTestBed()
    let budget = RequestBudget(service: "catalogue", gap: .seconds(3))
    for server in servers + servers { _ = try await bed.client.get(HTTPRequest(url: server.origin, budget: budget)) }
    #expect(bed.time.pauses == [.seconds(3), .seconds(3), .seconds(3)])
  }

  @Test("of services that nobody asks any more no more than 256 are remembered")
  func bounded() async throws {
    let server = try ScriptedServer { _ in .text("") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for number in 0..<300 {
      _ = try await bed.client.get(
        HTTPRequest(url: server.origin, budget: RequestBudget(service: "\(number)")))
    }
    #expect(bed.client.load.services <= 257)
  }

  @Test("a call in the queue is cancelled at once, and shutting down ends it")
  func endings() async throws {
    let arrived = ServerGate()
    let server = try ScriptedServer { _ in ServerReply.silence().telling(arrived) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let budget = RequestBudget(service: "one", atOnce: 1)
    func call(_ path: String) -> Task<HTTPFailure?, Never> {
      Task { await bed.getFailure(HTTPRequest(url: server.origin + path, budget: budget)) }
    }
    let running = call("/running")
    await arrived.opened()
    let cancelled = call("/cancelled")
    let ended = call("/ended")
    while bed.client.load.waiting < 2 { await Task.yield() }
    cancelled.cancel()
    #expect(await cancelled.value == .cancelled)
    bed.client.shutDown()
    #expect(await ended.value == .shutDown)
    #expect(await running.value == .shutDown)
    #expect(await bed.getFailure(HTTPRequest(url: server.origin)) == .shutDown)
    #expect(server.requests.count == 1)
  }

  @Test("a call that waits for a pause is cancelled at once")
  func cancelledPause() async throws {
    let server = try ScriptedServer { _ in .text("", status: 503) }
    defer { server.stop() }
    let pausing = ServerGate()
    let bed = try HTTPTestBed {
      $0.pause = { _ in
        pausing.open()
        // As a sleep: ends when the task is cancelled.
        await withCheckedContinuationUntilCancelled()
      }
    }
    let call = Task { await bed.getFailure(HTTPRequest(url: server.origin)) }
    await pausing.opened()
    call.cancel()
    #expect(await call.value == .cancelled)
    #expect(server.requests.count == 1)
  }
}

/// Returns when the task is cancelled.
private func withCheckedContinuationUntilCancelled() async {
  let gate = ServerGate()
  await withTaskCancellationHandler {
    await gate.opened()
  } onCancel: {
    gate.open()
  }
}
