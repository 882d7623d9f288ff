import Contract
import Foundation
import TestSupport
import Testing

@testable import HTTP
@testable import Sync

@Suite("Requests to S3") struct S3SignatureTests {
  private static let signature = S3Signature(
    keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")

  /// The examples of Amazon's “Authenticating requests: using the Authorization header”.
  @Test(
    "signatures are those of Amazon's examples",
    arguments: [
      ([("lifecycle", "")], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
      ([("prefix", "J"), ("max-keys", "2")], "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
  func examples(query: [(name: String, value: String)], signature: String) {
    let headers = Self.signature.headers(
      "GET", host: "examplebucket.s3.amazonaws.com", path: "/", query: query, body: [], time: "20130524T000000Z")
    #expect(headers.map(\.name) == ["x-amz-content-sha256", "x-amz-date", "Authorization"])
    #expect(
      headers.last?.value == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        + "SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=\(signature)")
  }

  @Test("each part of a request is signed")
  func parts() {
    func sign(
      _ method: String = "PUT", host: String = "a", path: String = "/b", query: [(name: String, value: String)] = [],
      body: [UInt8] = [1], time: String = "20130524T000000Z", by signature: S3Signature = Self.signature
    ) -> String {
      signature.headers(method, host: host, path: path, query: query, body: body, time: time).last?.value ?? ""
    }
    let all = [
      sign(), sign("GET"), sign(host: "b"), sign(path: "/c"), sign(query: [("a", "b")]), sign(body: [2]),
      sign(time: "20130524T000001Z"), sign(time: "20130525T000000Z"),
      sign(by: S3Signature(keyID: "k", secret: "s", region: "r")),
      sign(by: S3Signature(keyID: "k", secret: "t", region: "r")),
      sign(by: S3Signature(keyID: "k", secret: "s", region: "q")),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test("queries are written by name, and times as Amazon has them")
  func forms() {
    #expect(S3Signature.written([("prefix", "a b/ü"), ("delimiter", "/")]) == "delimiter=%2F&prefix=a%20b%2F%C3%BC")
    #expect(S3Signature.written([]) == "")
    #expect(S3Signature.time(milliseconds: 1_795_219_200_999) == "20261121T000000Z")
  }

  @Test("a page of a listing has the names behind the prefix, and says whether there are more")
  func page() throws {
    func page(_ text: String, prefix: String = "p/log/") throws -> (files: [(name: String, size: Int)], next: String?)?
    {
      try S3Target.page(Array(text.utf8), prefix: prefix)
    }
    let head = #"<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"#
    let files = """
      <Contents><Key>p/log/</Key><Size>0</Size></Contents><Contents><Size>12</Size><Key>p/log/a</Key></Contents>
      <Contents><Key>q/log/b</Key><Size>1</Size></Contents><Contents><Key>p/log/c</Key><Size>-1</Size></Contents>
      <Contents><Key>p/log/d</Key></Contents><Contents><Key>p/log/e&amp;f</Key><Size>3</Size></Contents>
      <CommonPrefixes><Prefix>p/log/g/</Prefix></CommonPrefixes>
      """
    let last = try #require(try page("\(head)<IsTruncated>false</IsTruncated>\(files)</ListBucketResult>"))
    #expect(last.files.map(\.name) == ["a", "e&f"] && last.files.map(\.size) == [12, 3] && last.next == nil)
    let more = "<IsTruncated>true</IsTruncated><NextContinuationToken>t=/</NextContinuationToken>"
    #expect(try page("\(head)\(more)</ListBucketResult>")?.next == "t=/")
    // Nothing that could be taken for files that are gone.
    #expect(try page("\(head)<IsTruncated>true</IsTruncated></ListBucketResult>") == nil)
    #expect(try page("\(head)<IsTruncated>false</IsTruncated>\(files)") == nil)
    #expect(try page("<html><body>Please log in</body></html>") == nil)
    #expect(try page("") == nil)
  }

  @Test("a listing of several pages is asked for page by page, with what is signed and sent the same")
  func pages() async throws {
    let server = try ScriptedServer { request in
      let isSecond = request.query["continuation-token"] == "next one"
      let next = isSecond ? "" : "<NextContinuationToken>next one</NextContinuationToken>"
      return .text(
        "<ListBucketResult><IsTruncated>\(!isSecond)</IsTruncated>\(next)<Contents><Key>log/\(isSecond ? "b" : "a")</Key>"
          + "<Size>1</Size></Contents></ListBucketResult>")
    }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    let target = try Self.target(client, server)
    #expect(try await target.list().map(\.name) == ["a", "b"])
    #expect(
      server.requests.map(\.target) == [
        "/notes?delimiter=%2F&list-type=2&prefix=log%2F",
        "/notes?continuation-token=next%20one&delimiter=%2F&list-type=2&prefix=log%2F",
      ])
    #expect(server.requests.allSatisfy { $0["x-amz-date"] == "20261121T000000Z" })
  }

  @Test("a server whose clock is another gets the request again by its own")
  func clock() async throws {
    let server = try ScriptedServer { request in
      request["x-amz-date"] == "19941106T084937Z"
        ? .text("")
        : .text(
          "<Error><Code>RequestTimeTooSkewed</Code></Error>", status: 403, [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
    }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    try await Self.target(client, server).put("a", [1, 2])
    #expect(
      server.requests.map(\.method) == ["PUT", "PUT"] && server.requests.map(\.body) == [Data([1, 2]), Data([1, 2])])
  }

  @Test(
    "an error says what can be done about it, in the server's own word, and no word of its text is shown",
    arguments: [
      (404, "NoSuchBucket", TargetError.Kind.gone), (403, "AccessDenied", .refused), (400, "QuotaExceeded", .full),
      (507, "XMinioStorageFull", .full), (503, "SlowDown", .unreachable),
      (400, "AuthorizationHeaderMalformed", .refused),
    ])
  func errors(status: Int, code: String, kind: TargetError.Kind) async throws {
    let server = try ScriptedServer { _ in
      .text("<Error><Code>\(code)</Code><Message>Some text</Message></Error>", status: status)
    }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    let target = try Self.target(client, server)
    let works: [@Sendable () async throws -> Void] = [
      { _ = try await target.list() }, { _ = try await target.get("a", limit: 1) }, { try await target.put("a", [1]) },
      { try await target.remove("a") },
    ]
    for work in works {
      let error = await #expect(throws: TargetError.self) { try await work() }
      #expect(error?.kind == kind && error?.text.arguments == ["bucket": "notes", "code": code])
    }
  }

  @Test("the bucket stands in the host's name or in the path, as is said")
  func styles() async throws {
    let server = try ScriptedServer { _ in .text("", status: 404) }
    defer { server.stop() }
    let origin = "http://notes.s3.example.org:\(server.port)"
    let client = HTTPClient.ofTargets {
      $0.resolved = ["notes.s3.example.org:\(server.port):127.0.0.1"]
      $0.allowedOrigins = [Origin(origin)!]
    }
    defer { client.shutDown() }
    let place = S3Target.Place(
      endpoint: "http://s3.example.org:\(server.port)", bucket: "notes", region: "r", prefix: "/p/", usesPath: false)
    let target = try S3Target(
      client, place, allowsPlain: true, now: { Instant(milliseconds: 0) }, credential: { ("k", "s") })
    #expect(try await target.get("a", limit: 1) == nil)
    #expect(server.requests.map(\.target) == ["/p/log/a"])
    #expect(server.requests.first?["Host"] == "notes.s3.example.org:\(server.port)")
    // Nobody reads the secret on the way.
    #expect(throws: TargetError.self) {
      try S3Target(client, place, now: { Instant(milliseconds: 0) }, credential: { ("k", "s") })
    }
  }

  private static func target(_ client: HTTPClient, _ server: ScriptedServer) throws -> S3Target {
    try S3Target(
      client, S3Target.Place(endpoint: server.origin, bucket: "notes", region: "us-east-1", usesPath: true),
      now: { Instant(milliseconds: 1_795_219_200_000) }, credential: { ("id", "secret") })
  }
}
