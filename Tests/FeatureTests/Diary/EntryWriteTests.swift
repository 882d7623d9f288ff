import Client
import Contract
import Display
import Features
import TestSupport
import Testing
import Wire

@Suite("Diary: many clients, undo, removal") struct EntryWriteTests {
  @Test("D11 D12 D31 a removed entry comes back as it was, with its id")
  func removal() async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("Title\nbody")
    #expect(try await bench.client.call("diary/remove", ["id": entry.id])["removed"] == entry.id)
    #expect(try await bench.titles() == [])
    _ = try await bench.client.call("changes/undo")
    let back = try await bench.get(entry.id)
    for field in ["text", "day", "timeZone", "writtenAt", "createdAt"] { #expect(back[field] == entry[field]) }
    _ = try await bench.client.call("changes/redo")
    #expect(try await bench.client.failure("diary/get", ["id": entry.id])?.data?["kind"] == "notFound")
    await bench.stop()
  }

  @Test("D26 all entries go with the confirm of a dry run that is still true, and one undo brings all of them back")
  func removeAll() async throws {
    let bench = try await DiaryBench()
    let adding = (1...700).map { ["text": .string("entry \($0)"), "day": "2026-01-02"] as JSONValue }
    for params in adding { _ = try await bench.client.call("diary/add", params) }
    #expect(try await bench.client.failure("diary/removeAll")?.data?["field"] == "confirm")
    let stale = try #require(try await bench.client.call("diary/removeAll", ["dryRun": true])["confirm"])
    try await bench.add("one more")
    #expect(try await bench.client.failure("diary/removeAll", ["confirm": stale])?.data?["field"] == "confirm")
    let asked = try await bench.client.call("diary/removeAll", ["dryRun": true])
    #expect(asked["count"] == 701)
    #expect(try await bench.client.call("diary/removeAll", ["confirm": asked["confirm"]!])["removed"] == 701)
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("diary/list")["total"] == 701)
    await bench.stop()
  }

  @Test(
    "a stale revision is refused with the entry as it is; without one, different fields merge and the later text wins")
  func conflicts() async throws {
    let bench = try await DiaryBench()
    let other = try await bench.daemon.client(name: "other")
    let entry = try await bench.add("one")
    let mine = try await bench.client.call("diary/update", ["id": entry.id, "text": "two"])
    let stale: JSONValue = ["id": entry.id, "text": "three", "ifRevision": entry["revision"]!]
    let failure = try await other.failure("diary/update", stale)
    #expect(failure?.data?["kind"] == "conflict" && failure?.data?["current"]?["text"] == "two")
    #expect(failure?.data?["current"]?["revision"] == mine["revision"])
    let removal = try await other.failure("diary/remove", ["id": entry.id, "ifRevision": entry["revision"]!])
    #expect(removal?.data?["kind"] == "conflict")
    _ = try await other.call("diary/update", ["id": entry.id, "day": "2026-01-01"])
    let merged = try await bench.client.call("diary/update", ["id": entry.id, "text": "three"])
    #expect(merged["text"] == "three" && merged["day"] == "2026-01-01")
    _ = try await other.call("diary/update", ["id": entry.id, "text": "four"])
    let history = try await other.call("changes/history", ["collection": "diary", "id": entry.id])
    #expect(history.items.compactMap { $0["before"]?["text"] } == ["three", "two", "one"])
    // The other's text stands there now, so mine cannot be taken back in silence.
    #expect(try await bench.client.failure("changes/undo")?.data?["kind"] == "conflict")
    await bench.stop()
  }

  @Test("D27 every client is told which entries came, changed and went")
  func told() async throws {
    let bench = try await DiaryBench()
    let other = try await bench.daemon.client()
    let entry = try await bench.add("one")
    _ = try await bench.client.call("diary/update", ["id": entry.id, "text": "two"])
    _ = try await bench.client.call("diary/remove", ["id": entry.id])
    _ = try await other.call("session/sync")
    let changes = other.commits.flatMap { $0["changes"].list }
    // Commits may be merged before they are told; what is told leads to the same.
    #expect(changes.allSatisfy { $0["collection"] == "diary" && $0["id"] == entry.id })
    #expect(
      bench.client.commits.flatMap { $0["changes"].list.map { $0["kind"].text } } == ["added", "updated", "removed"])
    #expect(bench.client.commits[1]["changes"].list[0]["fields"] == ["text"])
    await bench.stop()
  }

  @Test(
    "D20 D25 entries are the same in a library, in the same one opened again, and in another that took its archive over"
  )
  func conformance() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    for (id, day) in [("0192F0C1-7B1E-7000-8000-00000000000A", "2026-11-20"), ("short", "2026-11-21")] {
      try await bench.add("Title \(id)\nbody", day: day, id: id)
    }
    func state(of client: Client) async throws -> [JSONValue] {
      var state: [JSONValue] = []
      for item in try await client.call("diary/list").items {
        let entry = try await client.call("diary/get", ["id": item.id])
        for field in ["id", "text", "day", "timeZone", "writtenAt", "createdAt"] { state.append(entry[field] ?? .null) }
      }
      return state
    }
    let expected = try await state(of: bench.client)
    let archive = bench.daemon.folder.file("archive.tar")
    _ = try await bench.client.call("library/export", ["path": .string(archive)])
    await bench.stop()
    let reopened = try await DiaryBench(in: bench.daemon.folder)
    #expect(try await state(of: reopened.client) == expected)
    let another = try await DiaryBench()
    _ = try await another.client.call("library/import", ["path": .string(archive)])
    #expect(try await state(of: another.client) == expected)
    for bench in [reopened, another] {
      _ = try await bench.client.call("diary/update", ["id": "short", "text": "found by its id"])
      #expect(try await bench.titles(["from": "2026-11-21"]) == ["found by its id"])
      #expect(try await bench.client.failure("diary/get", ["id": "SHORT"])?.data?["kind"] == "notFound")
      await bench.stop()
    }
  }

  @Test("D21 what reads an entry can write none: each method says which of the two it does, and is run as it says")
  func readingAndManaging() throws {
    let diary = try #require(AllFeatures.features.first { $0.name == "diary" })
    for route in diary.routes {
      let writes = !route.description.effects.isDisjoint(with: [.writes, .destroys])
      switch route.body {
      case .read: #expect(!writes, "\(route.name)")
      case .write, .longWrite: #expect(writes, "\(route.name)")
      case .external, .detached, .control: break
      }
    }
  }

  @Test("lines are appended to an entry, to the last one written of a day, or make the day's first")
  func append() async throws {
    let bench = try await DiaryBench()
    let first = try await bench.client.call("diary/append", ["text": "- Rain at last."])
    #expect(first["text"] == "- Rain at last.")
    #expect(try await bench.client.call("diary/list", ["from": "today", "to": "today"]).items.map(\.id) == [first.id])
    let again = try await bench.client.call("diary/append", ["text": "- And sun.", "day": "today"])
    #expect(again.id == first.id && again["text"] == "- Rain at last.\n- And sun.")
    let old = try await bench.add("An old day\r\n", day: "2020-02-29")
    bench.daemon.clock.advance(milliseconds: 1_000)
    let later = try await bench.add("Its evening\r\nwith friends", day: "2020-02-29")
    let evening = try await bench.client.call("diary/append", ["day": "2020-02-29", "text": "who sang"])
    #expect(evening.id == later.id && evening["text"] == "Its evening\r\nwith friends\r\nwho sang")
    let named = try await bench.client.call(
      "diary/append", ["id": old.id, "text": "and its noon", "ifRevision": old["revision"] ?? .null])
    #expect(named["text"] == "An old day\r\nand its noon" && named["day"] == "2020-02-29")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get(old.id)["text"] == "An old day\r\n")

    let late: JSONValue = ["id": old.id, "text": "x", "ifRevision": 1]
    #expect(try await bench.client.failure("diary/append", late)?.kind == "conflict")
    #expect(try await bench.client.failure("diary/append", ["text": " \n"])?.data?["field"] == "text")
    #expect(try await bench.client.failure("diary/append", ["id": "none", "text": "x"])?.kind == "notFound")
    let long = String(repeating: "a", count: 999_999)
    #expect(try await bench.client.failure("diary/append", ["id": old.id, "text": .string(long)])?.code == -32602)
    #expect(try await bench.client.call("diary/list")["total"] == 3)
    await bench.stop()
  }

  @Test("lines are appended to the last entry of a day only if that has the revision that is given")
  func appendAtRevision() async throws {
    let bench = try await DiaryBench()
    let none = try await bench.client.failure("diary/append", ["text": "x", "ifRevision": 1])
    #expect(none?.code == -32602 && none?.data?["field"] == "ifRevision")
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    let entry = try await bench.client.call("diary/append", ["text": "one"])
    let revision = try #require(entry["revision"]?.integerValue)
    for day in [JSONObject(), ["day": "today"]] {
      var params: JSONObject = ["text": "x", "ifRevision": .integer(revision - 1)]
      for member in day.members { params[member.key] = member.value }
      #expect(try await bench.client.failure("diary/append", .object(params))?.kind == "conflict")
    }
    let more = try await bench.client.call("diary/append", ["text": "two", "ifRevision": .integer(revision)])
    #expect(more.id == entry.id && more["text"] == "one\ntwo")
    await bench.stop()
  }
}
