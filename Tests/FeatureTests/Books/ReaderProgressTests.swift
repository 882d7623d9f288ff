import Books
import Client
import Contract
import Crypto
import Kit
import Store
import TestSupport
import Testing
import Wire

/// KOReader of a test: what it asks goes through `books/answerReader`, as from the bridge.
private struct EReader {
  let client: Client
  var key: String

  init(_ client: Client, title: String = "Kobo") async throws {
    self.client = client
    let token = try await client.call("boards/addApp", ["title": .string(title)])["token"]!.text
    // KOReader sends the sum of what was typed as the password.
    key = MD5.hexadecimal(of: Array(token.utf8))
  }

  func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue {
    var params: JSONObject = ["method": .string(method), "path": .string(path), "key": .string(key)]
    if let body { params["body"] = .string(body) }
    return try await client.call("books/answerReader", .object(params))
  }

  func send(_ share: Double, of document: String, at place: String = "/body/DocFragment[20]/body/p[22]/img.0")
    async throws
    -> JSONValue
  {
    let body: JSONValue = [
      "document": .string(document), "progress": .string(place), "percentage": .number(share), "device": "Kobo",
      "device_id": "AB12",
    ]
    return try await ask("PUT", "/syncs/progress", body.description)
  }

  /// The body of the answer to a question that must succeed.
  func position(of document: String) async throws -> JSONValue {
    let reply = try await ask("GET", "/syncs/progress/" + document)
    #expect(reply["status"] == 200 && reply["type"] == "application/json")
    return try JSONParser.parse(reply["body"]!.text)
  }
}

@Suite("Books: progress that KOReader sends") struct ReaderProgressTests {
  private static let sum = "0b229176d4e8db7f6d2b5a4952368d7a"
  private static let metadata = """
    return {
      ["doc_props"] = { ["title"] = "Sabriel", ["authors"] = "Garth Nix" },
      ["partial_md5_checksum"] = "\(sum)",
    }
    """

  @Test("KOReader logs in with the sum of its app's token, nobody registers, and a removed app is out at once")
  func access() async throws {
    let bench = try await BookBench()
    let reader = try await EReader(bench.client)
    for path in ["/users/auth", "/kosync/users/auth"] {
      let login = try await reader.ask("GET", path)
      #expect(login["status"] == 200 && login["body"] == #"{"authorized":"OK"}"#)
    }
    let registered = try await reader.ask("POST", "/users/create", #"{"username":"ann","password":"x"}"#)
    #expect(registered["status"] == 402 && registered["body"]?.text.contains("boards/addApp") == true)
    _ = try await reader.send(0.5, of: Self.sum)
    var stranger = reader
    for wrong in ["", "x", String(reader.key.dropLast()), reader.key.uppercased()] {
      stranger.key = wrong
      for (method, path) in [("GET", "/users/auth"), ("GET", "/syncs/progress/" + Self.sum)] {
        #expect(try await stranger.ask(method, path)["status"] == 401, "\(wrong)")
      }
      #expect(try await stranger.send(0.9, of: Self.sum)["status"] == 401)
    }
    #expect(try await reader.position(of: Self.sum)["percentage"] == 0.5)
    let app = try await bench.client.call("boards/apps").items[0]
    #expect(app["title"] == "Kobo" && app["usedAt"] != nil)
    _ = try await bench.client.call("boards/removeApp", ["id": app.id])
    #expect(try await reader.ask("GET", "/users/auth")["status"] == 401)
    #expect(try await reader.send(0.9, of: Self.sum)["status"] == 401)
    await bench.stop()
  }

  @Test("a place that one device sends is the place that another gets, also of a file that the library does not know")
  func places() async throws {
    let clock = TestClock()
    let bench = try await BookBench(clock: clock)
    let (kobo, phone) = (try await EReader(bench.client), try await EReader(bench.client, title: "Phone"))
    #expect(try await phone.position(of: "a%20b") == [:])
    let sent = try await kobo.send(0.25, of: "a b", at: "12")
    let seconds = clock.now.milliseconds / 1_000
    #expect(sent["status"] == 200)
    #expect(try JSONParser.parse(sent["body"]!.text) == ["document": "a b", "timestamp": .integer(seconds)])
    #expect(
      try await phone.position(of: "a%20b") == [
        "document": "a b", "progress": "12", "percentage": 0.25, "device": "Kobo", "device_id": "AB12",
        "timestamp": .integer(seconds),
      ])
    clock.advance(milliseconds: 60_000)
    _ = try await phone.send(0.125, of: "a b", at: "7")
    #expect(try await kobo.position(of: "a%20b")["percentage"] == 0.125, "the last one counts, also if it is before")
    #expect(try await bench.shelf().isEmpty)
    await bench.stop()
  }

  @Test("the place becomes the progress of the book whose metadata was imported, and one step of undo takes it back")
  func progress() async throws {
    let bench = try await BookBench(clock: TestClock())
    #expect(try await bench.importing(Self.metadata)["added"] == 1)
    let reader = try await EReader(bench.client)
    #expect(try await bench.shelf()[0]["shelf"]?["status"] == "want")
    _ = try await reader.send(0, of: Self.sum)
    #expect(try await bench.shelf()[0]["shelf"]?["status"] == "want", "opening it is not reading it")
    _ = try await reader.send(0.4237, of: Self.sum)
    let shelf = try await bench.shelf()[0]["shelf"]
    #expect(shelf?["status"] == "reading" && shelf?["progress"] == ["percent": 42.4])
    #expect(shelf?["started"] == "2026-11-21")
    let revision = try await bench.shelf()[0]["revision"]
    _ = try await reader.send(0.42371, of: Self.sum, at: "elsewhere")
    #expect(try await bench.shelf()[0]["revision"] == revision, "less than a thousandth changes no book")
    #expect(try await reader.position(of: Self.sum)["progress"] == "elsewhere")
    _ = try await bench.client.call("changes/undo")
    let undone = try await bench.shelf()[0]["shelf"]
    #expect(undone?["status"] == "want" && undone?["progress"] == nil && undone?["started"] == nil)
    await bench.stop()
  }

  @Test("metadata that is imported after a place was sent goes on from there, and is no conflict")
  func laterImport() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(Self.metadata)
    let reader = try await EReader(bench.client)
    _ = try await reader.send(0.3, of: Self.sum)
    _ = try await reader.send(0.4, of: Self.sum)
    #expect(try await bench.importing(Self.metadata)["known"] == 1)
    let later = Self.metadata.replacing("return {", with: "return { [\"percent_finished\"] = 0.5,")
    let report = try await bench.importing(later)
    #expect(report["updated"] == 1 && report["undecided"] == 0, "\(report)")
    #expect(try await bench.shelf()[0]["shelf"]?["progress"] == ["percent": 50])
    let last = Self.metadata.replacing("return {", with: "return { [\"percent_finished\"] = 0.6,")
    #expect(try await bench.importing(last)["updated"] == 1, "the place that was sent before is none of this import")
    await bench.stop()
  }

  @Test("only the place that begins a book is a step of undo, and no place writes the imported row into the history")
  func steps() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(Self.metadata)
    let reader = try await EReader(bench.client)
    for share in [0.1, 0.2, 0.3] { _ = try await reader.send(share, of: Self.sum) }
    let commits = try await bench.client.call("changes/log").items.filter { $0["label"] == "books/answerReader" }
    #expect(commits.map { $0["undoable"] } == [false, false, true], "\(commits)")
    await bench.stop()
    let rewritten = try KeepingTests.database(bench.daemon).read {
      try $0.texts(
        """
        SELECT before FROM changes JOIN commits USING (clock)
        WHERE label = 'books/answerReader' AND before LIKE '%foreign%'
        """
      )
    }
    #expect(rewritten.isEmpty, "\(rewritten)")
  }

  @Test("a book that was read or given up stays so when KOReader opens it", arguments: ["read", "abandoned"])
  func finished(status: String) async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(Self.metadata)
    let id = try await bench.shelf()[0].id
    _ = try await bench.client.call("books/updateOnShelf", ["id": id, "status": .string(status)])
    let before = try await bench.shelf()[0]
    #expect(try await EReader(bench.client).send(0.1, of: Self.sum)["status"] == 200)
    #expect(try await bench.shelf()[0] == before)
    await bench.stop()
  }

  @Test("a request that KOReader does not send is refused and changes nothing")
  func hostile() async throws {
    let bench = try await BookBench()
    let reader = try await EReader(bench.client)
    func body(_ document: String = "d", _ share: String = "0.5", _ more: String = "") -> String {
      #"{"document":"\#(document)","progress":"1","percentage":\#(share)\#(more)}"#
    }
    let long = String(repeating: "x", count: 256)
    for bad in [
      "", "{", "[]", "{}", #"{"document":"d","percentage":0.5}"#, #"{"document":"d","progress":"1"}"#, body(""),
      body(long), body("d", "1.5"), body("d", "-0.1"), body("d", "1e400"), body("d", "null"), body("d", "\"far\""),
      body("d", "0.5", #","device":"\#(long)""#), body("d", "0.5", #","device_id":"\#(long)""#),
      #"{"document":"d","progress":"\#(String(repeating: long, count: 17))","percentage":0.5}"#,
    ] {
      #expect(try await reader.ask("PUT", "/syncs/progress", bad)["status"] == 400, "\(bad.prefix(80))")
    }
    for (method, path, status) in [
      ("DELETE", "/syncs/progress", 405), ("POST", "/users/auth", 405), ("PUT", "/users/create", 405),
      ("PUT", "/syncs/progress/d", 405), ("GET", "/syncs/progress/" + long, 404), ("GET", "/syncs/progress/", 404),
      ("GET", "/syncs/progress/%zz", 404), ("GET", "/healthcheck", 404),
    ] as [(String, String, JSONValue)] {
      #expect(try await reader.ask(method, path)["status"] == status, "\(method) \(path)")
    }
    #expect(try await reader.position(of: "d") == [:])
    // Numbers of other clients may be texts.
    #expect(try await reader.ask("PUT", "/syncs/progress", body("d", #""0.5""#))["status"] == 200)
    #expect(try await reader.position(of: "d")["percentage"] == 0.5)
    await bench.stop()
  }

  @Test("of very many documents the positions sent last are stored")
  func bound() async throws {
    let clock = TestClock()
    let bench = try await BookBench(clock: clock)
    let reader = try await EReader(bench.client)
    _ = try await reader.send(0.5, of: "oldest")
    clock.advance(milliseconds: 1_000)
    _ = try await reader.send(0.5, of: "second")
    await bench.stop()
    try KeepingTests.database(bench.daemon).write {
      try $0.execute(
        """
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9998)
        INSERT INTO readerPosition SELECT 'd' || n, '1', 0.5, '', '', \(clock.now.milliseconds + 1_000) + n FROM numbers;
        """)
    }
    let again = try await BookBench(in: bench.daemon.folder, clock: clock)
    let same = try await EReader(again.client, title: "Other")
    clock.advance(milliseconds: 60_000)
    _ = try await same.send(0.5, of: "newest")
    #expect(try await same.position(of: "oldest") == [:])
    for document in ["second", "d1", "d9998", "newest"] {
      #expect(try await same.position(of: document)["percentage"] == 0.5, "\(document)")
    }
    await again.stop()
  }

  @Test("a library of before has its books, and takes the places that KOReader sends")
  func migration() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(Self.metadata)
    await bench.stop()
    try OldLibraries.execute(
      "DROP TABLE readerPosition; DELETE FROM grdb_migrations WHERE identifier = 'books/006'",
      in: LibraryFolder(bench.daemon.library))
    let again = try await BookBench(in: bench.daemon.folder)
    let reader = try await EReader(again.client)
    #expect(try await reader.position(of: Self.sum) == [:])
    #expect(try await reader.send(0.5, of: Self.sum)["status"] == 200)
    #expect(try await reader.position(of: Self.sum)["percentage"] == 0.5)
    #expect(try await again.shelf()[0]["shelf"]?["progress"] == ["percent": 50])
    await again.stop()
  }
}
