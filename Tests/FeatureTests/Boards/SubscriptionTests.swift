import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Boards: import and export") struct SubscriptionTests {
  private static let file = """
    <?xml version="1.0"?>
    <opml version="2.0"><head><title>Mine</title></head><body>
      <outline text="News" title="News">
        <outline type="rss" text="A &amp; B" title="A &amp; B" xmlUrl="https://a.example/feed" htmlUrl="https://a.example/" description="why"/>
        <outline text="한국"><outline type="atom" text="가" title="가" xmlUrl="https://k.example/atom"/></outline>
      </outline>
      <outline type="rss" text="A again" xmlUrl="https://a.example/feed"/>
      <outline type="rss" text="Secret" xmlUrl="https://ann:hunter2@s.example/feed"/>
      <outline type="discourse" text="Forum" title="Forum" xmlUrl="https://forum.example/"/>
    </body></opml>
    """

  @Test("newsboat's file brings its feeds with titles, tags as folders and what it hides; its own queries are named")
  func newsboat() async throws {
    let bench = try await BoardBench()
    let file = """
      # My feeds
      https://a.example/feed "~A \\\"B\\\"" News "Far away"
      \thttps://b.example/feed !\r
      "https://c.example/feed"
      query:Unread:unread = \"yes\"
      exec:~/feed.sh tag
      https://a.example/feed again
      """
    let report = try await bench.client.call("boards/import", ["data": Self.data(file), "format": "newsboat"])
    #expect(report["added"] == 3 && report["format"] == "newsboat")
    #expect(report["notes"].list.map { $0["reason"] } == ["badURL", "badURL", "repeated"])
    #expect(report["notes"].list.map { $0["line"] } == [5, 6, 7])
    let sources = try await bench.client.call("boards/sources").items
    #expect(
      sources.map { $0["url"] } == ["https://a.example/feed", "https://b.example/feed", "https://c.example/feed"])
    #expect(sources.map { $0["title"] } == ["A \"B\"", nil, nil])
    #expect(sources.map { $0["folder"] } == [["News"], nil, nil])
    #expect(sources.map { $0["quiet"] } == [false, true, false])
    let export = try await bench.client.call("boards/export", ["inline": true])
    let text = String(decoding: try #require(Data(base64Encoded: export["data"]!.text)), as: UTF8.self)
    #expect(text.contains("text=\"News\"") && text.contains("text=\"Far away\""), "each tag is a folder")
    let bad = try await bench.refusal(
      "boards/import", ["data": .string(Data([0xFF, 0xFE]).base64EncodedString()), "format": "newsboat"])
    #expect(bad == "corrupt")
    await bench.stop()
  }

  private static func data(_ text: String) -> JSONValue { .string(Data(text.utf8).base64EncodedString()) }

  @Test(
    "subscriptions come in with their folders, in one step, twice without doubles, and without asking anybody; those with a secret are named"
  )
  func importing() async throws {
    let bench = try await BoardBench()
    let dry = try await bench.client.call("boards/import", ["data": Self.data(Self.file), "dryRun": true])
    #expect(dry["added"] == 3 && dry["skipped"] == 1 && dry["confirm"] != nil)
    #expect(try await bench.client.call("boards/sources")["total"] == 0)
    let report = try await bench.client.call("boards/import", ["data": Self.data(Self.file), "format": "opml"])
    #expect(report["added"] == 3 && report["notes"].list.map { $0["reason"] } == ["secret"])
    let sources = try await bench.client.call("boards/sources").items
    #expect(sources.map { $0["kind"] } == ["feed", "feed", "discourse"])
    #expect(sources.map { $0["title"] } == ["A & B", "가", "Forum"])
    #expect(sources.map { $0["folder"] ?? [] } == [["News"], ["News", "한국"], []])
    #expect(sources.allSatisfy { $0["fetchedAt"] == nil } && bench.source.requests.isEmpty)
    let again = try await bench.client.call("boards/import", ["data": Self.data(Self.file)])
    #expect(again["added"] == 0 && again["known"] == 3)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/sources")["total"] == 0)
    #expect(!bench.daemon.logLines.contains { $0.contains("hunter2") })
    await bench.stop()
  }

  @Test("an address without a scheme and one of feed: are taken over, and what is none is told as that")
  func addresses() async throws {
    let bench = try await BoardBench()
    let urls = [
      "www.one.example/world/rss", "two.example", "feed://three.example/feed", "feed:https://four.example/feed",
      "ftp://five.example/feed", "nothing",
    ]
    let outlines = urls.map { "<outline type=\"rss\" text=\"x\" xmlUrl=\"\($0)\"/>" }.joined()
    let file = "<opml version=\"2.0\"><body>\(outlines)</body></opml>"
    let report = try await bench.client.call(
      "boards/import", ["data": .string(Data(file.utf8).base64EncodedString())])
    #expect(report["added"] == 4 && report["skipped"] == 2)
    #expect(report["notes"].list.map { $0["reason"] } == ["badURL", "badURL"])
    let sources = try await bench.client.call("boards/sources").items.map { $0["url"].text }
    #expect(
      Set(sources) == [
        "https://www.one.example/world/rss", "https://two.example/", "http://three.example/feed",
        "https://four.example/feed",
      ])
    await bench.stop()
  }

  @Test("what goes out and comes in again is the same: titles, folders, pages, notes, a feed in two folders")
  func roundTrip() async throws {
    let bench = try await BoardBench()
    _ = try await bench.client.call("boards/import", ["data": Self.data(Self.file)])
    let out = try await bench.client.call("boards/export", ["inline": true])
    #expect(out["sources"] == 3)
    let text = String(decoding: try #require(Data(base64Encoded: out["data"].text)), as: UTF8.self)
    for piece in ["A &amp; B", "https://a.example/\"", "why", "한국", "type=\"atom\"", "type=\"discourse\""] {
      #expect(text.contains(piece), "\(piece)")
    }
    #expect(text.components(separatedBy: "https://a.example/feed").count == 3)
    let other = try await BoardBench()
    _ = try await other.client.call("boards/import", ["data": out["data"]!])
    let again = try await other.client.call("boards/export", ["inline": true])
    #expect(again["data"] == out["data"])
    await other.stop()

    let path = bench.daemon.folder.file("out.opml")
    #expect(try await bench.client.call("boards/export", ["path": .string(path)])["path"] == .string(path))
    let taken = try await bench.client.failure("boards/export", ["path": .string(path)])
    #expect(taken?.kind == "exists" && taken?.message.contains("overwrite=true") == true)
    // What cannot be replaced is not offered.
    let folder = try await bench.client.failure(
      "boards/export", ["path": .string(bench.daemon.folder.path), "overwrite": true])
    #expect(folder?.kind == "exists" && folder?.message.contains("overwrite") == false)
    #expect(try await bench.client.call("boards/import", ["path": .string(path)])["known"] == 3)
    await bench.stop()
  }

  @Test("a library gives other programs back what their file stated of a feed, and its categories as folders")
  func otherPrograms() async throws {
    let bench = try await BoardBench()
    let file = """
      <opml version="2.0" xmlns:frss="https://freshrss.org/opml"><body>
      <outline type="rss" text="A" xmlUrl="https://a.example/feed" category="/Home/Garden,news" language="ko"
        frss:priority="important"/></body></opml>
      """
    #expect(try await bench.client.call("boards/import", ["data": Self.data(file)])["added"] == 1)
    let source = try await bench.client.call("boards/sources").items[0]
    #expect(source["folder"] == ["Home", "Garden"])
    _ = try await bench.client.call("boards/updateSource", ["id": source["id"]!, "title": "Renamed"])
    let export = try await bench.client.call("boards/export", ["inline": true])
    let text = String(decoding: try #require(Data(base64Encoded: export["data"].text)), as: UTF8.self)
    for piece in ["Renamed", "text=\"Garden\"", "text=\"news\"", " language=\"ko\"", " frss:priority=\"important\""] {
      #expect(text.contains(piece), "\(piece) in \(text)")
    }
    let other = try await BoardBench()
    _ = try await other.client.call("boards/import", ["data": export["data"]!])
    #expect(try await other.client.call("boards/export", ["inline": true])["data"] == export["data"])
    await other.stop()
    await bench.stop()
  }

  @Test("what is said of a feed names its place in the file, whatever is wrong with those before it")
  func places() async throws {
    let bench = try await BoardBench()
    let urls = [
      "file:///etc/passwd", "https://a.example/1", "https://a.example/1", "file:///etc/hosts", "https://a.example/2",
    ]
    let outlines = urls.map { "<outline text=\"\($0)\" xmlUrl=\"\($0)\"/>" }
    let file = "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>"
    let report = try await bench.client.call("boards/import", ["data": Self.data(file), "dryRun": true])
    #expect(report["added"] == 2)
    #expect(report["notes"].list.map { $0["number"] } == [1, 3, 4], "\(report)")
    #expect(report["notes"].list.map { $0["reason"].text } == ["badURL", "repeated", "badURL"], "\(report)")
    await bench.stop()
  }

  @Test("a file that is no OPML is refused by what it is not, and one that was cut off says so")
  func broken() async throws {
    let bench = try await BoardBench()
    for text in ["", "not at all", "<rss><channel/></rss>", "{}"] {
      #expect(try await bench.refusal("boards/import", ["data": Self.data(text)]) == "corrupt", "\(text)")
    }
    #expect(try await bench.refusal("boards/import", ["path": "/nowhere/at/all.opml"]) == "notFound")
    let cut = Self.file.components(separatedBy: "<outline text=\"한국\"")[0]
    let report = try await bench.client.call("boards/import", ["data": Self.data(cut)])
    #expect(report["added"] == 1 && report["notes"].list.contains { $0["reason"] == "cutOff" })
    await bench.stop()
  }
}
