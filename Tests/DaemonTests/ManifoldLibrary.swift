import Client
import Contract
import Features
import Foundation
import Kit
import SQLite
import Store
import TestSupport
import Testing
import Wire

/// A library with rows in nearly every table, whose rows a test replaces by impossible ones.
struct ManifoldLibrary: Sendable {
  let folder = TemporaryFolder()
  /// An item of each area, by the first part of its methods' names.
  private(set) var ids: [String: JSONValue] = [:]

  var database: String { LibraryFolder(folder.file("library")).database }
  var archive: String { folder.file("whole.tar") }

  init() async throws {
    let daemon = try await TestDaemon(in: folder)
    let client = try await daemon.client()
    try await addDocument(to: client)
    try await addTexts(to: client)
    try await addCards(to: client)
    try await addBooks(to: client)
    try await addPosts(to: client)
    _ = try await client.call("search/save", ["text": "words"])
    _ = try await client.call("search/query", ["text": "words", "remember": true])
    _ = try await client.call("library/export", ["path": .string(archive)])
    await daemon.stop()
  }

  private mutating func addDocument(to client: Client) async throws {
    let bytes = SamplePDF(pages: [.init(["a page of words"])]).bytes
    let id = try #require(
      try await client.call("documents/add", ["data": base64(bytes), "title": "one", "tags": ["t"]])["id"])
    ids["documents"] = id
    while true {
      let heard = client.received.count
      if try await client.call("documents/get", ["id": id])["state"] == "ready" { break }
      _ = try await client.firstReceived(from: heard) { frame in
        if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
      }
    }
    for (method, params) in [
      ("addHighlight", ["lines": ["a page"], "note": "n"]),
      ("addMark", ["area": ["x": 10, "y": 10, "width": 50, "height": 50]]),
      ("addMark", ["strokes": [[10, 10, 50, 50]]]),
      ("setBookmark", ["bookmarked": true, "title": "name"]), ("setMemo", ["text": "memo"]),
      ("setPosition", ["y": 0.5]),
    ] as [(String, JSONObject)] {
      _ = try await client.call(
        "documents/\(method)",
        .object(JSONObject(params.members + [.init(key: "id", value: id), .init(key: "page", value: 0)])))
    }
    _ = try await client.call(
      "documents/update", ["id": id, "bibliography": ["type": "book", "title": "one", "author": [["family": "A"]]]])
    _ = try await client.call("documents/update", ["id": id, "properties": ["name": "value"]])
    _ = try await client.call("documents/addRule", ["text": "page", "tags": ["z"], "properties": ["other": "value"]])
  }

  private mutating func addTexts(to client: Client) async throws {
    ids["notes"] = try await client.call("notes/add", ["text": "# Note one\nwords", "tags": ["t"]])["id"]
    ids["diary"] = try await client.call("diary/add", ["text": "[[Note one]] words", "tags": ["t"]])["id"]
    ids["files"] = try await client.call("files/add", ["data": .string(SamplePicture.png), "name": "a.png"])["id"]
    _ = try await client.call("notes/draft", ["text": "draft"])
    _ = try await client.call("diary/draft", ["text": "draft"])
  }

  private mutating func addCards(to client: Client) async throws {
    func add(_ params: JSONValue) async throws -> JSONValue {
      try #require(try await client.call("projects/add", params)["id"])
    }
    let card = try await add([
      "title": "card", "body": "[[Note one]]", "deadline": "2026-11-28", "time": "10:00", "start": "2026-11-01",
      "tags": ["t"], "steps": [["text": "step"]], "reminders": ["-60m", "-1d"], "priority": 3, "spent": 5,
      "recurrence": ["rule": "FREQ=DAILY;COUNT=9", "from": "completion"],
    ])
    ids["projects"] = card
    let child = try await add(["title": "child", "parent": card, "blockedBy": [card]])
    _ = try await client.call("projects/move", ["id": child, "state": "doing"])
    _ = try await client.call("projects/clock", ["id": child])
    _ = try await client.call("projects/move", ["id": add(["title": "done"]), "state": "done"])
    _ = try await client.call("projects/snooze", ["id": card, "for": "10m"])
    _ = try await client.call("projects/draft", ["title": "draft"])
    _ = try await client.call("projects/addBoard", ["title": "second"])
    let columns: JSONValue = [
      ["state": "todo", "title": "A", "isOpen": true, "limit": 3], ["state": "doing", "isOpen": true],
      ["state": "done", "isOpen": false],
    ]
    _ = try await client.call("projects/columns", ["columns": columns])
    let calendar = folder.file("calendar.ics")
    let event = ["UID:1", "DTSTART:20261127T100000Z", "DTEND:20261127T110000Z", "RRULE:FREQ=DAILY", "SUMMARY:event"]
    let lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT"] + event + ["END:VEVENT", "END:VCALENDAR", ""]
    try Data(lines.joined(separator: "\r\n").utf8).write(to: URL(filePath: calendar))
    _ = try await client.call("projects/addCalendar", ["path": .string(calendar), "every": 60])
  }

  private mutating func addBooks(to client: Client) async throws {
    let book = try await client.call(
      "books/addToShelf",
      [
        "byHand": [
          "title": "Book", "authors": ["A B"], "pageCount": 300, "series": [["name": "S", "number": 2]],
          "isbn": "9780306406157",
        ], "status": "reading", "started": "2026-01-01", "progress": ["page": 10], "rating": 4, "note": "words",
        "quotes": [["text": "q", "page": 3]], "tags": ["t"],
        "owned": true, "place": "hall", "lentTo": "Ann",
        "earlierReads": [["started": "2025-01-01", "finished": "2025-02-01", "rating": 3]],
      ])
    ids["books"] = book["book"]?["id"] ?? book["id"]
    _ = try await client.call("books/setGoal", ["year": 2026, "books": 12, "pages": 3000])
    let rows = "Title,Author\nBook two,A B\nBoook,A. B.\n,X\n"
    _ = try await client.call("books/import", ["data": base64(Array(rows.utf8)), "format": "csv"])
  }

  private mutating func addPosts(to client: Client) async throws {
    let feeds =
      #"<opml version="2.0"><body><outline text="x" type="rss" xmlUrl="http://192.0.2.1/feed"/></body></opml>"#
    _ = try await client.call("boards/import", ["data": base64(Array(feeds.utf8))])
    let text = String(repeating: "words of the page ", count: 60)
    ids["boards"] = try await client.call(
      "boards/keep",
      [
        "url": "https://example.org/a", "title": "page", "quote": "words of", "tags": ["t"],
        "html": .string("<html><body><article><h1>page</h1><p>\(text)</p></article></body></html>"),
      ])["id"]
    _ = try await client.call("boards/addRule", ["text": "words", "tags": ["z"], "save": true])
  }

  private func base64(_ bytes: [UInt8]) -> JSONValue { .string(Data(bytes).base64EncodedString()) }
}

extension ManifoldLibrary {
  /// Every method that only reads, with params that it accepts in this library, for each of its formats and collections.
  ///
  /// - Parameter folder: where exports go; new names for each call.
  func reads(writingInto folder: TemporaryFolder) -> [(method: String, params: JSONValue)] {
    var calls: [(method: String, params: JSONValue)] = []
    for route in AllFeatures.features.flatMap(\.routes) {
      let method = route.description
      guard method.effects.isSubset(of: [.reads, .files]), method.effects.contains(.reads), !method.isLanguageServer,
        case .object(let shape) = method.params, case .object(let least) = SchemaInstances.minimum(of: method.params)
      else { continue }
      for collection in shape.needs("collection") ? Array(ids.keys) as [String?] : [nil] {
        for format in formats(of: shape) {
          var params = least
          if let collection { params["collection"] = .string(collection) }
          if let format { params["format"] = .string(format) }
          if shape.needs("id") { params["id"] = ids[collection ?? method.area] ?? ids["notes"] }
          for name in ["text", "query", "quote"] where params[name] != nil { params[name] = "words" }
          if shape[field: "inline"] != nil {
            (params["path"], params["inline"]) = (nil, true)
          } else if shape.needs("path") {
            params["path"] = .string(folder.file("export-\(calls.count)"))
          }
          calls.append((method.name, .object(params)))
        }
      }
    }
    let (post, document) = (ids["boards"] ?? .null, ids["documents"] ?? .null)
    return calls + [
      ("boards/posts", ["all": true]), ("boards/posts", ["saved": true]),
      ("boards/post", ["id": post, "versions": true]),
      ("search/query", ["text": "words", "remember": false]), ("projects/list", ["sort": "urgency"]),
      ("documents/render", ["id": document, "page": 0, "width": 50]), ("books/shelf", ["sort": "rating"]),
      ("books/shelf", ["sort": "series"]),
      ("projects/agenda", ["from": "2026-11-01", "days": 30]),
    ]
  }

  /// The words of a method's `format`; only nil for a method without one.
  private func formats(of shape: ObjectShape) -> [String?] {
    guard case .choice(_, let words)? = shape[field: "format"]?.shape else { return [nil] }
    return words
  }

  /// The tables of the library with a row, without those of the index of words, and their columns.
  func columns() throws -> [(table: String, column: String)] {
    let db = try Database(path: database)
    let tables = try db.texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%'
        AND name NOT LIKE 'search_text_%' ORDER BY name
      """)
    let columns = try tables.flatMap { table -> [(table: String, column: String)] in
      let isEmpty = try db.first("SELECT 1 FROM \"\(table)\" LIMIT 1", [], { _ in true }) == nil
      return try isEmpty ? [] : db.columns(of: table).map { (table, $0) }
    }
    try db.close()
    return columns
  }
}
