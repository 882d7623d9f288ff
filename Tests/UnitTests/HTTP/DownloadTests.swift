import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("download", .timeLimit(.minutes(10)))
struct DownloadTests {
  private let bytes = sampleBytes(300_000)

  @Test("a file arrives whole and says what the server said of it; discard leaves nothing")
  func whole() async throws {
    let bytes = bytes
    let server = try ScriptedServer { request in
      request.target == "/start"
        ? .redirect(to: "/file")
        : .file(
          bytes, to: request,
          headers: [
            ("Content-Type", "application/pdf"), ("Content-Disposition", "attachment; filename=\"../../evil.pdf\""),
          ], lastModified: "Mon, 20 May 2024 00:00:00 GMT")
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let told = Mutex<[DownloadProgress]>([])
    let download = try await bed.client.download(
      DownloadRequest(url: server.origin + "/start", part: bed.part, limit: bytes.count)
    ) { progress in told.withLock { $0.append(progress) } }
    #expect(download.file == bed.part)
    #expect(bed.partBytes == bytes)
    #expect(download.size == bytes.count)
    #expect(download.finalURL.text == server.origin + "/file")
    #expect(download.mediaType == "application/pdf")
    #expect(download.etag == "\"one\"")
    #expect(download.lastModified == "Mon, 20 May 2024 00:00:00 GMT")
    #expect(download.resumedFrom == 0)
    let last = told.withLock { $0 }
    #expect(last.last == DownloadProgress(received: bytes.count, total: bytes.count))
    #expect(last.count >= 2)
    #expect(last.map(\.received) == last.map(\.received).sorted())
    #expect(bed.files == ["one.part", "one.part.json"])
    Download.discard(part: download.file)
    #expect(bed.files == [])
  }

  @Test("after two lost connections the same call asks for the rest and the bytes are the same")
  func resumes() async throws {
    let bytes = bytes
    let server = try ScriptedServer { .file(bytes, to: $0, cut: $0.index < 2 ? 100_000 : nil) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let download = try await bed.client.download(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    #expect(bed.partBytes == bytes)
    #expect(download.resumedFrom == 0, "nothing was there when the call began")
    #expect(server.requests.map { $0["Range"] } == [nil, "bytes=100000-", "bytes=200000-"])
    #expect(server.requests.map { $0["If-Range"] } == [nil, "\"one\"", "\"one\""])
    #expect(bed.pausesTaken.count == 2)
  }

  @Test("a host that gives nothing more is asked three times, then the part waits for another client")
  func givesUpAndGoesOn() async throws {
    let bytes = bytes
    let isWell = Mutex(false)
    let server = try ScriptedServer { request in
      isWell.withLock { $0 } || request.index == 0
        ? .file(bytes, to: request, cut: request.index == 0 ? 1000 : nil) : ServerReply([.reset])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let part = bed.part
    let request = DownloadRequest(url: server.origin + "/a?token=secret", part: part, limit: 1 << 20)
    let reason = await bed.downloadFailure(request)
    guard case .unreachable(origin: server.origin, _) = reason else { throw ExpectedOther(reason) }
    #expect(server.requests.count == 4)
    #expect(bed.pausesTaken == [.milliseconds(500), .seconds(1), .seconds(2)])
    #expect(bed.partBytes == bytes.prefix(1000))
    isWell.withLock { $0 = true }
    // As another process would: another client, which knows the folder only.
    let other = HTTPClient(HTTPConfiguration())
    defer { other.shutDown() }
    let download = try await other.download(request)
    #expect(download.resumedFrom == 1000)
    #expect(server.requests.last?["Range"] == "bytes=1000-")
    #expect(bed.partBytes == bytes)
    #expect(download.etag == "\"one\"")
  }

  @Test("a connection lost before its answer is lost, too")
  func lostEarly() async throws {
    let bytes = bytes
    let server = try ScriptedServer { $0.index < 2 ? ServerReply([.reset]) : .file(bytes, to: $0) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    _ = try await bed.client.download(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    #expect(bed.partBytes == bytes)
    #expect(bed.pausesTaken.count == 2)
  }

  @Test("a host that is not there at all, or silent from the start, is not asked again")
  func notThere() async throws {
    let silent = try ScriptedServer { _ in ServerReply([.waitForPeerToClose(ServerGate())]) }
    defer { silent.stop() }
    let bed = try HTTPTestBed { $0.stall = .init(bytesPerSecond: 1000, seconds: 1) }
    #expect(
      await bed.downloadFailure(DownloadRequest(url: silent.origin, part: bed.part, limit: 1 << 20))
        == .timedOut(origin: silent.origin))
    #expect(silent.requests.count == 1)
    let closed = try ScriptedServer { _ in .text("") }
    closed.stop()
    let reason = await bed.downloadFailure(DownloadRequest(url: closed.origin, part: bed.part, limit: 1 << 20))
    guard case .unreachable = reason else { throw ExpectedOther(reason) }
    #expect(bed.pausesTaken.isEmpty)
    #expect(bed.files == [])
  }

  @Test("a stalled body is a lost connection, too")
  func stall() async throws {
    let bytes = bytes
    let server = try ScriptedServer { request in
      guard request.index == 0 else { return .file(bytes, to: request) }
      var reply = ServerReply.file(bytes, to: request, cut: 5000)
      reply.steps[reply.steps.count - 1] = .waitForPeerToClose(ServerGate())
      return reply
    }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.stall = .init(bytesPerSecond: 1_000_000, seconds: 1) }
    _ = try await bed.client.download(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5000-"])
    #expect(bed.partBytes == bytes)
  }

  @Test("a stalled body that nothing can resume is given up with its first stall, and nothing of it stays")
  func stallForNothing() async throws {
    let bytes = bytes
    let server = try ScriptedServer { request in
      var reply = ServerReply.file(bytes, to: request, etag: nil, cut: 5000)
      reply.steps[reply.steps.count - 1] = .waitForPeerToClose(ServerGate())
      return reply
    }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.stall = .init(bytesPerSecond: 1_000_000, seconds: 1) }
    #expect(
      await bed.downloadFailure(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
        == .timedOut(origin: server.origin))
    #expect(server.requests.count == 1)
    #expect(bed.files == [])
  }

  @Test("a server that drips is given up with its second stall, and a later call goes on")
  func drips() async throws {
    let bytes = bytes
    let isWell = Mutex(false)
    let server = try ScriptedServer { request in
      if isWell.withLock({ $0 }) { return .file(bytes, to: request) }
      var reply = ServerReply.file(bytes, to: request, cut: 5)
      reply.steps[reply.steps.count - 1] = .waitForPeerToClose(ServerGate())
      return reply
    }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.stall = .init(bytesPerSecond: 1_000_000, seconds: 1) }
    let request = DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20)
    #expect(await bed.downloadFailure(request) == .timedOut(origin: server.origin))
    #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5-"])
    isWell.withLock { $0 = true }
    #expect(try await bed.client.download(request).resumedFrom == 10)
    #expect(bed.partBytes == bytes)
  }

  @Test("a part that nobody can resume does not outlive its call; an old one goes, one that is written stays")
  func abandoned() async throws {
    let bytes = bytes
    let server = try ScriptedServer { .file(bytes, to: $0, etag: $0.target == "/kept" ? "\"one\"" : nil, cut: 1000) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    _ = await bed.downloadFailure(DownloadRequest(url: server.origin + "/lost", part: bed.part, limit: 1 << 20))
    #expect(bed.files == [])
    let request = DownloadRequest(url: server.origin + "/kept", part: bed.part, limit: 1 << 20)
    _ = await bed.downloadFailure(request)
    #expect(Download.isResumable(part: bed.part))
    let written = Date(timeIntervalSince1970: 1_795_000_000)
    try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: bed.part)
    Download.discardAbandoned(part: bed.part, untouchedSince: written)
    #expect(bed.files == ["one.part", "one.part.json"])
    let held = try DownloadSink(request) { _ in }
    Download.discardAbandoned(part: bed.part, untouchedSince: written + 1)
    #expect(bed.files == ["one.part", "one.part.json"])
    held.release()
    Download.discardAbandoned(part: bed.part, untouchedSince: written + 1)
    #expect(bed.files == [])
    try bytes.write(to: URL(fileURLWithPath: bed.part))
    Download.discardAbandoned(part: bed.part, untouchedSince: .distantPast)
    #expect(bed.files == [], "without a record it belongs to nothing")
  }

  @Test(
    "a server that wants fewer requests says when to come again, by its own word where it has one",
    arguments: [(429, "7200", 7_200), (429, nil, 60), (503, "30", 30)] as [(Int, String?, Int)])
  func tooMany(_ status: Int, _ after: String?, _ seconds: Int) async throws {
    let server = try ScriptedServer { _ in .text("no", status: status, after.map { [("Retry-After", $0)] } ?? []) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(
      await bed.downloadFailure(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
        == .rateLimited(origin: server.origin, retryAfter: .seconds(seconds)))
    #expect(server.requests.count == 1)
    #expect(bed.files == [])
  }

  @Test(
    "a changed file, a server without ranges and a wrong range begin again cleanly",
    arguments: ["etag", "ranges", "start", "total"])
  func beginsAgain(_ change: String) async throws {
    let bytes = bytes
    let newer = Data(bytes.reversed())
    let server = try ScriptedServer { request in
      if request.index == 0 { return .file(bytes, to: request, cut: 1000) }
      let length = ("Content-Length", "\(newer.count - 1000)")
      switch (change, request["Range"]) {
      case ("etag", _): return .file(newer, to: request, etag: "\"two\"")
      case ("ranges", _), (_, nil): return .answer(200, [("ETag", "\"two\"")], body: newer)
      case ("start", _):
        let range = ("Content-Range", "bytes 999-\(newer.count - 1)/\(newer.count)")
        return ServerReply([.send(ServerReply.head(206, [range, length])), .send(newer.dropFirst(1000))])
      default:
        let range = ("Content-Range", "bytes 1000-\(newer.count)/\(newer.count + 1)")
        return ServerReply([.send(ServerReply.head(206, [range, length])), .send(newer.dropFirst(1000))])
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let download = try await bed.client.download(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    #expect(bed.partBytes == newer)
    #expect(download.etag == "\"two\"")
  }

  @Test("a server that never gives a fitting range is not asked for ever")
  func neverFits() async throws {
    let bytes = bytes
    let server = try ScriptedServer { request in
      request["Range"] == nil
        ? .file(bytes, to: request, cut: 1000) : .answer(206, [("Content-Range", "bytes 7-9/10")], body: Data(count: 3))
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let reason = await bed.downloadFailure(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    #expect(reason == .badResponse(reason: "answerRanges"))
    #expect(server.requests.count < 10)
  }

  @Test("without a strong validator nothing is resumed", arguments: ["W/\"one\"", nil])
  func noValidator(_ etag: String?) async throws {
    let bytes = bytes
    let server = try ScriptedServer { .file(bytes, to: $0, etag: etag, cut: $0.index == 0 ? 1000 : nil) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    _ = try await bed.client.download(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    #expect(server.requests.map { $0["Range"] } == [nil, nil])
    #expect(bed.partBytes == bytes)
  }

  @Test("a server that always loses the connection at the same place is asked four times in all")
  func noProgressWithoutRanges() async throws {
    let bytes = bytes
    let server = try ScriptedServer { .file(bytes, to: $0, etag: nil, cut: 1000) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let reason = await bed.downloadFailure(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    guard case .unreachable = reason else { throw ExpectedOther(reason) }
    #expect(server.requests.count == 4)
  }

  @Test("a part that is whole already is finished by a 416, one of another URL is not used")
  func foundParts() async throws {
    let bytes = bytes
    let server = try ScriptedServer { .file(bytes, to: $0) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let request = DownloadRequest(url: server.origin + "/a", part: bed.part, limit: 1 << 20)
    _ = try await bed.client.download(request)
    let again = try await bed.client.download(request)
    #expect(again.resumedFrom == bytes.count)
    #expect(again.etag == "\"one\"")
    #expect(bed.partBytes == bytes)
    again.lock.giveUp()
    var other = request
    other.url = server.origin + "/b"
    #expect(try await bed.client.download(other).resumedFrom == 0)
    try FileManager.default.removeItem(atPath: bed.part + ".json")
    #expect(try await bed.client.download(other).resumedFrom == 0, "bytes without a record belong to nothing")
    try Data("{".utf8).write(to: URL(fileURLWithPath: bed.part + ".json"))
    #expect(try await bed.client.download(other).resumedFrom == 0, "a record that cannot be read is none")
    #expect(server.requests.map { $0["Range"] } == [nil, "bytes=300000-", nil, nil, nil])
    #expect(bed.partBytes == bytes)
  }

  @Test("a call that has answered has unlocked its part, even if the network thread still holds what wrote it")
  func unlocked() async throws {
    let bed = try HTTPTestBed()
    let request = DownloadRequest(url: "http://127.0.0.1:9/", part: bed.part, limit: 1)
    let loop = CurlLoop()
    loop.shutDown()
    try PartRecord(url: request.url, head: ResponseHead(status: 200, headers: ["ETag": "\"a\""]), total: nil)
      .store(part: bed.part)
    try Data("x".utf8).write(to: URL(fileURLWithPath: bed.part))
    let held = try DownloadSink(request) { _ in }
    let run = DownloadRun(
      request: request, url: try WebURL(request.url),
      redirects: Redirects(loop: loop, configuration: HTTPConfiguration(), lane: .download), pauses: Pauses(),
      sink: held,
      log: FetchLog { _ in })
    #expect(await failure { () throws(HTTPFailure) in try await run.result() } == .shutDown)
    try withExtendedLifetime(held) { _ = try DownloadSink(request) { _ in } }
  }

  @Test("one part is one download's at a time, and free again when the call has answered")
  func lock() async throws {
    let bytes = bytes
    let arrived = ServerGate()
    let server = try ScriptedServer { request in
      var reply = ServerReply.file(bytes, to: request, cut: request.index == 0 ? 1000 : nil)
      if request.index == 0 { reply.steps[2...] = [.open(arrived), .waitForPeerToClose(ServerGate())] }
      return reply
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let request = DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20)
    let received = ServerGate()
    let first = Task {
      await failure { () throws(HTTPFailure) in
        try await bed.client.download(request) { _ in received.open() }
      }
    }
    await arrived.opened()
    await received.opened()
    #expect(await bed.downloadFailure(request) == .partInUse)
    first.cancel()
    #expect(await first.value == .cancelled)
    #expect(try await bed.client.download(request).resumedFrom == 1000)
    #expect(bed.partBytes == bytes)
  }
  @Test("a file that has come stays locked while it is looked at: another download of it would empty it")
  func lockedBehindTheEnd() async throws {
    let bytes = bytes
    let server = try ScriptedServer { .file(bytes, to: $0) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let request = DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20)
    let download = try await bed.client.download(request)
    #expect(await bed.downloadFailure(request) == .partInUse)
    #expect(bed.partBytes == bytes)
    download.lock.giveUp()
    #expect(try await bed.client.download(request).size == bytes.count)
  }
}
