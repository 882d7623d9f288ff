import Client
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Sync: kept pages and calendars") struct SharedSubscriptionsTests {
  private static let article = String(repeating: "There was bread with it, and butter, and a little salt. ", count: 8)

  private static func page(_ text: String) -> String {
    "<title>Lunch at the hall</title><article><p>\(text)</p><p>\(article)</p></article>"
  }

  private static let feed =
    "<rss version='2.0'><channel><title>News</title><link>https://news.example</link>"
    + "<item><guid>a</guid><title>One</title><description>First</description></item></channel></rss>"

  private static let calendar =
    "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Family\r\nBEGIN:VEVENT\r\nSUMMARY:Dentist\r\n"
    + "DTSTART:20261123T050000Z\r\nDTEND:20261123T053000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

  @Test("a kept page is on every device with its text and marks, kept again it is the newest, and removed it is gone")
  func keptPage() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    let url: JSONValue = "https://hall.example/lunch"
    func keep(_ text: String, on device: SharedDevice) async throws -> JSONValue {
      try await device.call("boards/keep", ["url": url, "html": .string(Self.page(text)), "tags": ["food"]])
    }
    let kept = try await keep("The soup is served at noon.", on: laptop)
    let id = try #require(kept["id"])
    try await exchange(devices)
    let there = try await phone.call("boards/post", ["id": id])
    for name in ["title", "contents", "link", "postType", "tags", "saved", "read"] {
      #expect(there[name] == kept[name], "\(name)")
    }
    #expect(try await phone.call("search/query", ["text": "is:page butter"]).items.count == 1)
    #expect(try await phone.call("sync/status")["waiting"] == 0)

    // The same page, kept on two devices that have not heard of each other, is one page without a conflict.
    laptop.daemon.clock.advance(milliseconds: 60_000)
    _ = try await keep("There is no soup today.", on: phone)
    laptop.daemon.clock.advance(milliseconds: 60_000)
    _ = try await keep("The soup is served at one.", on: laptop)
    try await exchange(devices)
    for device in devices {
      let text = try await device.call("boards/post", ["id": id])["contents"].text
      #expect(text.hasPrefix("The soup is served at one."))
      #expect(try await device.call("boards/posts", ["saved": true]).items.count == 1)
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      #expect(try await device.didNothing())
    }
    try await phone.call("boards/removePage", ["id": id])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("boards/posts", ["saved": true]).items.isEmpty)
      await device.stop()
    }
  }

  @Test("what two devices download for one post is on both, and what only the other one has is downloaded here as well")
  func downloads() async throws {
    let place = TemporaryFolder()
    // As with advertisements that each listener gets: not the same bytes for all.
    let byte = Mutex<UInt8>(1)
    let server = try ScriptedServer { request in
      if request.target == "/7.mp3" {
        return .answer(
          200, [("Content-Type", "audio/mpeg")],
          body: Data("ID3 ".utf8) + Data(repeating: byte.withLock(\.self), count: 5_000))
      }
      return .text(
        """
        <rss version="2.0"><channel><title>Rivers</title><item><guid>7</guid><title>Episode 7</title>
        <enclosure url="/7.mp3" type="audio/mpeg" length="5004"/></item></channel></rss>
        """)
    }
    defer { server.stop() }
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place, fetchesAllFiles: false)
    let (laptop, phone) = (devices[0], devices[1])
    try await laptop.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    try await exchange(devices)
    try await phone.call("boards/refresh")
    let id = try await laptop.call("boards/posts").items[0].id
    #expect(try await phone.call("boards/posts").items[0].id == id)
    try await laptop.call("boards/download", ["id": id])
    byte.withLock { $0 = 2 }
    try await phone.call("boards/download", ["id": id])
    try await exchange(devices)
    for device in devices {
      let files = try await device.call("boards/post", ["id": id])["files"].list
      #expect(Set(files.map { $0["file"].text }).count == 2 && files.count == 2)
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      #expect(try await device.didNothing())
    }
    try await laptop.call("boards/removeDownload", ["id": id])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("boards/post", ["id": id])["files"] == nil)
      #expect(try await device.call("files/list").items.isEmpty)
    }

    byte.withLock { $0 = 3 }
    let file = try #require(try await laptop.call("boards/download", ["id": id])["recording"]?["file"])
    try await exchange(devices)
    #expect(try await phone.call("boards/post", ["id": id])["recording"]?["file"] == file)
    #expect(try await phone.call("sync/status")["filesElsewhere"] == 1)
    let requests = server.requests.count { $0.target == "/7.mp3" }
    let post = try await phone.call("boards/download", ["id": id])
    #expect(server.requests.count { $0.target == "/7.mp3" } == requests + 1)
    #expect(try await phone.call("sync/status")["filesElsewhere"] == 0)
    #expect(post["files"].list.map { $0["file"] } == [file] && post["files"].list[0]["own"] == true)
    try await phone.call("boards/removeDownload", ["id": id])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("files/list").items.isEmpty)
      #expect(try await device.didNothing())
      await device.stop()
    }
  }

  @Test("posts of a source stay on the device that has fetched them, and wait for nothing")
  func fetchedPosts() async throws {
    let server = try ScriptedServer { _ in .text(Self.feed, [("Content-Type", "application/rss+xml")]) }
    defer { server.stop() }
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("boards/addSource", ["url": .string(server.origin + "/feed"), "kind": "feed"])
    #expect(try await devices[0].call("boards/posts", ["all": true]).items.count == 1)
    try await exchange(devices)
    #expect(try await devices[1].call("boards/sources").items.count == 1)
    #expect(try await devices[1].call("boards/posts", ["all": true]).items.isEmpty)
    for device in devices {
      #expect(try await device.call("sync/status")["waiting"] == 0)
      await device.stop()
    }
  }

  @Test("a source that another device has added is fetched as soon as it is here", .timeLimit(.minutes(2)))
  func arrivedSource() async throws {
    let server = try ScriptedServer { _ in .text(Self.feed, [("Content-Type", "application/rss+xml")]) }
    defer { server.stop() }
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    // Between two rounds the phone waits until it is woken.
    let never = ToyGate.make()
    var pace = Refresher.Pace()
    pace.pause = { _ in try? await never.passOrCancel() }
    let services = phone.daemon.daemon.services
    services.memory.object(Refresher.self) { Refresher(pace) }.begin(with: services)
    try await laptop.call("boards/addSource", ["url": .string(server.origin + "/feed"), "kind": "feed"])
    try await exchange(devices)
    _ = try await phone.client.firstReceived { frame in
      guard case .single(.notification("changes/didCommit", let params)) = frame else { return false }
      return params["changes"].list.contains { $0["collection"] == "posts" && $0["kind"] == "added" }
    }
    #expect(try await phone.call("boards/posts", ["all": true]).items.map { $0["title"] } == ["One"])
    for device in devices { await device.stop() }
  }

  @Test("a subscribed calendar is on every device, which fetches it; one that is a file stays, with its path")
  func calendars() async throws {
    let server = try ScriptedServer { _ in .text(Self.calendar, [("Content-Type", "text/calendar")]) }
    defer { server.stop() }
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    let url: JSONValue = .string(server.origin + "/family.ics")
    let path = laptop.daemon.folder.file("private.ics")
    try Self.calendar.write(toFile: path, atomically: true, encoding: .utf8)
    try await laptop.call("projects/addCalendar", ["id": "u", "url": url, "title": "Ours", "every": 120])
    try await laptop.call("projects/addCalendar", ["id": "f", "path": .string(path)])
    // Subscribed to on both before they hear of each other, it is one calendar.
    try await phone.call("projects/addCalendar", ["id": "v", "url": url])
    try await exchange(devices)
    for (device, ids) in [(laptop, ["f", "u"]), (phone, ["u"])] {
      try await device.call("projects/refreshCalendars")
      let calendars = try await device.call("projects/calendars").items
      #expect(calendars.map { $0["id"].text }.sorted() == ids)
      let shared = try #require(calendars.first { $0["id"] == "u" })
      #expect(shared["title"] == "Ours" && shared["every"] == 120 && shared["events"] == 1, "\(shared)")
    }
    try await phone.call("projects/updateCalendar", ["id": "u", "title": "Family"])
    try await exchange(devices)
    let seen = try await laptop.call("projects/calendars").items
    #expect(seen.first { $0["id"] == "u" }?["title"] == "Family")
    #expect(seen.first { $0["id"] == "f" }?["path"] == .string(path))

    // Read from a file from now on, it is no calendar of the others any more, and stays here.
    try await laptop.call("projects/updateCalendar", ["id": "u", "path": .string(path + "2")])
    try await exchange(devices)
    #expect(try await phone.call("projects/calendars").items.isEmpty)
    #expect(try await laptop.call("projects/calendars").items.map { $0["id"].text }.sorted() == ["f", "u"])
    for device in devices {
      #expect(try await device.call("sync/status")["waiting"] == 0)
      await device.stop()
    }
  }
}
