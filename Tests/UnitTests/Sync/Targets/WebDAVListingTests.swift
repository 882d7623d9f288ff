import Foundation
import HTTP
import TestSupport
import Testing

@testable import Sync

@Suite("WebDAV as servers speak it", .timeLimit(.minutes(10)))
struct WebDAVListingTests {
  private static func listing(_ text: String) throws -> [String: Int]? {
    try WebDAVTarget.listing(Array(text.utf8)).map {
      Dictionary(uniqueKeysWithValues: $0.files.map { ($0.name, $0.size) })
    }
  }

  @Test("names and sizes are read from answers of every form, and folders are left out")
  func forms() throws {
    // As Nextcloud, Apache and rclone write them.
    let text = """
      <?xml version="1.0"?>
      <d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">
       <d:response><d:href>/remote.php/dav/files/ann/c/log/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>
        </d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop>
        <d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>
       <d:response><d:href>/remote.php/dav/files/ann/c/log/a-1</d:href><d:propstat><d:prop>
        <d:getcontentlength>12</d:getcontentlength><d:resourcetype/></d:prop></d:propstat></d:response>
       <D:response xmlns:D="DAV:"><D:href>https://cloud.example/log/b%20c%C3%BC</D:href><D:propstat><D:prop>
        <D:getcontentlength> 7
        </D:getcontentlength></D:prop></D:propstat></D:response>
       <response xmlns="DAV:"><href>log/e&amp;f?x#y</href><prop><getcontentlength>0</getcontentlength></prop></response>
       <response xmlns="DAV:"><href>log/folder</href><prop><getcontentlength>4096</getcontentlength>
        <resourcetype><collection/></resourcetype></prop></response>
       <response xmlns="DAV:"><href>log/none</href><prop><getcontentlength>-1</getcontentlength></prop></response>
       <response xmlns="DAV:"><href>log/word</href><prop><getcontentlength>many</getcontentlength></prop></response>
      </d:multistatus>
      """
    #expect(try Self.listing(text) == ["a-1": 12, "b cü": 7, "e&f": 0])
    #expect(try Self.listing(#"<multistatus xmlns="DAV:"/>"#) == [:])
  }

  @Test("half an answer and a page of another kind are no listing, so that no file is taken for gone")
  func half() throws {
    let whole =
      #"<multistatus xmlns="DAV:"><response><href>/a</href><prop><getcontentlength>1</getcontentlength></prop>"#
      + "</response></multistatus>"
    #expect(try Self.listing(whole) == ["a": 1])
    for count in 0..<whole.utf8.count {
      #expect(try Self.listing(String(whole.prefix(count))) == nil, "\(count)")
    }
    #expect(try Self.listing("<html><body><a href='a'>a</a></body></html>") == nil)
  }

  private func target(_ client: HTTPClient, _ server: ScriptedServer) throws -> WebDAVTarget {
    try WebDAVTarget(client, url: server.origin + "/dav/") { ("ann", "tea:time") }
  }

  private static func reply(ofSize size: Int) -> ServerReply {
    .text(
      #"<multistatus xmlns="DAV:"><response><href>/a</href><prop><getcontentlength>\#(size)</getcontentlength></prop>"#
        + "</response></multistatus>", status: 207)
  }

  @Test("requests have the depth, the question and the password that the server needs")
  func requests() async throws {
    let server = try ScriptedServer { _ in .text(#"<multistatus xmlns="DAV:"/>"#, status: 207) }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    #expect(try await target(client, server).list().isEmpty)
    let request = try #require(server.requests.first)
    #expect(request.method == "PROPFIND" && request.target == "/dav/log/" && request["Depth"] == "1")
    #expect(request["Authorization"] == "Basic YW5uOnRlYTp0aW1l" && request["Content-Type"] == "application/xml")
    #expect(String(decoding: request.body, as: UTF8.self).contains("<getcontentlength/>"))
    #expect(request["Accept-Encoding"] == "gzip")
  }

  @Test("folders are made with the first file, one after the other, also where the server says that they are there")
  func folders() async throws {
    let server = try ScriptedServer { request in
      request.method == "MKCOL"
        ? .text("", status: request.target.hasSuffix("/0a/") ? 201 : 405)
        : .text("", status: request.index == 0 ? 409 : 201)
    }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    try await target(client, server).put([1, 2, 3], at: "pieces/0a/0a0b")
    #expect(
      server.requests.map { "\($0.method) \($0.target)" } == [
        "PUT /dav/pieces/0a/0a0b", "MKCOL /dav/pieces/", "MKCOL /dav/pieces/0a/", "PUT /dav/pieces/0a/0a0b",
      ])
    #expect(server.requests.filter { $0.method == "PUT" }.allSatisfy { $0.body == Data([1, 2, 3]) })
    #expect(server.requests.allSatisfy { $0["Expect"] == nil })
  }

  @Test(
    "a server that refuses a file because it is there, or being written, is asked whether it lies there",
    arguments: [405, 412, 423])
  func conflicts(status: Int) async throws {
    let listings = ReplySequence(Self.reply(ofSize: 3), Self.reply(ofSize: 2))
    let server = try ScriptedServer { request in
      request.method == "PROPFIND" ? listings.next() : .text("", status: status)
    }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    let target = try target(client, server)
    try await target.put("a", [1, 2, 3])
    let error = await #expect(throws: TargetError.self) { try await target.put("a", [1, 2, 3]) }
    #expect(error?.kind == (status == 423 ? .unreachable : .refused))
  }

  @Test(
    "a status says what can be done about it",
    arguments: [
      (401, TargetError.Kind.refused), (403, .refused), (507, .full), (500, .unreachable), (503, .unreachable),
      (302, .refused), (418, .refused),
    ])
  func statuses(status: Int, kind: TargetError.Kind) async throws {
    // A redirect would send the password elsewhere, and not the file.
    let server = try ScriptedServer { _ in .text("", status: status, [("Location", "/elsewhere")]) }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    let target = try target(client, server)
    let works: [@Sendable () async throws -> Void] = [
      { _ = try await target.list() }, { try await target.put("a", [1]) }, { try await target.remove("a") },
    ]
    for work in works {
      let error = await #expect(throws: TargetError.self) { try await work() }
      #expect(error?.kind == kind, "\(status)")
      #expect(error.map { !"\($0)".contains("tea") } == true)
    }
    #expect(server.requests.allSatisfy { $0.path != "/elsewhere" })
  }

  @Test("a collection without the folder is an empty one, and a missing collection is gone")
  func missing() async throws {
    let answers = ReplySequence(.text(#"<multistatus xmlns="DAV:"/>"#, status: 207), .text("", status: 404))
    let server = try ScriptedServer { request in
      request.target == "/dav/" ? answers.next() : .text("", status: 404)
    }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    let target = try target(client, server)
    #expect(try await target.list().isEmpty)
    let error = await #expect(throws: TargetError.self) { try await target.list() }
    #expect(error?.kind == .gone)
    #expect(try await target.get("a", limit: 1) == nil)
    try await target.remove("a")
  }

  @Test("a page in the place of a listing is no empty folder")
  func page() async throws {
    let server = try ScriptedServer { _ in .text("<html>Log in to the hotel's network</html>") }
    defer { server.stop() }
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    let target = try target(client, server)
    for work in [{ _ = try await target.list() }, { _ = try await target.space() }] as [() async throws -> Void] {
      let error = await #expect(throws: TargetError.self) { try await work() }
      #expect(error?.kind == .unreachable && error?.text.arguments["reason"] == "noFileListing")
    }
  }

  @Test("plain http is for this machine and its network, unless it is allowed")
  func plain() throws {
    let client = HTTPClient.ofTargets()
    defer { client.shutDown() }
    func make(_ url: String, allowsPlain: Bool = false) throws {
      _ = try WebDAVTarget(client, url: url, allowsPlain: allowsPlain) { nil }
    }
    for url in ["https://cloud.example/c", "http://127.0.0.1:8080", "http://192.168.1.4/c", "http://localhost/c"] {
      try make(url)
    }
    for url in ["http://cloud.example/c", "http://93.184.216.34/c", "ftp://cloud.example", "cloud.example", ""] {
      let error = #expect(throws: TargetError.self, "\(url)") { try make(url) }
      #expect(error?.kind == .refused)
    }
    try make("http://cloud.example/c", allowsPlain: true)
  }

  @Test("a credential of two parts is split at its first colon")
  func credential() throws {
    let (name, password) = try credentialParts(Secret("ann:tea:time"), named: "cloud")
    #expect(name == "ann" && password == "tea:time")
    for text in ["ann", ":tea", ""] {
      let error = #expect(throws: TargetError.self) { try credentialParts(Secret(text), named: "cloud") }
      #expect(error?.text.arguments == ["name": "cloud"])
    }
  }
}
