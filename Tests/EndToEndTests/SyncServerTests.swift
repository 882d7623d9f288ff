import Foundation
import TestSupport
import Testing
import Wire

/// Real daemons with libraries of their own, over real servers, while connections are cut, messages are late and repeated,
/// and daemons and servers are killed. Compared through the protocol in the end.
@Suite("Homes share a library over a folder and servers", .timeLimit(.minutes(10)))
struct SyncServerTests {
  /// `SYNC_ROUNDS=500` for a long run.
  private static let rounds = ProcessInfo.processInfo.environment["SYNC_ROUNDS"].flatMap { Int($0) } ?? 2
  private static let names = ["laptop", "phone", "tablet", "desktop"]

  @Test("four homes over a folder end equal, whatever is killed")
  func folder() async throws {
    let place = TemporaryFolder()
    let sync = "[sync]\ntarget = \"folder\"\nurl = \"\(place.path)\"\nevery = 0\n"
    let homes = try Self.names.map { _ in
      let home = CommandLineHome(hasLibrary: true)
      try home.configure(sync)
      return home
    }
    try await Self.use(homes, through: nil) {}
  }

  @Test("three homes over rclone's WebDAV server end equal, whatever is cut and killed")
  func webDAV() async throws {
    let server = try await PeerServer.webDAV()
    let proxy = try FaultyProxy(to: server.port)
    defer { proxy.stop() }
    let sync = """
      [sync]
      target = "webdav"
      url = "\(proxy.origin)/"
      credential = "cloud"
      every = 0
      """
    let homes = try Self.homes(Array(Self.names.prefix(3)), sync, at: proxy.origin, secret: "ann:tea:time")
    try await Self.use(homes, through: proxy) { try await server.restart() }
    // The server sees no word of it.
    for name in try FileManager.default.subpathsOfDirectory(atPath: server.folder) {
      let bytes = FileManager.default.contents(atPath: server.folder + "/" + name) ?? Data()
      for word in ["word one", "\"title\"", "laptop"] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name)") }
    }
  }

  @Test("two homes over moto's S3 server end equal, whatever is cut and killed")
  func s3() async throws {
    let (server, id, secret) = try await PeerServer.s3(bucket: "notes")
    let proxy = try FaultyProxy(to: server.port)
    defer { proxy.stop() }
    let sync = """
      [sync]
      target = "s3"
      url = "\(proxy.origin)"
      bucket = "notes"
      region = "us-east-1"
      prefix = "ann"
      style = "path"
      credential = "cloud"
      every = 0
      """
    let homes = try Self.homes(Array(Self.names.prefix(2)), sync, at: proxy.origin, secret: "\(id):\(secret)")
    // What moto stores dies with it.
    try await Self.use(homes, through: proxy) {}
    withExtendedLifetime(server) {}
  }

  // MARK: - Homes

  private static func homes(
    _ names: [String], _ sync: String, at origin: String, secret: String
  ) throws -> [CommandLineHome] {
    try names.map { _ in
      let home = CommandLineHome(hasLibrary: true)
      let file = home.work + "/secret"
      _ = FileManager.default.createFile(
        atPath: file, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
      try home.configure("\(sync)\n\n[credentials.cloud]\norigin = \"\(origin)\"\nfile = \"\(file)\"\n")
      return home
    }
  }

  /// Edits all, with faults, and then compares all.
  private static func use(
    _ homes: [CommandLineHome], through proxy: FaultyProxy?, killingServer: () async throws -> Void
  ) async throws {
    var random = SeededGenerator(seed: UInt64(homes.count))
    let made = try await homes[0].run(["sync", "set-up", "--name", names[0]])
    let code = try #require(try JSONParser.parse(made.output)["code"]?.stringValue, "\(made)")
    for (home, name) in zip(homes, names).dropFirst() {
      let joined = try await home.run(["sync", "join", "--name", name], input: code + "\n")
      #expect(joined.status == 0, "\(joined)")
    }
    // Notes that only their own home can take back: what it has said to be written must be everywhere in the end.
    var kept: [String: Int] = [:]
    for round in 0..<rounds {
      for (index, home) in homes.enumerated() {
        for _ in 0..<4 where try await edit(home, using: &random) == "changes/undo" {
          let there = try await noteIDs(of: home)
          kept = kept.filter { $0.value != index || there.contains($0.key) }
        }
        let id = "kept-\(index)-\(round)"
        if try await home.run(["call", "notes/add", "id=\(id)", "text=Kept"]).status == 0 { kept[id] = index }
        proxy?.cut(
          Bool.random(using: &random) ? .request : .answer, after: .random(in: 0...4_000, using: &random),
          times: .random(in: 0...2, using: &random))
        // A file that is truncated on its way is fetched again a minute later, for which `TargetPeerTests` has a clock.
        proxy?.disturb([.delay, .repetition], seed: random.next())
        let run = try home.start(["sync", "run"])
        switch Int.random(in: 0..<4, using: &random) {
        case 0: _ = await home.killDaemon()
        case 1: try await killingServer()
        default: break
        }
        // It may fail.
        _ = await run.end()
        proxy?.mend()
      }
      // Both targets have their faults, and a key is changed now and then.
      if round % 4 == 1 { try await renew(homes) }
    }
    // Daemons that start anew do not wait for a server that has failed.
    for home in homes { _ = await home.killDaemon() }
    for home in homes { try await runToEnd(home) }
    #expect(try await isQuiet(homes))
    let contents = try await contents(of: homes[0])
    #expect(contents.values.contains { !$0.isEmpty })
    let there = try await noteIDs(of: homes[0])
    #expect(!kept.isEmpty && there.isSuperset(of: kept.keys), "\(kept.keys.sorted()) \(there.sorted())")
    for (home, name) in zip(homes, names) {
      let others = try await Self.contents(of: home)
      for (collection, items) in contents { #expect(others[collection] == items, "\(name) \(collection)") }
      let status = try await home.call("sync/status")
      for member in ["waiting", "damaged", "missing", "newer"] { #expect(status[member] == 0, "\(name) \(member)") }
    }
  }

  /// Runs all until no home receives, reads or writes anything.
  private static func isQuiet(_ homes: [CommandLineHome]) async throws -> Bool {
    for _ in 0..<8 {
      var isQuiet = true
      for home in homes {
        let run = try JSONParser.parse(try await home.run(["sync", "run"]).output)
        if ["received", "read", "written"].contains(where: { run[$0] != 0 }) { isQuiet = false }
      }
      if isQuiet { return true }
    }
    return false
  }

  /// Until a server has noticed that a connection is gone whose file it holds.
  private static func runToEnd(_ home: CommandLineHome, _ words: [String] = ["run"], input: String = "") async throws {
    let end = ContinuousClock.now + .seconds(240)
    while true {
      let run = try await home.run(["sync"] + words, input: input)
      if run.status == 0 { return }
      try #require(ContinuousClock.now < end, "\(run)")
      _ = await home.killDaemon()
    }
  }

  private static func renew(_ homes: [CommandLineHome]) async throws {
    for home in homes { _ = await home.killDaemon() }
    try await runToEnd(homes[0], ["renew"])
    let code = try await homes[0].call("sync/code")["code"]?.stringValue ?? ""
    for home in homes.dropFirst() { try await runToEnd(home, ["join"], input: code + "\n") }
  }

  // MARK: - Edits

  private static let sample = SamplePDF(pages: [
    .init(["The reading club", "meets on Fridays"]), .init(["Second page"]),
  ])

  private static func noteIDs(of home: CommandLineHome) async throws -> Set<String> {
    Set((try await home.call("notes/list")["items"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue })
  }

  /// One edit of a few items that all homes share. Many are refused: the item is not there, or is there already.
  ///
  /// - Returns: its method.
  private static func edit(_ home: CommandLineHome, using random: inout SeededGenerator) async throws -> String {
    let id = JSONValue.string(["a", "b", "c"].randomElement(using: &random)!)
    let board = JSONValue.string(["default", "g1", "g2"].randomElement(using: &random)!)
    let word = "word\(Int.random(in: 0..<1_000, using: &random))"
    let text = JSONValue.string(
      "# \(word)\n\nword one\nword two \(Int.random(in: 0..<9, using: &random))\nword three\n")
    let title = JSONValue.string(word)
    let edits: [(String, JSONObject)] = [
      ("notes/add", ["id": id, "text": text]), ("notes/update", ["id": id, "text": text]), ("notes/remove", ["id": id]),
      ("diary/add", ["id": id, "text": text, "tags": [title]]), ("diary/update", ["id": id, "text": text]),
      ("diary/remove", ["id": id]), ("projects/add", ["id": id, "title": title, "tags": [title]]),
      ("projects/add", ["id": id, "title": title, "deadline": "2026-12-01"]),
      ("projects/update", ["id": id, "title": title, "body": text]), ("projects/update", ["id": id, "tags": [title]]),
      ("projects/update", ["id": id, "blockedBy": [["a", "b", "c"].randomElement(using: &random)!]]),
      ("projects/move", ["id": id, "state": ["todo", "doing", "done"].randomElement(using: &random)!]),
      ("projects/remove", ["id": id]), ("projects/addBoard", ["id": board, "title": title]),
      ("projects/updateBoard", ["id": board, "title": title]),
      (
        "projects/columns",
        ["board": board, "columns": [["state": "todo"], ["state": "doing"], ["state": "done"], ["state": title]]]
      ),
      ("books/addToShelf", ["byHand": ["title": title, "authors": ["Ann"]], "id": id, "tags": [title]]),
      ("books/updateOnShelf", ["id": id, "rating": 4, "note": text]), ("books/removeFromShelf", ["id": id]),
      ("documents/add", ["id": "d", "data": .string(Data(sample.bytes).base64EncodedString()), "title": title]),
      ("documents/update", ["id": "d", "title": title]), ("documents/remove", ["id": "d"]),
      ("documents/setMemo", ["id": "d", "page": 0, "text": text]),
      ("documents/toggleHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]]),
      ("documents/setBookmark", ["id": "d", "page": 1, "bookmarked": true]),
      ("search/save", ["id": id, "text": title]), ("search/forget", ["id": id]), ("changes/undo", [:]),
    ]
    let (method, params) = edits.randomElement(using: &random)!
    _ = try await home.run(["call", method] + params.members.map { "\($0.key):=\($0.value)" })
    return method
  }

  // MARK: - Contents

  /// What people see of what was edited.
  private static func contents(of home: CommandLineHome) async throws -> [String: [JSONValue]] {
    var contents: [String: [JSONValue]] = [:]
    for (collection, words) in [
      ("diary", ["diary/list"]), ("notes", ["notes/list"]), ("cards", ["projects/list", "allBoards:=true"]),
      ("boards", ["projects/boards", "archived:=true"]), ("books", ["books/shelf"]), ("searches", ["search/saved"]),
      ("conflicts", ["changes/conflicts"]),
    ] {
      let reply = try await home.run(["call"] + words)
      let items = try JSONParser.parse(reply.output)["items"]?.arrayValue ?? []
      contents[collection] = items.map(plain).sorted { $0.description < $1.description }
    }
    for kind in ["notes", "diary"] {
      for item in contents[kind] ?? [] {
        let whole = try await home.call("\(kind)/get", "id=\(item["id"]?.stringValue ?? "")")
        contents["\(kind) texts", default: []].append(whole["text"] ?? .null)
      }
    }
    let documents = try await home.call("documents/list")["items"]?.arrayValue ?? []
    contents["documents"] = documents.map { .array([$0["id"] ?? .null, $0["title"] ?? .null, $0["hash"] ?? .null]) }
    for (kind, members) in [("memos", ["page", "text"]), ("highlights", ["page", "text"]), ("bookmarks", ["page"])] {
      guard !documents.isEmpty else { continue }
      let marks = try await home.call("documents/\(kind)", "id=d")["items"]?.arrayValue ?? []
      contents[kind] = marks.map { mark in .array(members.map { mark[$0] ?? .null }) }.sorted {
        $0.description < $1.description
      }
    }
    for board in contents["boards"] ?? [] {
      let reply = try await home.call("projects/columns", "board=\(board["id"]?.stringValue ?? "")")
      contents["columns", default: []].append(plain(reply["columns"] ?? .null))
    }
    return contents
  }

  /// Without what each library has of its own: versions, times of arrival, counts, and which device was the other.
  private static func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      let own: Set = ["revision", "updatedAt", "display", "count", "source", "at", "createdAt"]
      return .object(
        JSONObject(object.members.filter { !own.contains($0.key) }.map { .init(key: $0.key, value: plain($0.value)) }))
    case .array(let elements): return .array(elements.map(plain))
    default: return value
    }
  }
}
