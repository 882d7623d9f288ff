import Client
import TestSupport
import Testing
import Wire

/// Notes of what was looked for, on their way into the library.
@Suite("Searches: notes") struct SearchNoteTests {
  /// Nobody comes for the notes by himself until `gate` is open.
  private static func bench(_ gate: ServerGate, in folder: TemporaryFolder = TemporaryFolder()) async throws
    -> QueryBench
  {
    let daemon = try await TestDaemon.started(in: folder) { settings in settings.pause = { _ in await gate.opened() } }
    return QueryBench(daemon: daemon, client: try await daemon.client())
  }

  private static func clock(_ bench: QueryBench) async throws -> Int64? {
    try await bench.client.call("session/sync")["clock"]?.integerValue
  }

  @Test("M26 many questions cost one commit, which clients hear of and the log of changes does not tell")
  func together() async throws {
    let gate = ServerGate()
    let bench = try await Self.bench(gate)
    try await bench.write("river", id: "entry")
    let before = try #require(try await Self.clock(bench))
    for number in 0..<20 { _ = try await bench.ask("river \(number)") }
    #expect(try await Self.clock(bench) == before)
    // Who looks at the history sees all of it.
    let history = try await bench.client.call("search/history").items
    #expect(history.map { $0["text"] } == (0..<20).reversed().map { .string("river \($0)") })
    #expect(try await Self.clock(bench) == before + 1)
    let heard = bench.client.commits.last?["changes"].list ?? []
    #expect(heard.count == 20 && heard.allSatisfy { $0["collection"] == "searches" && $0["kind"] == "added" })
    let log = try await bench.client.call("changes/log")
    #expect(log.items.map { $0["label"] } == ["diary/add"] && log["total"] == 1)
    // Nor do they stand before what can be taken back.
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.ask("river")["total"] == 0)
    gate.open()
    await bench.stop()
  }

  @Test("M26 notes do not wait for long, nor where many wait")
  func soon() async throws {
    let gate = ServerGate()
    let bench = try await Self.bench(gate)
    let before = try #require(try await Self.clock(bench))
    for number in 0..<64 { _ = try await bench.ask("river \(number)") }
    // What is written behind them comes after them.
    try await bench.write("river", id: "entry")
    #expect(try await Self.clock(bench) == before + 2)
    _ = try await bench.ask("water")
    gate.open()
    while try await Self.clock(bench) != before + 3 { await Task.yield() }
    #expect(bench.client.commits.last?["changes"].list.map { $0["kind"] } == ["added"])
    await bench.stop()
  }

  @Test("M26 what waits when the daemon ends is in the history of the next one, and what was forgotten is not")
  func ended() async throws {
    let gate = ServerGate()
    let bench = try await Self.bench(gate)
    try await bench.write("river", id: "entry")
    _ = try await bench.ask("secret one")
    #expect(try await bench.client.call("search/forget", ["all": true])["count"] == 0)
    _ = try await bench.ask("river")
    _ = try await bench.client.call("boards/search", ["query": "water"])
    await bench.stop()
    let again = try await Self.bench(gate, in: bench.daemon.folder)
    #expect(try await again.client.call("search/history").items.map { $0["text"] } == ["water", "river"])
    let offered = try await again.client.call("search/suggest", ["scope": "library", "text": ""])
    #expect(offered["state"] == "history" && offered["history"].list.map { $0["text"] } == ["river"])
    gate.open()
    await again.stop()
  }

  @Test("M21 M27 what was just looked for is offered at once, and one that was forgotten does not come back")
  func offered() async throws {
    let gate = ServerGate()
    let bench = try await Self.bench(gate)
    try await bench.write("river", id: "entry")
    _ = try await bench.ask("river")
    let offered = try await bench.client.call("search/suggest", ["scope": "library", "text": ""])
    #expect(offered["history"].list.map { $0["text"] } == ["river"])
    _ = try await bench.ask("RIVER")
    _ = try await bench.client.call("search/forget", ["id": offered["history"].list[0].id])
    #expect(try await bench.client.call("search/history").items.isEmpty)
    gate.open()
    await bench.stop()
  }
}
