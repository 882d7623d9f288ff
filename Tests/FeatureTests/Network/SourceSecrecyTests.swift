import Boards
import Client
import Contract
import Daemon
import Foundation
import HTTP
import Kit
import TestSupport
import Testing
import Wire

/// The real sources and catalogues, asked with a secret by services that repeat it wherever they can.
@Suite("Credentials of boards and books", .timeLimit(.minutes(10))) struct SourceSecrecyTests {
  /// It looks otherwise in a URL than in a header.
  private static let token = "hunter2/q7+Xw="
  private static let inURL = "hunter2%2Fq7%2BXw%3D"

  private static func feed(_ request: ScriptedServer.Request) -> ServerReply {
    .text(
      """
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News for \(token)</title>
      <atom:link rel="next" href="/more?token=\(inURL)"/>
      <item><guid>\(request.path)/\(inURL)</guid><title>For \(token)</title><link>/post?token=\(inURL)</link>
      <description>&lt;p&gt;\(token) &lt;img src="/picture?token=\(inURL)"&gt;&lt;/p&gt;</description></item>
      </channel></rss>
      """, [("ETag", "\"one\"")])
  }

  private static func volume(_ origin: String) -> JSONValue {
    [
      "kind": "books#volume", "id": "abcdefghijkl",
      "volumeInfo": [
        "title": .string("A book for \(token)"), "authors": ["Ann"], "infoLink": .string("\(origin)/info?key=\(inURL)"),
        "imageLinks": ["thumbnail": .string("\(origin)/cover?key=\(inURL)&zoom=1")],
      ],
    ]
  }

  private static func answer(_ request: ScriptedServer.Request) -> ServerReply {
    let origin = "http://\(request["Host"] ?? "")"
    let post: JSONValue = [
      "postId": 7, "title": .string("For \(token)"), "createdDateTime": "2026-11-20T10:00:00+0900",
      "writer": ["displayName": .string(token)],
      "contents": .string("<p>\(token) <a href=\"/x?token=\(inURL)\">\(inURL)</a></p>"),
    ]
    let topic: JSONValue = [
      "id": 7, "title": .string("For \(token)"), "created_at": "2026-11-20T10:00:00Z", "excerpt": .string(token),
      "category_id": 5,
    ]
    let cooked: JSONValue = ["id": 701, "post_number": 1, "username": "ann", "cooked": .string("<p>\(token)</p>")]
    switch request.path {
    case "/mail/api/v2/boards":
      return .json(["value": [["boardId": 1, "displayName": .string("Board \(token)")]], "total": 1])
    case "/mail/api/v2/boards/1/posts": return .json(["value": [post], "total": 1])
    case "/forum/categories.json":
      return .json(["category_list": ["categories": [["id": 5, "name": .string("Board \(token)")]]]])
    case "/forum/latest.json", "/forum/c/-/5/l/latest.json": return .json(["topic_list": ["topics": [topic]]])
    case "/forum/t/7.json":
      return .json([
        "id": 7, "title": .string(token), "post_stream": ["posts": [cooked], "stream": [701]],
      ])
    case "/forum/search.json": return .json(["topics": [topic], "posts": [], "grouped_search_result": ["error": nil]])
    case "/feed": return .redirect(to: "/moved?token=\(inURL)&for=\(token)", status: 301)
    case "/moved", "/more": return feed(request)
    case "/books/volumes": return .json(["kind": "books#volumes", "totalItems": 1, "items": [volume(origin)]])
    case "/books/volumes/abcdefghijkl": return .json(volume(origin))
    case "/cover", "/picture":
      return .answer(200, [("Content-Type", "image/png")], body: Data([0x89, 0x50, 0x4E, 0x47]))
    default: return .text("no, \(token)", status: request.path.hasPrefix("/locked") ? 401 : 500)
    }
  }

  @Test(
    "M31 boards, feeds and books run with a secret that their services repeat, and it is in no file, log, trace, export or error"
  )
  func secrecy() async throws {
    let server = try ScriptedServer { Self.answer($0) }
    defer { server.stop() }
    let secrets = TemporaryFolder()
    try Data((Self.token + "\n").utf8).write(to: URL(filePath: secrets.file("token")))
    #expect(chmod(secrets.file("token"), 0o600) == 0)
    let configuration = try Configuration(
      toml: Array("[credentials.work]\norigin = \"\(server.origin)\"\nfile = \"\(secrets.file("token"))\"\n".utf8))
    let daemon = try await TestDaemon {
      $0.credentials = SecretCache { configuration.credentials }.credentials
      var books = BooksConfiguration()
      books.google = .init(url: server.origin + "/books", credential: "work")
      books.openLibrary.url = server.origin + "/ol"
      $0.configure { $0.books = books }
      $0.http.allowedOrigins.formUnion([Origin(server.origin)].compactMap(\.self))
    }
    let client = try await daemon.client()
    client.notify("$/setTrace", ["value": "verbose"])
    func add(_ kind: JSONValue, _ path: String) async throws -> JSONValue {
      try await client.call(
        "boards/addSource", ["kind": kind, "url": .string(server.origin + path), "credential": "work"])
    }
    _ = try await add("mailplug", "/mail")
    _ = try await add("discourse", "/forum")
    let feed = try await add("feed", "/feed?token={credential}")
    #expect(feed["url"].text == server.origin + "/feed?token={credential}")
    #expect(feed["movedTo"].text.hasPrefix(server.origin + "/moved?token={credential}"))
    for board in try await client.call("boards/list").items {
      let posts = try await client.call("boards/posts", ["board": board.id, "refresh": true]).items
      #expect(!posts.isEmpty)
      for post in posts {
        let whole = try await client.call("boards/post", ["id": post.id, "images": true, "versions": true])
        #expect(!whole["contents"].text.isEmpty)
        _ = try await client.call("changes/history", ["collection": "posts", "id": post.id])
      }
      _ = try await client.call("boards/search", ["board": board.id, "query": "for"])
    }
    _ = try await client.call("boards/refresh")
    _ = try await client.call("boards/sources")
    // All three proved who asks, each in its way.
    let asked = server.requests
    #expect(asked.contains { $0.path.hasPrefix("/mail") && $0["Authorization"] == "Bearer \(Self.token)" })
    #expect(asked.contains { $0.path.hasPrefix("/forum") && $0["User-Api-Key"] == Self.token })
    for path in ["/feed", "/moved", "/more"] {
      #expect(asked.contains { $0.path == path && $0.query["token"] == Self.token }, "\(path)")
    }

    let found = try await client.call("books/search", ["query": "a book", "catalogue": "google"]).items
    let book = try #require(found.first)
    _ = try await client.call("books/get", ["id": book.id])
    _ = try await client.failure("books/cover", ["id": book.id])
    _ = try await client.call("books/addToShelf", ["book": book.id])
    #expect(server.requests.contains { $0.path == "/books/volumes" && $0.query["key"] == Self.token })

    var errors: [RemoteError?] = []
    for (kind, path) in [
      ("mailplug", "/locked"), ("discourse", "/broken"), ("feed", "/locked?token={credential}"),
      ("feed", "/broken?k={credential}"),
    ] {
      errors.append(
        try await client.failure(
          "boards/addSource",
          ["kind": .string(kind), "url": .string(server.origin + path), "credential": "work"]))
    }
    errors.append(
      try await client.failure(
        "boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed?token={credential}&x=1")]))
    #expect(errors.map { $0?.kind } == ["unauthorized", "httpStatus", "unauthorized", "httpStatus", "unauthorized"])
    for format in ["csv", "jsonl", "bibtex", "csl"] {
      _ = try await client.call(
        "books/export", ["format": .string(format), "path": .string(daemon.folder.file("books.\(format)"))])
    }
    _ = try await client.call("boards/export", ["path": .string(daemon.folder.file("feeds.opml"))])
    let outlines = try String(contentsOfFile: daemon.folder.file("feeds.opml"), encoding: .utf8)
    #expect(outlines.contains("/feed?token={credential}"))
    _ = try await client.call("library/export", ["path": .string(daemon.folder.file("export"))])
    _ = try await client.call("session/status")

    let heard = (client.received.map { "\($0)" } + errors.map { "\(String(describing: $0))" } + daemon.logLines)
      .joined()
    for form in [Self.token, Self.inURL] { #expect(!heard.contains(form)) }
    await daemon.stop()
    let files = FileManager.default.enumerator(atPath: daemon.folder.path)?.compactMap { $0 as? String } ?? []
    #expect(files.count > 10)
    for file in files {
      let bytes = FileManager.default.contents(atPath: daemon.folder.file(file)) ?? Data()
      for form in [Self.token, Self.inURL] {
        #expect(bytes.firstRange(of: Data(form.utf8)) == nil, "\(file)")
      }
    }
  }
}
