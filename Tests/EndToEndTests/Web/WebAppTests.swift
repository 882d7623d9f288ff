import Foundation
import TestSupport
import Testing
import Wire

@Suite("Feed readers of other devices", .timeLimit(.minutes(10)))
struct WebAppTests {
  private static let feed = """
    <rss version="2.0"><channel><title>Lunch</title>
    <item><guid>1</guid><title>Soup</title><link>https://site.example/1</link><description>At noon.</description></item>
    <item><guid>2</guid><title>Bread</title><link>https://site.example/2</link><description>Rye.</description></item>
    </channel></rss>
    """

  /// A bridge whose library has a feed of two posts, and the token of an app.
  private static func bridge(_ arguments: [String] = []) async throws -> (bridge: WebBridge, token: String) {
    let server = try ScriptedServer { _ in .text(feed, [("Content-Type", "application/rss+xml")]) }
    defer { server.stop() }
    let bridge = try await WebBridge.start(CommandLineHome(hasLibrary: true), arguments)
    _ = try await bridge.home.call("boards/addSource", "kind=feed", "url=\(server.origin)/f.xml")
    let app = try await bridge.home.call("boards/addApp", "title=Phone")
    return (bridge, try #require(app["token"]?.stringValue))
  }

  private static func header(_ token: String) -> [String: String] {
    ["Authorization": "GoogleLogin auth=\(token)", "Origin": ""]
  }

  @Test("an app gets in with its token and without the page's session, and a browser's page does not")
  func letIn() async throws {
    let (bridge, token) = try await Self.bridge()
    let list = "/api/greader.php/reader/api/0/subscription/list?output=json"
    #expect(try await bridge.request("GET", list).status == 401)
    let session = try await bridge.signIn()
    #expect(try await bridge.request("GET", list, session).status == 401, "the page's cookie is no token")
    let form = Array("Email=me&Passwd=\(token)".utf8)
    let login = try await bridge.request(
      "POST", "/api/greader.php/accounts/ClientLogin", ["Origin": ""], body: form)
    #expect(login.status == 200 && login.text.contains("Auth=\(token)"))
    let reply = try await bridge.request("GET", list, Self.header(token))
    #expect(reply.status == 200 && reply["content-type"] == "application/json; charset=utf-8")
    #expect(try JSONParser.parse(reply.text)["subscriptions"]?[0]?["title"] == "Lunch")
    let strange = try await bridge.request("GET", list, ["Authorization": "Bearer \(token)", "Host": "evil.example"])
    #expect(strange.status == 403, "another name of this computer is refused")
    #expect(try await bridge.request("PUT", list, Self.header(token)).status == 405)
    let long = try await bridge.request(
      "POST", "/reader/api/0/edit-tag", Self.header(token).merging(["Content-Length": "1048577"]) { $1 })
    #expect(long.status == 413)
    bridge.process.kill(SIGTERM)
    _ = await bridge.process.ended()
  }

  @Test("at an address for other devices there is the API of feed readers, by any name, and nothing else")
  func otherAddress() async throws {
    let (bridge, token) = try await Self.bridge(["--apps", "127.0.0.1:0"])
    let line = try #require(await bridge.process.line())
    let port = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//).flatMap { Int($0.output.1) })
    func status(_ method: String, _ target: String, _ headers: [String: String] = [:]) async throws -> Int {
      let connection = try WebConnection(port: port)
      await connection.send(bridge.request(method, target, headers))
      return try #require(try await connection.reply(to: method)).status
    }
    let list = "/reader/api/0/subscription/list"
    let named = Self.header(token).merging(["Host": "home.example:\(port)"]) { $1 }
    #expect(try await status("GET", list, named) == 200)
    #expect(try await status("GET", list) == 401)
    let session = try await bridge.signIn()
    for target in ["/", "/index.html", "/session", "/rpc", WebBridge.file("documents/render")] {
      #expect(try await status("GET", target, session) == 404, "\(target)")
    }
    // Connections of other devices are counted by themselves: they keep nobody out of the page.
    let held = try (0..<32).map { _ in try WebConnection(port: port) }
    for connection in held { await connection.send(bridge.request("GET", list)) }
    for connection in held { #expect([401, nil].contains(try await connection.reply(to: "GET")?.status)) }
    // A stranger that holds connections keeps no app out.
    let apps = try (0..<32).map { _ in try WebConnection(port: port) }
    for connection in apps {
      await connection.send(bridge.request("GET", list, named))
      #expect(try await connection.reply(to: "GET")?.status == 200)
    }
    try await WebConnection(port: port).end()
    #expect(try await bridge.request("GET", "/", session).status == 200)
    withExtendedLifetime((held, apps)) {}
    bridge.process.kill(SIGTERM)
    #expect(await bridge.process.ended().status == 0)
  }

  @Test("KOReader logs in with the sum of its token, sends how far a document is read, and gets it on another device")
  func progress() async throws {
    let (bridge, token) = try await Self.bridge()
    let sum = try ChildProcess(
      "/bin/sh", ["-c", "printf %s \(token) | md5sum"], environment: ["PATH": "/usr/bin:/bin"], folder: "/")
    let key = ["X-Auth-User": "ann", "X-Auth-Key": String(await sum.end().output.prefix(32)), "Origin": ""]
    #expect(try await bridge.request("GET", "/users/auth", key).text == #"{"authorized":"OK"}"#)
    #expect(try await bridge.request("GET", "/users/auth", ["X-Auth-Key": token, "Origin": ""]).status == 401)
    let place = #"{"document":"d1","progress":"12","percentage":0.25,"device":"Kobo","device_id":"AB"}"#
    let sent = try await bridge.request("PUT", "/kosync/syncs/progress", key, body: Array(place.utf8))
    #expect(sent.status == 200 && sent["content-type"] == "application/json; charset=utf-8")
    #expect(try JSONParser.parse(sent.text)["document"] == "d1")
    let position = try JSONParser.parse(try await bridge.request("GET", "/syncs/progress/d1", key).text)
    #expect(position["progress"] == "12" && position["percentage"] == 0.25 && position["device_id"] == "AB")
    #expect(try await bridge.request("PUT", "/syncs/progress", ["Origin": ""], body: Array(place.utf8)).status == 401)
    #expect(try await bridge.request("DELETE", "/syncs/progress/d1", key).status == 405)
    bridge.process.kill(SIGTERM)
    _ = await bridge.process.ended()
  }

  @Test("an address that is none of this computer's is refused", arguments: ["192.0.2.1:7718", "7718"])
  func wrongAddress(address: String) async throws {
    let run = try await CommandLineHome(hasLibrary: true).run(["web", "--port", "0", "--apps", address])
    #expect(run.status != 0 && run.errors.contains(address == "7718" ? "--apps" : address), "\(run.errors)")
  }

  @Test(
    "newsboat reads along: it lists the feed, has its posts, and finds what was read elsewhere read",
    .enabled(if: access("/usr/bin/newsboat", X_OK) == 0, "newsboat is not installed: scripts/test does it"))
  func newsboat() async throws {
    let (bridge, token) = try await Self.bridge()
    let folder = TemporaryFolder()
    try """
    urls-source "feedhq"
    feedhq-url "\(bridge.origin)"
    feedhq-login "me"
    feedhq-password "\(token)"

    """.write(toFile: folder.file("config"), atomically: true, encoding: .utf8)
    func unread() async throws -> String {
      for command in ["reload", "print-unread"] {
        let newsboat = try ChildProcess(
          "/usr/bin/newsboat", ["-C", folder.file("config"), "-c", folder.file("cache.db"), "-x", command],
          environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], folder: folder.path)
        let ended = await newsboat.end()
        #expect(ended.status == 0, "\(ended.errors)")
        if command == "print-unread" { return ended.output.trimmingCharacters(in: .whitespacesAndNewlines) }
      }
      return ""
    }
    #expect(try await unread() == "2 unread articles")
    let ids = try await bridge.request(
      "GET", "/reader/api/0/stream/items/ids?s=user/-/state/com.google/reading-list", Self.header(token))
    let id = try #require(try JSONParser.parse(ids.text)["itemRefs"]?[0]?["id"]?.stringValue)
    let form = Array("i=\(id)&a=user/-/state/com.google/read".utf8)
    #expect(try await bridge.request("POST", "/reader/api/0/edit-tag", Self.header(token), body: form).text == "OK")
    #expect(try await unread() == "1 unread articles")
    bridge.process.kill(SIGTERM)
    _ = await bridge.process.ended()
  }
}
