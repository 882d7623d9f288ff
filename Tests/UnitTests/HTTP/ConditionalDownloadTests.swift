import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("download if changed", .timeLimit(.minutes(10)))
struct ConditionalDownloadTests {
  private let bytes = sampleBytes(50_000)

  private func server() throws -> ScriptedServer {
    let bytes = bytes
    return try ScriptedServer { request in
      switch request.target {
      case "/start": .redirect(to: "/file")
      case "/lying": .notModified()
      default: request["If-None-Match"] == "\"one\"" ? .notModified() : .file(bytes, to: request)
      }
    }
  }

  private func request(_ url: String, _ bed: HTTPTestBed, since validators: Validators? = nil) -> DownloadRequest {
    DownloadRequest(url: url, part: bed.part, limit: 1 << 20, validators: validators)
  }

  @Test("what a download gave asks the next time, also behind a redirect, and nothing is left when nothing has changed")
  func unchanged() async throws {
    let server = try server()
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for path in ["/file", "/start"] {
      let first = try #require(try await bed.client.downloadIfChanged(request(server.origin + path, bed)))
      #expect(bed.partBytes == bytes)
      let validators = try #require(first.validators)
      #expect(validators == Validators(url: server.origin + "/file", etag: "\"one\"", lastModified: nil))
      Download.discard(part: first.file)
      let second = try await bed.client.downloadIfChanged(request(server.origin + path, bed, since: validators))
      #expect(second == nil && bed.files == [])
      #expect(server.requests.last?["If-None-Match"] == "\"one\"")
    }
  }

  @Test("other bytes come whole, and what an interrupted download left of them is gone on with under the question")
  func changed() async throws {
    let bytes = bytes
    let server = try ScriptedServer { .file(bytes, to: $0, etag: "\"two\"", cut: $0.index == 0 ? 20_000 : nil) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let old = Validators(url: server.origin + "/", etag: "\"one\"", lastModified: nil)
    let download = try await bed.client.downloadIfChanged(request(server.origin + "/", bed, since: old))
    #expect(bed.partBytes == bytes && download?.validators?.etag == "\"two\"")
    #expect(server.requests.map { $0["If-None-Match"] } == ["\"one\"", "\"one\""])
    #expect(server.requests.map { $0["Range"] } == [nil, "bytes=20000-"])
  }

  @Test("“as before” without a question, and to a question for another place, is a bad answer")
  func unasked() async throws {
    let server = try server()
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let url = server.origin + "/lying"
    #expect(await bed.downloadFailure(request(url, bed)) == .badResponse(reason: "answerUnasked"))
    let other = Validators(url: server.origin + "/file", etag: "\"one\"", lastModified: nil)
    let failure = await failure { () throws(HTTPFailure) in
      try await bed.client.downloadIfChanged(request(url, bed, since: other))
    }
    #expect(failure == .badResponse(reason: "answerUnasked"))
    #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
  }
}
