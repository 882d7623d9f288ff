import CCurl
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTP

/// Cancellation, shutdown, and the places at an origin.
@Suite("how calls end", .timeLimit(.minutes(10)))
struct EndingTests {
  @Test("a cancelled call answers within 100 ms and its connection is closed")
  func cancel() async throws {
    let bed = try HTTPTestBed()
    var times: [Duration] = []
    // The fastest counts: others use this machine too.
    while times.count < 20, times.allSatisfy({ $0 >= .milliseconds(100) }) {
      let arrived = ServerGate()
      let closed = ServerGate()
      let server = try ScriptedServer { _ in ServerReply([.open(arrived), .waitForPeerToClose(closed)]) }
      defer { server.stop() }
      let call = Task { () -> HTTPFailure? in
        await bed.fetchFailure(HTTPRequest(url: server.origin))
      }
      await arrived.opened()
      let start = ContinuousClock.now
      call.cancel()
      #expect(await call.value == .cancelled)
      times.append(ContinuousClock.now - start)
      await closed.opened()
    }
    #expect(times.min()! < .milliseconds(100), "\(times)")
  }

  @Test("a call cancelled before it begins never reaches the server")
  func cancelledBefore() async throws {
    let server = try ScriptedServer { _ in .text("") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let go = ServerGate()
    let call = Task { () -> HTTPFailure? in
      await go.opened()
      return await bed.fetchFailure(HTTPRequest(url: server.origin))
    }
    call.cancel()
    go.open()
    #expect(await call.value == .cancelled)
    #expect(server.requests.isEmpty)
  }

  @Test("shutting down ends running, waiting and later calls, more than once and without a call too")
  func shutDown() async throws {
    let arrived = ServerGate()
    let server = try ScriptedServer { _ in ServerReply([.open(arrived), .waitForPeerToClose(ServerGate())]) }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.callsPerOrigin = 1 }
    try await withThrowingTaskGroup(of: HTTPFailure?.self) { group in
      for _ in 0..<5 {
        group.addTask {
          await bed.fetchFailure(HTTPRequest(url: server.origin))
        }
      }
      await arrived.opened()
      bed.client.shutDown()
      bed.client.shutDown()
      for try await reason in group { #expect(reason == .shutDown) }
    }
    #expect(server.requests.count == 1)
    #expect(
      await bed.fetchFailure(HTTPRequest(url: server.origin))
        == .shutDown)
    HTTPClient(HTTPConfiguration()).shutDown()
  }

  @Test("at most two calls of a kind run at one origin, in order, and downloads do not hold up fetches")
  func places() async throws {
    let gates = (0..<4).map { _ in ServerGate() }
    let arrivals = (0..<4).map { _ in ServerGate() }
    let server = try ScriptedServer { request in
      guard let number = Int(request.target.dropFirst()) else { return .text("quick") }
      let reply = ServerReply.text("\(number)")
      return ServerReply([.open(arrivals[number]), .wait(gates[number])] + reply.steps)
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    @Sendable func download(_ number: Int) async throws {
      _ = try await bed.client.download(
        DownloadRequest(url: server.origin + "/\(number)", part: bed.folder + "/\(number)", limit: 100))
    }
    try await withThrowingTaskGroup { group in
      for number in 0..<2 { group.addTask { try await download(number) } }
      await arrivals[0].opened()
      await arrivals[1].opened()
      group.addTask { try await download(2) }
      // Answered while both places for downloads are taken and a third download waits.
      _ = try await bed.client.fetch(HTTPRequest(url: server.origin + "/quick"))
      #expect(server.requests.map(\.target).filter { $0 != "/quick" }.sorted() == ["/0", "/1"])
      gates[1].open()
      await arrivals[2].opened()
      gates[0].open()
      gates[2].open()
      try await group.waitForAll()
    }
  }

  @Test("more waiting calls than the configuration allows are busy")
  func busy() async throws {
    let arrived = ServerGate()
    let go = ServerGate()
    let server = try ScriptedServer { _ in ServerReply([.open(arrived), .wait(go)] + ServerReply.text("").steps) }
    defer { server.stop() }
    let bed = try HTTPTestBed {
      $0.callsPerOrigin = 1
      $0.callsWaiting = 2
    }
    let ends = await withTaskGroup(of: HTTPFailure?.self) { group in
      for _ in 0..<5 {
        group.addTask {
          await bed.fetchFailure(HTTPRequest(url: server.origin))
        }
      }
      await arrived.opened()
      var ends = [await group.next() ?? nil, await group.next() ?? nil]
      go.open()
      for await end in group { ends.append(end) }
      return ends
    }
    #expect(ends == [.busy, .busy, nil, nil, nil])
  }

  @Test("only so many calls run in all, whatever their origins")
  func inAll() async throws {
    let arrived = ServerGate()
    let go = ServerGate()
    let server = try ScriptedServer { _ in ServerReply([.open(arrived), .wait(go)] + ServerReply.text("").steps) }
    defer { server.stop() }
    let other = try ScriptedServer { _ in .text("") }
    defer { other.stop() }
    let bed = try HTTPTestBed {
      $0.callsInAll = 1
      $0.callsWaiting = 0
    }
    let first = Task { await bed.fetchFailure(HTTPRequest(url: server.origin)) }
    await arrived.opened()
    #expect(await bed.fetchFailure(HTTPRequest(url: other.origin)) == .busy && other.requests.isEmpty)
    go.open()
    #expect(await first.value == nil)
    #expect(await bed.fetchFailure(HTTPRequest(url: other.origin)) == nil)
  }

  @Test("libcurl is loaded by the first request, not before, and its absence is a failure of the call")
  func loading() async {
    // In processes of their own: this one has loaded it.
    await #expect(processExitsWith: .success) {
      func isLoaded() -> Bool { dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD) != nil }
      let server = try ScriptedServer { _ in .text("") }
      let bed = try HTTPTestBed()
      guard !isLoaded() else { exit(1) }
      _ = try await bed.client.fetch(HTTPRequest(url: server.origin))
      guard isLoaded() else { exit(2) }
    }
    await #expect(processExitsWith: .success) {
      let bed = try HTTPTestBed()
      // No file can be opened, so no library can; only for as long as this tries, since Dispatch looks after its
      // threads once a second, opens files for it, and traps where it cannot.
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var usual = rlimit()
      getrlimit(resource, &usual)
      var none = rlimit(rlim_cur: 0, rlim_max: usual.rlim_max)
      setrlimit(resource, &none)
      let failure = ccurl_load()
      setrlimit(resource, &usual)
      guard failure != nil else { exit(2) }
      for _ in 0..<2 {
        let reason = await bed.fetchFailure(HTTPRequest(url: "http://127.0.0.1:9/"))
        guard case .unavailable(let text) = reason, text.contains("libcurl") else { exit(1) }
      }
    }
  }

  @Test("a client that nobody holds closes its connections and ends its thread")
  func dropped() async throws {
    let closed = ServerGate()
    let server = try ScriptedServer { _ in ServerReply(ServerReply.text("").steps + [.waitForPeerToClose(closed)]) }
    defer { server.stop() }
    _ = try await HTTPClient(HTTPConfiguration()).fetch(HTTPRequest(url: server.origin))
    await closed.opened()
    #expect(server.requests.count == 1)
  }

  @Test("many calls, half of them cancelled at any moment, each end exactly once")
  func storm() async throws {
    let server = try ScriptedServer { request in .text(request.target) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    var calls: [Task<HTTPFailure?, Never>] = []
    for number in 0..<200 {
      let call = Task {
        await failure { () throws(HTTPFailure) in
          let response = try await bed.client.fetch(HTTPRequest(url: server.origin + "/\(number)"))
          guard response.body == Data("/\(number)".utf8) else { throw .badResponse(reason: "another call's answer") }
        }
      }
      calls.append(call)
      if number % 2 == 0 { calls[number / 2].cancel() }
    }
    for (number, call) in calls.enumerated() {
      let reason = await call.value
      #expect(reason == nil || (reason == .cancelled && number < 100), "\(number)")
    }
  }
}
