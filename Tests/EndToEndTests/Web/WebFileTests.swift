import Foundation
import TestSupport
import Testing
import Wire

@Suite("The page's files", .timeLimit(.minutes(10)))
struct WebFileTests {
  private static let pdf = SamplePDF(pages: [.init(["A walk along the river"]), .init(["Page two"])]).bytes

  /// A bridge with one document, by its upload.
  private static func withDocument() async throws -> (bridge: WebBridge, session: [String: String], id: JSONValue) {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let reply = try await bridge.request("PUT", upload("paper.pdf"), session, body: pdf)
    #expect(reply.status == 200, "\(reply.text)")
    return (bridge, session, try #require(try JSONParser.parse(reply.text)["id"]))
  }

  private static func upload(_ name: String, _ params: JSONValue = [:]) -> String {
    WebBridge.file("documents/add", params, "&name=\(name)")
  }

  @Test("a rendered page has a type, a tag and ranges; what is known is not sent again")
  func renderedPage() async throws {
    let (bridge, session, id) = try await Self.withDocument()
    let page = WebBridge.file("documents/render", ["id": id, "page": 0, "width": 300])
    let whole = try await bridge.request("GET", page, session)
    #expect(
      whole.status == 200 && whole["content-type"] == "image/png" && whole["cache-control"] == "private, no-cache")
    #expect(whole.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let tag = try #require(whole["etag"])
    func get(_ headers: [String: String]) async throws -> WebReply {
      try await bridge.request("GET", page, session.merging(headers) { $1 })
    }
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let reply = try await get(["If-None-Match": known])
      #expect(reply.status == 304 && reply.body.isEmpty && reply["etag"] == tag)
    }
    #expect(try await get(["If-None-Match": "\"x\""]).status == 200)
    let size = whole.body.count
    for (range, part) in [("0-9", 0..<10), ("10-", 10..<size), ("-7", size - 7..<size), ("5-\(size * 2)", 5..<size)] {
      let reply = try await get(["Range": "bytes=\(range)"])
      #expect(reply.status == 206 && reply.body == Array(whole.body[part]))
      #expect(reply["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
    }
    let beyond = try await get(["Range": "bytes=\(size)-"])
    #expect(beyond.status == 416 && beyond["content-range"] == "bytes */\(size)")
    for range in ["bytes=0-1,5-6", "pages=1-2", "bytes=9-3", "bytes=x-", "bytes=-", "bytes=99999999999999999999-"] {
      #expect(try await get(["Range": range]).status == 200, "\(range)")
    }
    #expect(try await get(["Range": "bytes=0-9", "If-Range": tag]).status == 206)
    #expect(try await get(["Range": "bytes=0-9", "If-Range": "\"old\""]).status == 200)
    let head = try await bridge.request("HEAD", page, session)
    #expect(head.status == 200 && head["content-length"] == String(size))
    #expect(try await bridge.request("GET", page + "&v=1", session)["cache-control"]?.contains("immutable") == true)
  }

  @Test("the file of any method that only reads is answered: by its path, by another member, from its bytes, exported")
  func members() async throws {
    let (bridge, session, id) = try await Self.withDocument()
    func get(_ method: String, _ params: JSONValue, _ more: String = "") async throws -> WebReply {
      try await bridge.request("GET", WebBridge.file(method, params, more), session)
    }
    let original = try await get("documents/get", ["id": id], "&member=file&name=A%20%E2%80%9Cpaper%E2%80%9D.pdf")
    #expect(original.body == Self.pdf && original["content-type"] == "application/pdf")
    #expect(
      original["content-disposition"] == "attachment; filename*=UTF-8''A%20%E2%80%9Cpaper%E2%80%9D.pdf")
    let inline = try await get("documents/thumbnail", ["id": id, "inline": true])
    #expect(inline["content-type"] == "image/png" && inline["etag"] != nil)
    let export = try await get("documents/export", ["id": id, "format": "pdf"])
    #expect(export.status == 200 && export.body.starts(with: Array("%PDF-".utf8)))
    let text = try await get("projects/export", ["format": "markdown"])
    // What may be HTML is never shown.
    #expect(text.status == 200 && text["content-disposition"] == "attachment")
    #expect(try FileManager.default.contentsOfDirectory(atPath: Self.scratch(bridge)).isEmpty)
  }

  @Test("of a list the file of each element is answered by its number, and none of one that is not there")
  func elements() async throws {
    let (bridge, session, id) = try await Self.withDocument()
    let bytes = SamplePDF(pages: [.init(["Another"])]).bytes
    let added = try await bridge.request("PUT", Self.upload("other.pdf"), session, body: bytes)
    let other = try #require(try JSONParser.parse(added.text)["id"])
    func get(_ number: String) async throws -> WebReply {
      let file = WebBridge.file("documents/get", ["ids": [other, id]], "&member=items.\(number).file")
      return try await bridge.request("GET", file, session)
    }
    #expect(try await get("0").body == bytes)
    #expect(try await get("1").body == Self.pdf)
    for number in ["2", "-1"] { #expect(try await get(number).status == 404, "\(number)") }
    #expect(try await get("first").status == 400)
  }

  @Test("the page loads its files from a folder of its version, and a browser that has them asks for none")
  func versioned() async throws {
    let bridge = try await WebBridge.start()
    let page = try await bridge.request("GET", "/")
    #expect(page["cache-control"] == "no-cache")
    let paths = page.text.matches(of: /(?:src|href)="([^"]+)"/).map { String($0.output.1) }
    #expect(paths.count > 5)
    for path in paths {
      let reply = try await bridge.request("GET", path)
      #expect(reply.status == 200 && reply["cache-control"] == "private, max-age=31536000, immutable", "\(path)")
    }
    let other = "/0123456789abcdef" + paths[0].drop { $0 == "/" }.drop { $0 != "/" }
    #expect(try await bridge.request("GET", other).status == 404)
  }

  @Test("requests for the files of one reply cause one call, and one that names another reply causes the next")
  func sharedReply() async throws {
    let (bridge, session, id) = try await Self.withDocument()
    func get(_ reply: String) async throws -> WebReply {
      try await bridge.request(
        "GET", WebBridge.file("documents/get", ["id": id], "&member=file&reply=\(reply)"), session)
    }
    #expect(try await get("a").body == Self.pdf)
    _ = try await bridge.home.call("documents/remove", "id=\(id.stringValue!)")
    #expect(try await get("a").body == Self.pdf)
    #expect(try await get("b").status == 404)
    // It is the reply of one call: other params are another call.
    let none = WebBridge.file("documents/get", ["id": "0192f000-0000-7000-8000-000000000000"], "&member=file&reply=a")
    #expect(try await bridge.request("GET", none, session).status == 404)
  }

  private static func scratch(_ bridge: WebBridge) -> String {
    "\(bridge.home.caches)/web-\(bridge.process.pid)"
  }

  @Test("GET calls no method that changes something, writes no file of the page's choice and reads none")
  func refusals() async throws {
    let (bridge, session, id) = try await Self.withDocument()
    func get(_ target: String) async throws -> WebReply { try await bridge.request("GET", target, session) }
    for method in ["projects/add", "documents/remove", "diary/removeAll", "boards/refresh", "shutdown", "changes/undo"]
    {
      let reply = try await get(WebBridge.file(method, ["title": "x", "id": id]))
      #expect([400, 405].contains(reply.status), "\(method)")
    }
    #expect(try await bridge.home.call("projects/list")["total"] == 0)
    #expect(try await get(WebBridge.file("none/such")).status == 404)
    #expect(try await get("/file").status == 400)
    #expect(try await get("/file?method=documents%2Fget&params=%7B").status == 400)
    #expect(try await get("/file?method=documents%2Fget&params=[]").status == 400)
    #expect(try await get("/file?method=%ff").status == 400)
    #expect(try await get("/file?method=a%2").status == 400)
    #expect(try await get("/file?method").status == 400)
    let mine = bridge.home.work + "/mine"
    let writing = WebBridge.file("projects/export", ["format": "markdown", "path": .string(mine)])
    #expect(try await get(writing).status == 400)
    #expect(!FileManager.default.fileExists(atPath: mine))
    // Paths that the daemon answers and that are no files of the library.
    for member in ["configuration.path", "library.path"] {
      #expect(try await get(WebBridge.file("session/status", [:], "&member=\(member)")).status == 404, "\(member)")
    }
    for member in ["server.socket", "library.id", "library"] {
      #expect(try await get(WebBridge.file("session/status", [:], "&member=\(member)")).status == 400, "\(member)")
    }
    #expect(try await get(WebBridge.file("session/status", [:], "&member=nowhere.path")).status == 400)
    let missing = try await get(WebBridge.file("documents/render", ["id": "none", "page": 0, "width": 10]))
    #expect(missing.status == 404 && missing.text.contains("notFound"))
    let invalid = try await get(WebBridge.file("documents/render", ["id": id, "page": 0]))
    #expect(invalid.status == 422)
  }

  @Test("a method that also writes is called by POST, and its reply's file is answered")
  func post() async throws {
    let (bridge, session, id) = try await Self.withDocument()
    let refresh = WebBridge.file("documents/get", ["id": id], "&member=file")
    let reply = try await bridge.request("POST", refresh, session)
    #expect(reply.status == 200 && reply.body == Self.pdf)
  }

  @Test("a link in the caches leads nowhere, and no name leads out of a folder of assets")
  func links() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let page = home.work + "/page"
    try FileManager.default.createDirectory(atPath: page + "/parts", withIntermediateDirectories: true)
    try "secret".write(toFile: home.work + "/secret.js", atomically: true, encoding: .utf8)
    try "export {}".write(toFile: page + "/parts/own.js", atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: page + "/link.js", withDestinationPath: home.work + "/secret.js")
    try FileManager.default.createSymbolicLink(atPath: page + "/folder", withDestinationPath: home.work)
    mkfifo(page + "/pipe.js", 0o600)
    let bridge = try await WebBridge.start(home, ["--assets", page])
    let own = try await bridge.request("GET", "/parts/own.js")
    #expect(own.status == 200 && own["content-type"] == "text/javascript; charset=utf-8" && own.text == "export {}")
    let tag = try #require(own["etag"])
    #expect(try await bridge.request("GET", "/parts/own.js", ["If-None-Match": tag]).status == 304)
    let tricks = [
      "/link.js", "/folder/secret.js", "/pipe.js", "/../secret.js", "/parts/../../secret.js", "/%2e%2e/secret.js",
      "//secret.js", "/parts//own.js", "/./parts/own.js", "/parts/own.js/", "/parts", home.work + "/secret.js",
      "/\\..\\secret.js",
    ]
    for path in tricks { #expect(try await bridge.request("GET", path).status == 404, "\(path)") }
    let null = try bridge.connect()
    await null.send("GET /parts/own.js\0x HTTP/1.1\r\nHost: \(bridge.host)\r\n\r\n")
    #expect(try await null.reply()?.status ?? 400 != 200)

    // A thumbnail that somebody has replaced by a link.
    let session = try await bridge.signIn()
    let added = try await bridge.request("PUT", Self.upload("paper.pdf"), session, body: Self.pdf)
    let id = try #require(try JSONParser.parse(added.text)["id"])
    let target = WebBridge.file("documents/thumbnail", ["id": id])
    #expect(try await bridge.request("GET", target, session).status == 200)
    let thumbnails = home.caches + "/thumbnails"
    for name in try FileManager.default.subpathsOfDirectory(atPath: thumbnails) where name.hasSuffix(".png") {
      try FileManager.default.removeItem(atPath: "\(thumbnails)/\(name)")
      try FileManager.default.createSymbolicLink(
        atPath: "\(thumbnails)/\(name)", withDestinationPath: home.work + "/secret.js")
    }
    let linked = try await bridge.request("GET", target, session)
    #expect(!linked.text.contains("secret"))
  }

  @Test("an upload keeps its name as the title, leaves no file and no trace of where it lay")
  func upload() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let name = "My%20paper%20%28%ED%95%9C%EA%B0%95%29.pdf"
    let reply = try await bridge.request("PUT", Self.upload(name, ["tags": ["new"]]), session, body: Self.pdf)
    let document = try JSONParser.parse(reply.text)
    #expect(document["title"] == "My paper (한강)" && document["tags"] == ["new"] && document["origins"] == [])
    // Params that no URL is to contain.
    let header = ["Commonplace-Params": "%7B%22tags%22%3A%5B%22%ED%95%9C%22%5D%7D"]
    let card = try await bridge.request(
      "PUT", WebBridge.file("documents/add", ["title": "x"], "&name=other.pdf"), session.merging(header) { $1 },
      body: SamplePDF(pages: [.init(["Another walk"])]).bytes)
    #expect(try JSONParser.parse(card.text)["tags"] == ["한"], "\(card.text)")
    #expect(try JSONParser.parse(card.text)["title"] == "other")
    for header in ["{", "%7", "[]", "%FF"] {
      let wrong = session.merging(["Commonplace-Params": header]) { $1 }
      #expect(try await bridge.request("PUT", Self.upload("x.pdf"), wrong, body: Self.pdf).status == 400)
    }
    for name in ["..%2F..%2Fx.pdf", "%00", ".", "..", "", "a%2F", String(repeating: "%ED%95%9C", count: 300)] {
      let reply = try await bridge.request("PUT", Self.upload(name), session, body: Self.pdf)
      #expect(try JSONParser.parse(reply.text)["existing"] == true, "\(name): \(reply.text)")
    }
    let wrong = try await bridge.request("PUT", Self.upload("notes.txt"), session, body: Array("notes".utf8))
    #expect(wrong.status == 422)
    let error = try JSONParser.parse(wrong.text)["error"]
    #expect(error?["data"]?["kind"] == "notPDF")
    #expect(error?["message"]?.stringValue?.hasPrefix("notes.txt is not a PDF.") == true, "\(wrong.text)")
    #expect(!wrong.text.contains(bridge.home.caches))
    let none = try await bridge.request("PUT", WebBridge.file("session/status"), session, body: [1])
    #expect(none.status == 400)
    #expect(try await bridge.request("PUT", WebBridge.file("none/such"), session, body: [1]).status == 404)
    let cards = Array("- [ ] Return the book\n".utf8)
    let imported = try await bridge.request(
      "PUT", WebBridge.file("projects/import", ["format": "markdown"], "&name=tasks.md"), session, body: cards)
    #expect(imported.status == 200)
    #expect(try JSONParser.parse(imported.text)["added"] == 1, "\(imported.text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: Self.scratch(bridge)).isEmpty)
  }

  @Test("an upload in many chunks at once arrives in their order, and one that is refused in the middle ends there")
  func chunkedUpload() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let chunked = session.merging(["Transfer-Encoding": "chunked", "Content-Length": ""]) { $1 }
    let chunks = Self.pdf.map { "1\r\n".utf8 + [$0] + "\r\n".utf8 }.joined()
    let connection = try bridge.connect()
    let head: [UInt8] = bridge.request("PUT", Self.upload("paper.pdf"), chunked)
    await connection.send(head + chunks + Array("0\r\n\r\n".utf8))
    let reply = try #require(try await connection.reply(to: "PUT"))
    #expect(try JSONParser.parse(reply.text)["hash"]?.stringValue != nil, "\(reply.text)")
    let id = try #require(try JSONParser.parse(reply.text)["id"])
    let file = WebBridge.file("documents/get", ["id": id], "&member=file")
    #expect(try await bridge.request("GET", file, session).body == Self.pdf)
    // The connection goes on.
    await connection.send(bridge.request("GET", "/session", session) as [UInt8])
    #expect(try await connection.reply()?.status == 204)
    let broken = try bridge.connect()
    await broken.send(head + Array("5\r\n%PDF-".utf8) + Array("\r\nno chunk\r\n".utf8))
    try await broken.end()
    #expect(try await Self.isCleared(bridge, session))
  }

  /// Whether the bridge removes every upload; it does so a moment after it has closed a broken one's connection.
  private static func isCleared(_ bridge: WebBridge, _ session: [String: String]) async throws -> Bool {
    for _ in 0..<1000 {
      if try FileManager.default.contentsOfDirectory(atPath: scratch(bridge)).isEmpty { return true }
      _ = try await bridge.request("GET", "/session", session)
    }
    return false
  }

  @Test("an upload that stops in the middle adds nothing and leaves nothing")
  func brokenUpload() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let connection = try bridge.connect()
    await connection.send(bridge.request("PUT", Self.upload("paper.pdf"), session, length: Self.pdf.count))
    await connection.send(Array(Self.pdf.dropLast()))
    connection.socket.endInput()
    try await connection.end()
    #expect(try await bridge.home.call("documents/list")["total"] == 0)
    #expect(try await Self.isCleared(bridge, session))
  }

  @Test("a PDF of 200 MB is dropped on the page and read again, and the bridge holds little of it")
  func largeUpload() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    // After the end of the file a comment, and the end again.
    let end = Self.pdf.lastRange(of: Array("startxref".utf8))!.lowerBound
    let line = Array("%".utf8) + [UInt8](repeating: 0x78, count: (1 << 20) - 2) + [0x0A]
    let count = Self.pdf.count + 200 * line.count + (Self.pdf.count - end)
    let connection = try bridge.connect()
    let head = bridge.request("PUT", Self.upload("large.pdf"), session, length: count)
    async let sent: Void = {
      await connection.send(head + Self.pdf)
      for _ in 0..<200 { await connection.send(line) }
      await connection.send(Array(Self.pdf[end...]))
    }()
    await sent
    let reply = try #require(try await connection.reply(to: "PUT"))
    #expect(reply.status == 200, "\(reply.text)")
    let document = try JSONParser.parse(reply.text)
    #expect(document["size"]?.integerValue == Int64(count))
    let peak = try String(contentsOfFile: "/proc/\(bridge.process.pid)/status", encoding: .utf8)
      .firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.output.1) }
    #expect(try #require(peak) < 150_000)
    let id = try #require(document["id"])
    let file = WebBridge.file("documents/get", ["id": id], "&member=file")
    await connection.send(bridge.request("GET", file, session.merging(["Range": "bytes=-1000"]) { $1 }))
    #expect(try await connection.reply()?.body == Array((line + Self.pdf[end...]).suffix(1000)))
    await connection.send(bridge.request("GET", file, session))
    #expect(try await connection.reply()?.body.count == count)
  }

  @Test("HTML for a frame comes back as it is, under a policy by which nothing in it runs or loads")
  func frame() async throws {
    let bridge = try await WebBridge.start()
    let session = try await bridge.signIn()
    let html = "<h1>한강 & co</h1><script>alert(1)</script>"
    let body = "html=" + (html.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    let reply = try await bridge.request("POST", "/frame", session, body: Array(body.utf8))
    #expect(reply.status == 200 && reply.text == html && reply["cache-control"] == "no-store")
    let policy = try #require(reply["content-security-policy"])
    #expect(
      policy.hasPrefix("sandbox allow-popups") && !policy.contains("script-src") && !policy.contains("allow-scripts"))
    #expect(policy.contains("img-src data:;"))
    #expect(try await bridge.request("POST", "/frame", session, body: Array("text=x".utf8)).status == 400)
    #expect(try await bridge.request("POST", "/frame", session).status == 400)
  }

  @Test("the program contains every file of the page, as it is; with REGENERATE=1 the table is written")
  func embedded() async throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let folder = sources.appending(path: "commonplace-web/Page")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder.path + "/" + path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let arrays = paths.enumerated().map { number, path in
      """
      static const unsigned char file\(number)[] = {
      #embed "../commonplace-web/Page/\(path)"
      };


      """
    }
    let rows = paths.enumerated().map { "    {\"\($1)\", file\($0), sizeof file\($0)},\n" }
    let table =
      "/* Written by the tests, with REGENERATE=1: every file of Sources/commonplace-web/Page, by path. */\n\n"
      + arrays.joined() + "static const struct file files[] = {\n" + rows.joined() + "};\n"
    let file = sources.appending(path: "CPage/files.h")
    if ProcessInfo.processInfo.environment["REGENERATE"] == "1" {
      try table.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == table, "Run the tests with REGENERATE=1, and build again.")
    let bridge = try await WebBridge.start()
    let connection = try bridge.connect()
    for path in paths {
      await connection.send(bridge.request("GET", "/" + path))
      let reply = try #require(try await connection.reply())
      #expect(reply.status == 200 && reply["content-type"] != "application/octet-stream", "\(path)")
      #expect(try reply.body == Array(Data(contentsOf: folder.appending(path: path))), "\(path)")
    }
  }
}
