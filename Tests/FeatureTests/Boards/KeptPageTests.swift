import Client
import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: kept pages and quotes", .timeLimit(.minutes(10))) struct KeptPageTests {
  private static let long = String(repeating: "There was bread with it, and butter, and a little salt. ", count: 8)

  static func html(_ text: String = "The soup is served at noon.", title: String = "Lunch at the hall") -> String {
    "<title>\(title)</title><nav><a href=/>Home</a></nav><article><p>\(text)</p><p>\(long)</p></article>"
  }

  private static func keep(_ client: Client, _ url: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["url"] = .string(url)
    return try await client.call("boards/keep", .object(params))
  }

  @Test("a page is kept as a saved, unread post of no board: listed, found, versioned, undone, removed and restored")
  func keeping() async throws {
    let body = Mutex(Self.html())
    let server = try ScriptedServer { _ in .text(body.withLock(\.self), [("Content-Type", "text/html")]) }
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let page = try await Self.keep(client, server.origin + "/lunch?utm_source=x#top", ["tags": ["Food"]])
    #expect(page["title"] == "Lunch at the hall" && page["saved"] == true && page["read"] == false)
    #expect(page["contents"].text.hasPrefix("The soup is served at noon.") && page["tags"] == ["Food"])
    #expect(page["postType"] == "page" && page["board"] == nil && page["whole"] == true)
    for list: JSONValue in [["saved": true], ["all": true, "unread": true], ["all": true]] {
      #expect(try await client.call("boards/posts", list).items.map(\.id) == [page.id], "\(list)")
    }
    for text in ["butter", "is:page", "is:saved butter", "tag:food"] {
      #expect(
        try await client.call("search/query", ["text": .string(text)]).items.map { $0["title"] } == [
          "Lunch at the hall"
        ])
    }

    // Boards are not asked by tags.
    for (scope, tags): (JSONValue, [JSONValue?]) in [("library", ["Food"]), ("boards", [])] {
      let offered = try await client.call("search/suggest", ["scope": scope, "text": "fo"])
      #expect(offered["tags"].list.map { $0["tag"] } == tags, "\(scope)")
    }

    // The same page again is the same post; what it said before is a version.
    body.withLock { $0 = Self.html("The soup is served at one.") }
    let again = try await Self.keep(client, server.origin + "/lunch", ["title": "My lunch", "tags": ["Soup"]])
    #expect(again.id == page.id && again["title"] == "My lunch" && again["tags"] == ["Food", "Soup"])
    #expect(again["contents"].text.contains("at one"))
    let versions = try await client.call("boards/post", ["id": page.id, "versions": true])["versions"].list
    #expect(versions.count == 1 && versions[0]["title"] == "Lunch at the hall")
    _ = try await client.call("changes/undo")
    #expect(try await client.call("boards/post", ["id": page.id])["contents"].text.contains("at noon"))

    // A page without an article stays with its title; it does not empty what was kept.
    body.withLock { $0 = "<title>Nothing</title>" }
    #expect(try await Self.keep(client, server.origin + "/lunch")["contents"].text.contains("at noon"))
    let bare = try await Self.keep(client, server.origin + "/other")
    #expect(bare["title"] == "Nothing" && bare["contents"] == "" && bare["whole"] == false)

    _ = try await client.call("boards/removePage", ["id": page.id])
    #expect(try await client.call("search/query", ["text": "butter"])["total"] == 0)
    #expect(try await client.call("boards/posts", ["saved": true]).items.map(\.id) == [bare.id])
    _ = try await client.call("changes/undo")
    #expect(try await client.call("boards/post", ["id": page.id])["saved"] == true)
    await daemon.stop()
  }

  @Test("a page is kept from the HTML of a browser, without a request; what is no page is refused and leaves nothing")
  func given() async throws {
    let server = try ScriptedServer { request in
      switch request.path {
      case "/pdf": .answer(200, [("Content-Type", "application/pdf")], body: Data("%PDF-1.7".utf8))
      case "/png": .answer(200, [("Content-Type", "image/png")], body: Data([0x89, 0x50]))
      default: .text("no", status: 404)
      }
    }
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let page = try await Self.keep(
      client, "https://site.example/private", ["html": .string(Self.html()), "read": true, "quote": "bread with it"])
    #expect(page["read"] == true && page["link"] == "https://site.example/private")
    #expect(page["quotes"].list.first?["text"] == "bread with it" && page["quotes"].list.first?["offset"] != nil)
    for (path, kind) in [("/pdf", "badResponse"), ("/png", "badResponse"), ("/none", "httpStatus")] {
      let failure = try await client.failure("boards/keep", ["url": .string(server.origin + path)])
      #expect(failure?.kind == kind, "\(path): \(String(describing: failure))")
    }
    for url in [
      "", "ftp://a.example/", "https://u:p@a.example/", "https://a.example/?token=0123456789abcdef0123456789abcdef",
    ] {
      #expect(try await client.failure("boards/keep", ["url": .string(url), "html": "<p>x"]) != nil, "\(url)")
    }
    let orphan = try await client.failure("boards/keep", ["url": "https://a.example/", "html": "<p>x", "note": "n"])
    #expect(orphan?.data?["field"] == "note")
    #expect(try await client.call("boards/posts", ["all": true])["total"] == 1)
    await daemon.stop()
  }

  @Test("passages of any post are marked with notes, found again after an edit, searched, undone, and never dropped")
  func quotes() async throws {
    let post = FetchedPost.sample(0, title: "Lunch", text: "Soup at noon.\nIt is hot, and there is bread with it.")
    let (bench, page) = try await BoardBench.showing([post])
    let id = page.items[0].id
    let quoted = try await bench.client.call(
      "boards/quote", ["id": id, "text": "noon. It is hot", "note": "Careful."])
    let quote = try #require(quoted["quotes"].list.first)
    #expect(quote["offset"] == 8 && quote["length"] == 15 && quote["note"] == "Careful." && quote["at"] != nil)
    _ = try await bench.client.call("boards/quote", ["id": id, "text": "bread"])
    // The same words again have one mark, with the newer note.
    let again = try await bench.client.call("boards/quote", ["id": id, "text": "bread", "note": "Rye."])
    #expect(again["quotes"].list.map { $0["note"] } == ["Careful.", "Rye."])
    #expect(try await bench.client.call("search/query", ["text": "is:quoted"]).items.count == 1)

    bench.source.change {
      $0.posts["1"] = [FetchedPost.sample(0, title: "Lunch", text: "New: soup at one.\nThere is bread with it.")]
    }
    _ = try await bench.client.call("boards/refresh")
    let moved = try await bench.client.call("boards/post", ["id": id])["quotes"].list
    #expect(
      moved.map { $0["text"] } == ["noon. It is hot", "bread"] && moved[0]["offset"] == nil && moved[1]["offset"] == 27)

    _ = try await bench.client.call("boards/unquote", ["id": id, "text": "bread"])
    #expect(try await bench.client.call("boards/post", ["id": id])["quotes"].list.count == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/post", ["id": id])["quotes"].list.count == 2)
    #expect(try await bench.refusal("boards/quote", ["id": "none", "text": "x"]) == "notFound")
    #expect(try await bench.refusal("boards/removePage", ["id": id]) == "id")
    await bench.stop()
  }
}
