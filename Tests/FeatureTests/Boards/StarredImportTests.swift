import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: starred posts of another feed reader") struct StarredImportTests {
  /// As FreshRSS writes `starred.json`.
  private static let freshRSS = """
    {"id": "user/-/state/com.google/starred", "title": "List of favourite articles", "items": [
      {"id": "tag:google.com,2005:reader/item/1", "published": 1700000000, "title": "Post 0", "author": "Ann",
       "canonical": [{"href": "https://site.example/0"}], "alternate": [{"href": "https://other.example/0"}],
       "categories": ["user/-/state/com.google/starred", "user/-/state/com.google/read", "user/-/label/to cook", "Food"],
       "content": {"content": "<p>Soup is <b>served</b>.</p><script>1</script>"}},
      {"id": "tag:google.com,2005:reader/item/2", "title": "", "alternate": [{"href": "https://site.example/old"}],
       "summary": {"content": "An old post."}},
      {"title": "Again", "alternate": [{"href": "https://site.example/old?utm_source=x"}]},
      {"title": "No link"}, {"title": "Secret", "url": "https://ann:pw@site.example/"}
    ]}
    """
  /// As miniflux answers `/v1/entries?starred=true`.
  private static let miniflux = """
    {"total": 2, "entries": [
      {"id": 7, "status": "unread", "title": "Rivers", "url": "https://site.example/rivers", "starred": true,
       "published_at": "2023-11-01T08:00:00+01:00", "changed_at": "2023-11-05T08:00:00.123456Z", "content": "They flow.",
       "author": "", "tags": ["water"], "feed": {"title": "Site", "category": {"title": "News"}}},
      {"id": 8, "title": "Plain", "url": "https://site.example/plain", "starred": false}
    ]}
    """

  private func importing(_ text: String, _ bench: BoardBench, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["data"] = .string(Data(text.utf8).base64EncodedString())
    return try await bench.client.call("boards/import", .object(params))
  }

  @Test("subscriptions have one limit, stated or detected", arguments: [nil, "opml", "newsboat"])
  func limit(format: String?) async throws {
    let bench = try await BoardBench()
    let path = bench.daemon.folder.file("subscriptions")
    try Data(repeating: 0x20, count: 17 << 20).write(to: URL(filePath: path))
    var params: JSONObject = ["path": .string(path)]
    if let format { params["format"] = .string(format) }
    #expect(try await bench.client.failure("boards/import", .object(params))?.kind == "tooLarge")
    await bench.stop()
  }

  @Test("starred posts that no source has become kept pages with their text, day, labels and marks, once")
  func pages() async throws {
    let bench = try await BoardBench()
    let rehearsed = try await importing(Self.freshRSS, bench, ["dryRun": true])
    #expect(rehearsed["added"] == 2 && rehearsed["skipped"] == 3 && rehearsed["format"] == "starred", "\(rehearsed)")
    #expect(try await bench.posts(["saved": true])["total"] == 0)
    let report = try await importing(Self.freshRSS, bench)
    #expect(report["notes"].list.map { $0["reason"] } == ["repeated", "badURL", "secret"], "\(report)")
    _ = try await importing(Self.miniflux, bench, ["format": "starred"])
    let saved = try await bench.posts(["saved": true]).items
    #expect(Set(saved.map { $0["title"].text }) == ["Post 0", "https://site.example/old", "Rivers"])
    let soup = try #require(saved.first { $0["title"] == "Post 0" })
    let post = try await bench.client.call("boards/post", ["id": soup.id])
    let html = post["html"]?.text ?? ""
    #expect(html.contains("Soup is <b>served</b>.") && !html.contains("script"), "\(post)")
    #expect(post["writer"]?["displayName"] == "Ann")
    #expect(post["tags"] == ["to cook"] && post["categories"] == ["Food"] && post["read"] == true)
    #expect(post["date"] == "2023-11-14T22:13:20.000Z" && post["postType"] == "page")
    let rivers = try #require(saved.first { $0["title"] == "Rivers" })
    #expect(rivers["read"] == false && rivers["date"] == "2023-11-01T07:00:00.000Z", "\(rivers)")
    #expect(try await bench.client.call("search/query", ["text": "flow is:page is:saved"]).items.count == 1)
    for text in [Self.freshRSS, Self.miniflux] {
      let again = try await importing(text, bench)
      #expect(again["added"] == 0 && again["updated"] == 0 && again["changed"] == false, "\(again)")
    }
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.posts(["saved": true])["total"] == 2, "an import is one step back")
    await bench.stop()
  }

  @Test("a starred post that a source has is saved there, and what else was kept of it stays")
  func sources() async throws {
    let posts = [FetchedPost.sample(0) { $0.link = "http://site.example/0#top" }, FetchedPost.sample(1)]
    let (bench, page) = try await BoardBench.showing(posts)
    let id = page.items[0].id
    _ = try await bench.client.call("boards/tag", ["ids": [id], "add": ["mine"]])
    let report = try await importing(Self.freshRSS, bench)
    #expect(report["updated"] == 1 && report["added"] == 1, "\(report)")
    let post = try await bench.client.call("boards/post", ["id": id])
    #expect(post["saved"] == true && post["read"] == true && post["tags"] == ["mine", "to cook"])
    #expect(try await importing(Self.freshRSS, bench)["known"] == 2)
    await bench.stop()
  }

  @Test("JSON without posts is refused by what it is not, and a file of subscriptions is no file of posts")
  func refused() async throws {
    let bench = try await BoardBench()
    for (text, format) in [("{}", nil), ("{\"items\": 1}", nil), ("<opml/>", "starred")] as [(String, String?)] {
      let data = Data(text.utf8).base64EncodedString()
      let params: JSONValue = ["data": .string(data), "format": .string(format ?? "starred")]
      #expect(try await bench.refusal("boards/import", params) == "corrupt", "\(text)")
      if format == nil { #expect(try await bench.refusal("boards/import", ["data": .string(data)]) == "corrupt") }
    }
    await bench.stop()
  }
}
