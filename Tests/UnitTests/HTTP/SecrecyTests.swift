import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("secrets of a request", .timeLimit(.minutes(10)))
struct SecrecyTests {
  private let secret = "hunter2 &ü"

  @Test("a secret parameter is sent encoded to its origin, and is in nothing that the client hands out")
  func query() async throws {
    let server = try ScriptedServer { request in
      request.path == "/go"
        ? .redirect(to: "/there?key=\(request.query["key"] ?? "")", status: 301) : .text("", [("ETag", "\"a\"")])
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for path in ["/a?q=1", "/b", "/go"] {
      let response = try await bed.client.get(
        HTTPRequest(url: server.origin + path, secretQuery: (name: "key", secret: Secret(secret))))
      let told =
        "\(response.finalURL.text) \(String(describing: response.validators)) \(response.movedPermanentlyTo ?? "")"
      #expect(!told.contains("hunter2"))
    }
    #expect(server.requests.map { $0.query["key"] } == [secret, secret, secret, secret])
    #expect(server.requests[0].query["q"] == "1")
    #expect(!bed.logLines.joined().contains("hunter2"))
  }

  @Test("no key in a query goes along to another origin, however the redirect repeats it")
  func redirected() async throws {
    let second = try ScriptedServer { _ in .text("") }
    defer { second.stop() }
    let first = try ScriptedServer { request in
      .redirect(to: second.origin + "/x?" + request.target.drop { $0 != "?" }.dropFirst() + "&n=1&Signature=own")
    }
    defer { first.stop() }
    let bed = try HTTPTestBed { $0.allowedOrigins = Set([Origin(second.origin)].compactMap { $0 }) }
    _ = try await bed.client.get(
      HTTPRequest(url: first.origin + "/a?q=1", secretQuery: (name: "key", secret: Secret("hunter2"))))
    // A key that is part of the URL itself, as private feeds have it.
    _ = try await bed.client.get(HTTPRequest(url: first.origin + "/a?q=1&token=hunter2"))
    #expect(second.requests.map(\.target) == ["/x?q=1&n=1&Signature=own", "/x?q=1&n=1&Signature=own"])
    #expect(first.requests.map(\.target) == ["/a?q=1&key=hunter2", "/a?q=1&token=hunter2"])
  }

  @Test("a secret of more than one line is refused by the name of what carries it")
  func lines() async throws {
    let bed = try HTTPTestBed()
    for text in ["a\r\nb", "a\nb", "a\0b"] {
      #expect(
        await bed.getFailure(HTTPRequest(url: "http://127.0.0.1:9/", secretQuery: (name: "key", secret: Secret(text))))
          == .invalidHeader(name: "key"))
      #expect(
        await bed.getFailure(HTTPRequest(url: "http://127.0.0.1:9/", credentials: ["Authorization": "Bearer \(text)"]))
          == .invalidHeader(name: "Authorization"))
    }
  }

  @Test("what describes a part has no token of its URL, and the part is still known by it")
  func part() async throws {
    let bytes = sampleBytes(10_000)
    let server = try ScriptedServer { .file(bytes, to: $0, cut: $0.index == 0 ? 5_000 : nil) }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.redirectLimit = 1 }
    let sink = try DownloadSink(
      DownloadRequest(url: server.origin + "/a?token=hunter2", part: bed.part, limit: 1 << 20)
    ) { _ in }
    _ = try sink.begin(ResponseHead(status: 200, headers: ["ETag": "\"one\"", "Content-Length": "10000"]))
    try bytes.prefix(5_000).withUnsafeBytes { try sink.receive($0) }
    sink.release()
    let record = try String(contentsOfFile: bed.part + ".json", encoding: .utf8)
    #expect(!record.contains("hunter2") && record.contains("{credential}"), "\(record)")
    let again = try DownloadSink(
      DownloadRequest(url: server.origin + "/a?token=hunter2", part: bed.part, limit: 1 << 20)
    ) { _ in }
    #expect(again.resumeSize == 5_000)
    again.release()
    let other = try DownloadSink(
      DownloadRequest(url: server.origin + "/a?token=hunter3", part: bed.part, limit: 1 << 20)
    ) { _ in }
    #expect(other.resumeSize == 0)
    other.release()
  }

  @Test(
    "a URL is stored without its secrets and otherwise as it is",
    arguments: [
      ("https://a.example/b?token=x&c=1#page=2", "https://a.example/b?token={credential}&c=1#page=2"),
      (
        "https://a.example/b?X-Amz-Signature=0f&X-Amz-Date=1",
        "https://a.example/b?X-Amz-Signature={credential}&X-Amz-Date=1"
      ),
      ("https://a.example/b#access_token=x", "https://a.example/b"),
      (
        "https://a.example/b.pdf;token=x;v=1/c?pw=y;p=2",
        "https://a.example/b.pdf;token={credential};v=1/c?pw={credential};p=2"
      ),
      ("https://a.example/b?token=%7Bcredential%7D", "https://a.example/b?token=%7Bcredential%7D"),
      ("https://a.example/한글.pdf?v=1#c", "https://a.example/한글.pdf?v=1#c"), ("/home/ann/a?b.pdf", "/home/ann/a?b.pdf"),
    ])
  func storable(_ url: String, _ stored: String) { #expect(WebURL.storable(url) == stored) }

  @Test("each request of a download is a line of the log, with what came of it")
  func downloads() async throws {
    let bytes = sampleBytes(10_000)
    let server = try ScriptedServer { request in
      if request.path == "/gone" { return .text("no", status: 404) }
      return .file(bytes, to: request, cut: request.index == 0 ? 5_000 : nil)
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    _ = try await bed.client.download(
      DownloadRequest(url: server.origin + "/a?token=hunter2", part: bed.part, limit: 1 << 20))
    _ = await bed.downloadFailure(
      DownloadRequest(url: server.origin + "/gone", part: bed.folder + "/two.part", limit: 1 << 20))
    let lines = bed.logLines
    #expect(lines.count == 3, "\(lines)")
    let start = "GET \(server.origin)/a?token=*** "
    #expect(lines.first?.hasPrefix(start) == true)
    #expect(lines.dropFirst().first?.hasPrefix(start + "206 5000 bytes ") == true, "\(lines)")
    #expect(
      lines.last?.hasPrefix("GET \(server.origin)/gone 404 ") == true && lines.last?.hasSuffix(" ms network") == true)
    #expect(!lines.joined().contains("hunter2"))
  }

  @Test("each request is one line of the log: method, masked URL, status, bytes, milliseconds and where from")
  func log() async throws {
    let server = try ScriptedServer { request in
      request.path == "/broken"
        ? ServerReply([.send(Data("nonsense\r\n\r\n".utf8)), .close]) : .gzip(SampleGzip.whole("12345"))
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    _ = try await bed.client.get(
      HTTPRequest(url: server.origin + "/a?token=hunter2&q=1", credentials: ["Api-Key": "hunter2"]))
    _ = await bed.getFailure(HTTPRequest(url: server.origin + "/broken?key=hunter2"))
    let lines = bed.logLines
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("GET \(server.origin)/a?token=***&q=1 200 28 bytes ") == true, "\(lines)")
    #expect(lines.first?.hasSuffix(" ms network") == true)
    #expect(lines.last?.hasPrefix("GET \(server.origin)/broken?key=*** badResponse(") == true)
    #expect(!lines.joined().contains("hunter2"))
  }
}
