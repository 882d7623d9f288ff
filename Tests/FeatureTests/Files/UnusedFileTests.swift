import Client
import Contract
import Exchange
import Foundation
import Kit
import Store
import TestSupport
import Testing
import Wire

@testable import Files

@Suite("Files: those to which nothing refers", .timeLimit(.minutes(10))) struct UnusedFileTests {
  private let clock = TestClock()

  private func add(_ name: String, to client: Client) async throws -> JSONValue {
    try await client.call(
      "files/add", ["data": .string(Data(name.utf8).base64EncodedString()), "name": .string(name)])
  }

  private func names(_ client: Client) async throws -> Set<String> {
    Set(try await client.call("files/list").items.compactMap { $0["name"]?.stringValue })
  }

  private func pass(days: Int64, on daemon: TestDaemon) async {
    clock.advance(milliseconds: days * 86_400_000)
    _ = await UnusedFiles().round(with: daemon.daemon.services)
  }

  /// Writes a text that shows a file, by the place of the text.
  private static let uses: [(place: String, write: @Sendable (DocumentBench, String) async throws -> Void)] = [
    ("entry", { _ = try await $0.client.call("diary/add", ["text": .string($1)]) }),
    ("note", { _ = try await $0.client.call("notes/add", ["text": .string($1)]) }),
    ("card", { _ = try await $0.client.call("projects/add", ["title": "Draw", "body": .string($1)]) }),
    (
      "version",
      {
        _ = try await $0.client.call("diary/add", ["id": "version", "text": .string($1)])
        _ = try await $0.client.call("diary/update", ["id": "version", "text": "A walk"])
      }
    ),
    (
      "removed item",
      {
        _ = try await $0.client.call("notes/add", ["id": "removed", "text": .string($1)])
        _ = try await $0.client.call("notes/remove", ["id": "removed"])
      }
    ),
    ("draft of an entry", { _ = try await $0.client.call("diary/draft", ["id": "e", "text": .string($1)]) }),
    ("draft of a note", { _ = try await $0.client.call("notes/draft", ["id": "n", "text": .string($1)]) }),
    ("draft of a card", { _ = try await $0.client.call("projects/draft", ["id": "c", "body": .string($1)]) }),
    (
      "unsaved text of an editor",
      {
        try await $0.write("INSERT INTO textDraft VALUES ('/diary/2026', 'x', 'nvim', ?, NULL, 0, 0)", $1)
      }
    ),
    (
      "version that an editor has open",
      { try await $0.write("INSERT INTO textBase VALUES ('b', '/diary/2026', 0, 0, 1, 'h', ?)", $1) }
    ),
    (
      "conflict",
      { bench, text in
        let services = bench.daemon.daemon.services
        try await services.library.write(as: FeatureCaller.daemon(services), label: "test") { transaction in
          var conflict = ConflictRecord()
          (conflict.id, conflict.collection, conflict.item, conflict.field) = ("x", "diary", "version", "text")
          conflict.theirs = JSONValue.object(["text": .string(text)]).description
          _ = try transaction.insert(conflict)
        }
      }
    ),
    (
      "undone step",
      {
        _ = try await $0.client.call("diary/add", ["id": "undone", "text": .string($1)])
        _ = try await $0.client.call("changes/undo")
      }
    ),
  ]

  @Test("the daemon removes a file after ninety days, but none that a text, a version, a draft or a conflict shows")
  func kinds() async throws {
    let bench = try await DocumentBench(clock: clock)
    _ = try await add("nothing", to: bench.client)
    for (place, write) in Self.uses {
      let file = try await add(place, to: bench.client)
      try await write(bench, "River \(file["markdown"]?.text ?? "")")
    }
    let places = Set(Self.uses.map(\.place))
    await pass(days: 89, on: bench.daemon)
    #expect(try await names(bench.client) == places.union(["nothing"]))
    await pass(days: 2, on: bench.daemon)
    #expect(try await names(bench.client) == places)
    // A step that was undone can be redone with its file.
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.client.call("diary/get", ["id": "undone"])["text"]?.text.hasPrefix("River") == true)
    // What was needed is inspected again, and goes with the last that shows it.
    for (area, id) in [("diary", "e"), ("notes", "n"), ("projects", "c")] {
      _ = try await bench.client.call("\(area)/discardDraft", ["id": .string(id)])
    }
    _ = try await bench.client.call("changes/forget", ["collection": "diary", "id": "version"])
    await pass(days: 29, on: bench.daemon)
    #expect(try await names(bench.client) == places)
    await pass(days: 2, on: bench.daemon)
    let left = places.subtracting(["draft of an entry", "draft of a note", "draft of a card", "version"])
    #expect(try await names(bench.client) == left)
    await bench.stop()
  }

  @Test("a removed file and its bytes survive a restart, and restoring it shows it again")
  func restored() async throws {
    let folder = TemporaryFolder()
    let first = try await DocumentBench(in: folder, clock: clock)
    let file = try await add("walk", to: first.client)
    await pass(days: 91, on: first.daemon)
    #expect(try await names(first.client) == [])
    await first.stop()
    let second = try await DocumentBench(in: folder, clock: clock)
    #expect(try await second.client.call("library/check")["ok"] == true)
    _ = try await second.client.call("changes/restore", ["id": file.id])
    let content = try await second.client.call("files/content", ["id": file.id, "inline": true])
    #expect(content["data"] == .string(Data("walk".utf8).base64EncodedString()))
    // It has just changed.
    await pass(days: 1, on: second.daemon)
    #expect(try await names(second.client) == ["walk"])
    await pass(days: 90, on: second.daemon)
    #expect(try await names(second.client) == [])
    await second.stop()
  }

  @Test("a shared library retains its files: another device may have a text that shows one")
  func shared() async throws {
    let place = TemporaryFolder()
    let device = try await SharedDevice(at: place.path, clock: clock)
    try await device.call("sync/setUp")
    _ = try await add("walk", to: device.client)
    await pass(days: 91, on: device.daemon)
    #expect(try await names(device.client) == ["walk"])
    try await device.call("sync/leave")
    await pass(days: 31, on: device.daemon)
    #expect(try await names(device.client) == [])
    await device.stop()
  }

  @Test("a write takes ten files at most, so that others wait for few")
  func fewAtATime() async throws {
    let bench = try await DocumentBench(clock: clock)
    for number in 1...25 { _ = try await add("\(number)", to: bench.client) }
    await pass(days: 91, on: bench.daemon)
    #expect(try await names(bench.client) == [])
    let sizes = try await bench.daemon.daemon.services.library.read(as: DaemonCaller()) { snapshot in
      try snapshot.db.integers(
        """
        SELECT count(*) FROM changes JOIN commits USING (clock) WHERE label = 'files/removeUnused'
        GROUP BY clock ORDER BY clock
        """)
    }
    #expect(sizes == [10, 10, 5])
    await bench.stop()
  }

  @Test("a write inspects the drafts that were stored since all were, and no older ones")
  func draftsSince() async throws {
    let bench = try await DocumentBench(clock: clock)
    let services = bench.daemon.daemon.services
    let (early, late) = (try await add("early", to: bench.client), try await add("late", to: bench.client))
    _ = try await bench.client.call("notes/draft", ["id": "n", "text": .string(early["markdown"]?.text ?? "")])
    clock.advance(milliseconds: 1_000)
    let moment = services.now().milliseconds
    _ = try await bench.client.call("diary/draft", ["id": "e", "text": .string(late["markdown"]?.text ?? "")])
    let ids = Set([early, late].compactMap { $0["id"]?.stringValue })
    try await services.library.write(as: FeatureCaller.daemon(services), label: RemoveUnusedFiles.name) {
      try UnusedFiles.remove(ids, unlessNeeded: [], orSince: ($0.snapshot.clock, moment), in: $0)
    }
    #expect(try await names(bench.client) == ["late"])
    await bench.stop()
  }

  @Test("every table of unsaved texts is asked before a file is removed")
  func draftTables() async throws {
    let bench = try await DocumentBench(clock: clock)
    let services = bench.daemon.daemon.services
    let tables = try await services.library.read(as: DaemonCaller()) { snapshot in
      try snapshot.db.texts(
        """
        SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'connection'
        WHERE m.type = 'table' AND m.name <> 'commits' ORDER BY m.name
        """)
    }
    #expect(tables == ["diaryDraft", "noteDraft", "projectDraft", "textDraft"], "a new one needs `neededFiles`")
    await bench.stop()
  }
}

extension DocumentBench {
  /// Runs a statement with one text.
  fileprivate func write(_ statement: String, _ text: String) async throws {
    let services = daemon.daemon.services
    try await services.library.write(as: FeatureCaller.daemon(services), label: "test") { transaction in
      transaction.keepSilent()
      try transaction.db.run(statement, [.text(text)])
    }
  }
}
