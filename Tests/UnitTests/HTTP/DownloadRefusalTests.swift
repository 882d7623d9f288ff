import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("what a download refuses", .timeLimit(.minutes(10)))
struct DownloadRefusalTests {
  /// Judges as the documents do: a PDF says so within its first 1,024 bytes.
  @Sendable static func isPDF(_ head: Data, _ isWhole: Bool) -> DownloadRequest.Decision {
    if head.firstRange(of: Data("%PDF-".utf8)) != nil { return .accepted }
    return isWhole ? .refused("no PDF") : .undecided
  }

  @Test("a page instead of a PDF is refused at 1,024 bytes, however long it goes on, and its part removed")
  func page() async throws {
    let server = try ScriptedServer { _ in
      ServerReply([
        .send(ServerReply.head(200, [("Content-Type", "application/pdf"), ("ETag", "\"a\"")])),
        .sendForever(Data("<html>".utf8)),
      ])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let heads = Mutex<[(Data, Bool)]>([])
    let reason = await bed.downloadFailure(
      DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 30) { head, isWhole in
        heads.withLock { $0.append((head, isWhole)) }
        return Self.isPDF(head, isWhole)
      })
    #expect(reason == .refusedContent(reason: "no PDF"))
    #expect(heads.withLock { $0.last?.0.count } == 1024)
    #expect(heads.withLock { $0.last?.1 } == true)
    #expect(bed.files == [])
  }

  @Test("a judge is asked as bytes arrive, and no more once it is sure")
  func judgedEarly() async throws {
    let next = ServerGate()
    let bytes = sampleBytes(50_000)
    let server = try ScriptedServer { request in
      let head = ServerReply.head(200, [("Content-Length", "\(bytes.count)")])
      return ServerReply([.send(head), .send(bytes.prefix(3)), .wait(next), .send(bytes.dropFirst(3))])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let sizes = Mutex<[Int]>([])
    _ = try await bed.client.download(
      DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20) { head, isWhole in
        sizes.withLock { $0.append(head.count) }
        next.open()
        return Self.isPDF(head, isWhole)
      })
    #expect(sizes.withLock { $0 } == [3, 1024])
  }

  @Test("a short file is judged at its end, and who is undecided then has refused", arguments: ["%PDF-1", "%PDX", ""])
  func shortFile(_ body: String) async throws {
    let server = try ScriptedServer { _ in .text(body) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let reason = await bed.downloadFailure(
      DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20) { head, _ in
        head.starts(with: Data("%PDF-".utf8)) ? .accepted : .undecided
      })
    let refusal = HTTPFailure.refusedContent(reason: "answerUnexpected")
    #expect(reason == (body == "%PDF-1" ? nil : refusal))
  }

  @Test("what an earlier call left is judged before more is asked of the server's bytes")
  func judgedPart() async throws {
    let server = try ScriptedServer { request in
      .file(Data(repeating: 0x20, count: 10_000), to: request, cut: request["Range"] == nil ? 5000 : 0)
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    var request = DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20)
    _ = await bed.downloadFailure(request)
    #expect(bed.partBytes?.count == 5000)
    request.validate = Self.isPDF
    let refusing = request
    #expect(
      await bed.downloadFailure(refusing)
        == .refusedContent(reason: "no PDF"))
    #expect(bed.files == [])
  }

  @Test("more than the limit is refused by the declared size or by the bytes that come, and nothing stays")
  func limit() async throws {
    let chunk = Data("1000\r\n".utf8) + Data(count: 0x1000) + Data("\r\n".utf8)
    let bytes = sampleBytes(100_000)
    let server = try ScriptedServer { request in
      request.target == "/endless"
        ? ServerReply([.send(ServerReply.head(200, [("Transfer-Encoding", "chunked")])), .sendForever(chunk)])
        : .file(bytes, to: request)
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for path in ["/endless", "/declared"] {
      let reason = await bed.downloadFailure(DownloadRequest(url: server.origin + path, part: bed.part, limit: 99_999))
      #expect(reason == .tooLarge(limit: 99_999), "\(path)")
      #expect(bed.files == [])
    }
  }

  @Test("a body longer than its announced rest is no file")
  func tooLong() async throws {
    let bytes = sampleBytes(10_000)
    let server = try ScriptedServer { request in
      guard request["Range"] != nil else { return .file(bytes, to: request, cut: 5000) }
      let head = ServerReply.head(206, [("Content-Range", "bytes 5000-9999/10000")])
      return ServerReply([.send(head), .send(Data(count: 6000)), .close])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let reason = await bed.downloadFailure(DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20))
    #expect(reason == .badResponse(reason: "answerTooLong"))
  }

  @Test("a status that means failure is told with the URL masked, and keeps a part that has bytes")
  func status() async throws {
    let bytes = sampleBytes(10_000)
    let server = try ScriptedServer { request in
      request.index == 0 ? .file(bytes, to: request, cut: 100) : .text("busy", status: 503)
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let url = server.origin + "/a?key=K&page=1"
    #expect(
      await bed.downloadFailure(DownloadRequest(url: url, part: bed.part, limit: 1 << 20))
        == .httpStatus(code: 503, url: server.origin + "/a?key=***&page=1"))
    #expect(bed.partBytes == bytes.prefix(100))
    let other = bed.folder + "/two.part"
    #expect(
      await bed.downloadFailure(DownloadRequest(url: url, part: other, limit: 1 << 20))
        == .httpStatus(code: 503, url: server.origin + "/a?key=***&page=1"))
    #expect(bed.files == ["one.part", "one.part.json"])
  }

  @Test("a full disk keeps the part, and the download goes on when there is room")
  func fullDisk() async {
    // In a process of its own: the limit is for all files of a process.
    await #expect(processExitsWith: .success) {
      let bytes = sampleBytes(300_000)
      let server = try ScriptedServer { .file(bytes, to: $0) }
      let bed = try HTTPTestBed()
      let request = DownloadRequest(url: server.origin, part: bed.part, limit: 1 << 20)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let before = limit
      limit.rlim_cur = 100_000
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let reason = await bed.downloadFailure(request)
      guard reason == .diskFull, bed.partBytes == bytes.prefix(100_000) else { exit(1) }
      var free = before
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &free)
      let download = try await bed.client.download(request)
      guard download.resumedFrom == 100_000, bed.partBytes == bytes else { exit(2) }
    }
  }

  @Test("a folder that is not there and a part that is no file are file errors")
  func noFolder() async throws {
    let bed = try HTTPTestBed()
    for (part, code) in [(bed.folder + "/missing/x", ENOENT), (bed.folder, EISDIR)] {
      #expect(
        await bed.downloadFailure(DownloadRequest(url: "http://127.0.0.1:9/", part: part, limit: 1))
          == .fileError(errno: code))
    }
  }

  @Test("shutting down ends a download in its body and one that pauses, and both keep their parts")
  func shutDown() async throws {
    let bytes = sampleBytes(10_000)
    let arrived = ServerGate()
    let pausing = ServerGate()
    let server = try ScriptedServer { request in
      var reply = ServerReply.file(bytes, to: request, cut: 1000)
      if request.target == "/body" { reply.steps[2...] = [.open(arrived), .waitForPeerToClose(ServerGate())] }
      return reply
    }
    defer { server.stop() }
    let bed = try HTTPTestBed {
      $0.pause = { _ in
        pausing.open()
        try? await Task.sleep(for: .seconds(3600))
      }
    }
    let received = ServerGate()
    let first = Task {
      await failure { () throws(HTTPFailure) in
        try await bed.client.download(
          DownloadRequest(url: server.origin + "/body", part: bed.folder + "/1", limit: 1 << 20)
        ) { _ in received.open() }
      }
    }
    let second = Task {
      await bed.downloadFailure(
        DownloadRequest(url: server.origin + "/pause", part: bed.folder + "/2", limit: 1 << 20))
    }
    await arrived.opened()
    await received.opened()
    await pausing.opened()
    bed.client.shutDown()
    #expect(await first.value == .shutDown)
    #expect(await second.value == .shutDown)
    #expect(bed.files == ["1", "1.json", "2", "2.json"])
  }
}
