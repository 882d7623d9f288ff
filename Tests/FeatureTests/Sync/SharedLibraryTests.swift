import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: devices with one library") struct SharedLibraryTests {
  @Test("what is written on one device is on the other after a run, in every shared collection, and so are changes")
  func collections() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    try await laptop.call("diary/add", ["id": "e", "text": "A walk\n\nIn the woods.", "tags": ["out"]])
    try await laptop.call("notes/add", ["id": "n", "text": "# Tea\n\nGreen."])
    try await laptop.call("projects/addBoard", ["id": "g", "title": "Garden"])
    try await laptop.call(
      "projects/add",
      ["id": "a", "title": "Dig", "board": "g", "deadline": "2026-12-01", "time": "18:30", "tags": ["x", "y"]])
    try await laptop.call("projects/add", ["id": "b", "title": "Sow", "board": "g", "blockedBy": ["a"]])
    try await exchange(devices)
    #expect(try await phone.call("diary/get", ["id": "e"])["text"] == "A walk\n\nIn the woods.")
    #expect(try await phone.call("notes/get", ["id": "n"])["title"] == "Tea")
    #expect(try await phone.call("projects/get", ["id": "b"])["blockedBy"] == ["a"])
    #expect(try await laptop.contents() == phone.contents())

    try await phone.call("projects/update", ["id": "a", "title": "Dig deeper", "tags": ["y", "z"]])
    try await phone.call("projects/remove", ["id": "b"])
    try await phone.call("diary/update", ["id": "e", "text": "A walk\n\nIn the woods and back."])
    try await exchange(devices)
    let card = try await laptop.call("projects/get", ["id": "a"])
    #expect(card["title"] == "Dig deeper" && card["tags"] == ["y", "z"] && card["time"] == "18:30")
    #expect(try await laptop.client.failure("projects/get", ["id": "b"])?.kind == "notFound")
    #expect(try await laptop.contents() == phone.contents())
    for device in devices {
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      await device.stop()
    }
  }

  @Test("a link by a title leads to the same item on every device, whichever device had it first")
  func titles() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    try await phone.call("notes/add", ["id": "p", "text": "# Tea\n\nGreen."])
    for device in devices { device.daemon.clock.advance(milliseconds: 60_000) }
    try await laptop.call("notes/add", ["id": "l", "text": "# Tea\n\nBlack."])
    for device in devices { device.daemon.clock.advance(milliseconds: 60_000) }
    try await exchange(devices)
    for device in devices {
      // The older one, though it arrived on the laptop after its own.
      let resolved = try await device.call("links/resolve", ["link": "[[Tea]]"])
      #expect(resolved["candidates"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == ["p", "l"])
      let check = try await device.call("library/check")
      #expect(check["ok"] == true, "\(check)")
      await device.stop()
    }
  }

  @Test("a run with nothing to do writes no file and makes no commit")
  func nothing() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["text": "Tea"])
    try await exchange(devices)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.file("log")).sorted()
    for device in devices {
      let before = try await device.call("changes/log", ["limit": 1]).items.first
      #expect(try await device.didNothing())
      #expect(try await device.call("changes/log", ["limit": 1]).items.first == before)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.file("log")).sorted() == files)
    for device in devices { await device.stop() }
  }

  @Test("two libraries that are not empty keep all that both have")
  func bothFull() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = (try await SharedDevice(at: place.path), try await SharedDevice(at: place.path))
    try await laptop.call("notes/add", ["id": "l", "text": "From the laptop"])
    try await phone.call("notes/add", ["id": "p", "text": "From the phone"])
    try await phone.call("projects/add", ["id": "c", "title": "Call"])
    let made = try await laptop.call("sync/setUp", ["name": "laptop"])
    #expect(made["isNew"] == true && made["received"] == 0)
    let joined = try await phone.call("sync/setUp", ["code": try #require(made["code"]), "name": "phone"])
    #expect(joined["isNew"] == false && joined["code"] == nil && joined["received"] == 1)
    try await laptop.run()
    #expect(try await laptop.contents() == phone.contents())
    #expect(try await laptop.call("notes/list").items.count == 2)
    #expect(try await laptop.call("projects/list").items.map { $0["title"] } == ["Call"])
    await laptop.stop()
    await phone.stop()
  }

  @Test("text that two devices changed in different places has both changes, without a conflict")
  func mergedText() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "n", "text": "Tea\n\none\ntwo\nthree\nfour\n"])
    try await exchange(devices)
    try await devices[0].call("notes/update", ["id": "n", "text": "Tea\n\none!\ntwo\nthree\nfour\n"])
    try await devices[1].call("notes/update", ["id": "n", "text": "Tea\n\none\ntwo\nthree\nfour!\n"])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("notes/get", ["id": "n"])["text"] == "Tea\n\none!\ntwo\nthree\nfour!\n")
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      await device.stop()
    }
  }

  @Test(
    "a title that two devices changed is the newest everywhere, the other is listed, and a choice ends it everywhere",
    arguments: [("ours", "New"), ("theirs", "Old")])
  func conflict(take: String, title: String) async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("projects/add", ["id": "a", "title": "One"])
    try await exchange(devices)
    try await devices[0].call("projects/update", ["id": "a", "title": "Old"])
    devices[1].daemon.clock.advance(milliseconds: 60_000)
    try await devices[1].call("projects/update", ["id": "a", "title": "New"])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("projects/get", ["id": "a"])["title"] == "New")
      let conflicts = try await device.call("changes/conflicts").items
      #expect(conflicts.count == 1 && conflicts[0]["field"] == "title")
      #expect(conflicts.first?["ours"] == ["title": "New"] && conflicts.first?["theirs"] == ["title": "Old"])
      #expect(try await device.call("sync/status")["conflicts"] == 1)
    }
    try await devices[0].call("changes/resolve", ["id": "a", "field": "title", "take": .string(take)])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("projects/get", ["id": "a"])["title"] == .string(title))
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      await device.stop()
    }
  }

  @Test("a card that two devices have moved to one column at different times is no conflict")
  func sameColumn() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    for id in ["a", "b"] { try await devices[0].call("projects/add", ["id": .string(id), "title": "One"]) }
    try await exchange(devices)
    for (number, state) in [JSONValue("doing"), "done"].enumerated() {
      devices[number].daemon.clock.advance(milliseconds: Int64(number + 1) * 60_000)
      try await devices[number].call("projects/move", ["id": "a", "state": "done"])
      try await devices[number].call("projects/move", ["id": "b", "state": state])
    }
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("projects/get", ["id": "a"])["state"] == "done")
      let conflicts = try await device.call("changes/conflicts").items
      #expect(conflicts.map { $0["item"] } == ["b"])
      #expect(conflicts.first?["ours"]?["state"] == "done" && conflicts.first?["theirs"]?["state"] == "doing")
      await device.stop()
    }
  }

  @Test("of three titles all are in the history of every device, and the two that are not shown are listed")
  func threeTitles() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone", "server"], at: place)
    try await devices[0].call("projects/add", ["id": "a", "title": "One"])
    try await exchange(devices)
    for (number, title) in ["Old", "Middle", "New"].enumerated() {
      devices[number].daemon.clock.advance(milliseconds: Int64(number + 1) * 60_000)
      try await devices[number].call("projects/update", ["id": "a", "title": .string(title)])
    }
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("projects/get", ["id": "a"])["title"] == "New")
      let conflicts = try await device.call("changes/conflicts").items
      #expect(Set(conflicts.compactMap { $0["theirs"]?["title"]?.stringValue }) == ["Old", "Middle"])
      #expect(Set(conflicts.compactMap { $0["display"]?["source"]?.stringValue }) == ["laptop", "phone"])
    }
    let source = try #require(try await devices[0].call("changes/conflicts").items.first?["source"])
    try await devices[0].call("changes/resolve", ["id": "a", "field": "title", "take": "ours", "source": source])
    #expect(try await devices[0].call("changes/conflicts").items.isEmpty)
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      let history = try await device.call("changes/history", ["collection": "projects", "id": "a"]).items
      let former = Set(history.compactMap { $0["before"]?["title"]?.stringValue })
      #expect(former.intersection(["One", "Old", "Middle"]).count == 3, "\(former)")
      await device.stop()
    }
  }

  @Test("a value that lost comes and goes with its file, which one undo takes back")
  func undoneLoss() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("projects/add", ["id": "a", "title": "One"])
    try await exchange(devices)
    try await devices[0].call("projects/update", ["id": "a", "title": "Old"])
    devices[1].daemon.clock.advance(milliseconds: 60_000)
    try await devices[1].call("projects/update", ["id": "a", "title": "New"])
    try await devices[0].run()
    try await devices[1].run()
    let log = try await devices[1].call("changes/log", ["limit": 2]).items
    #expect(log.allSatisfy { $0["label"] == "sync/run" && $0["reason"] == "laptop" })
    let titles = try await devices[1].call("changes/history", ["collection": "projects", "id": "a"]).items
    #expect(titles.prefix(2).map { $0["before"]?["title"] } == ["Old", "New"])
    try await devices[1].call("changes/undo", ["clock": try #require(log.first?["clock"])])
    #expect(try await devices[1].call("projects/get", ["id": "a"])["title"] == "New")
    #expect(try await devices[1].call("changes/conflicts").items.isEmpty)
    for device in devices { await device.stop() }
  }

  @Test("a note of which each device has removed another half shows the newer half everywhere, and lists the other")
  func emptyMerge() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "n", "text": "Green tea\n\n\nBlack tea\n"])
    try await exchange(devices)
    try await devices[0].call("notes/update", ["id": "n", "text": "\n\nBlack tea\n"])
    devices[1].daemon.clock.advance(milliseconds: 60_000)
    try await devices[1].call("notes/update", ["id": "n", "text": "Green tea\n\n"])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("notes/get", ["id": "n"])["text"] == "Green tea\n\n")
      let conflicts = try await device.call("changes/conflicts").items
      #expect(conflicts.map { $0["theirs"] } == [["text": "\n\nBlack tea\n"]])
      #expect(try await device.call("sync/status")["hidden"] == 1)
    }
    try await devices[0].call("notes/update", ["id": "n", "text": "Tea\n"])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("notes/get", ["id": "n"])["text"] == "Tea\n")
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      #expect(try await device.call("sync/status")["hidden"] == 0)
      await device.stop()
    }
  }

  @Test(
    "a card that was removed on one device and changed on another is there, and listed until somebody decides",
    arguments: ["ours", "theirs"])
  func removedElsewhere(take: String) async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("projects/add", ["id": "a", "title": "One"])
    try await exchange(devices)
    try await devices[0].call("projects/remove", ["id": "a"])
    try await devices[1].call("projects/update", ["id": "a", "title": "Two"])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("projects/get", ["id": "a"])["title"] == "Two")
      #expect(try await device.call("changes/conflicts").items.map { $0["field"] } == ["removed"])
    }
    let refused = try await devices[0].client.failure(
      "changes/resolve", ["id": "a", "field": "removed", "take": "both"])
    #expect(refused?.code == -32602)
    try await devices[0].call("changes/resolve", ["id": "a", "field": "removed", "take": .string(take)])
    try await exchange(devices)
    for device in devices {
      let there = try await device.call("projects/list").items.map { $0["id"] }
      #expect(there == (take == "ours" ? ["a"] : []))
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      await device.stop()
    }
  }

  @Test("cards that two devices make wait for each other do not: the later edge is listed")
  func circle() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    for id in ["a", "b"] { try await devices[0].call("projects/add", ["id": .string(id), "title": .string(id)]) }
    try await exchange(devices)
    try await devices[0].call("projects/update", ["id": "a", "blockedBy": ["b"]])
    devices[1].daemon.clock.advance(milliseconds: 60_000)
    try await devices[1].call("projects/update", ["id": "b", "blockedBy": ["a"]])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("projects/get", ["id": "a"])["blockedBy"] == ["b"])
      #expect((try await device.call("projects/get", ["id": "b"])["blockedBy"] ?? []) == [])
      let conflicts = try await device.call("changes/conflicts").items
      #expect(conflicts.map { $0["item"] } == ["b"] && conflicts.first?["field"] == "blockedBy")
    }
    #expect(try await devices[0].contents() == devices[1].contents())
    for device in devices { await device.stop() }
  }

  @Test("a card that comes to a board while the board is removed brings the board back")
  func boards() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("projects/addBoard", ["id": "g", "title": "Garden"])
    try await exchange(devices)
    let removed = try await devices[0].call("projects/removeBoard", ["id": "g"])
    #expect(removed["removed"] != nil)
    try await devices[1].call("projects/add", ["id": "a", "title": "Dig", "board": "g"])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("projects/list", ["board": "g"]).items.map { $0["id"] } == ["a"])
    }
    #expect(try await devices[0].contents() == devices[1].contents())
    for device in devices { await device.stop() }
  }

  @Test("what comes from elsewhere is a commit of its own: notified, logged, searched, and not undone by undo")
  func commits() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "n", "text": "Chrysanthemum"])
    try await devices[0].run()
    try await devices[1].call("projects/add", ["id": "own", "title": "Own"])
    try await devices[1].run()
    // Setting up runs once, and is told at once; what follows within a second is told as one.
    let states = try await devices[1].client.heard("sync/didChange", atLeast: 2)
    #expect(states[0] == ["state": "running"] && states[1] == ["state": "idle", "conflicts": 0])
    let log = try await devices[1].call("changes/log", ["limit": 1]).items
    #expect(log.first?["client"] == "sync" && log.first?["label"] == "sync/run" && log.first?["reason"] == "laptop")
    let found = try await devices[1].call("search/query", ["text": "chrysanthemum"])
    #expect(found.description.contains("\"n\""))
    // The newest of this client's own, although another commit followed it.
    try await devices[1].call("changes/undo")
    #expect(try await devices[1].call("notes/list").items.count == 1)
    #expect(try await devices[1].call("projects/list").items.isEmpty)
    try await exchange(devices)
    #expect(try await devices[0].call("projects/list").items.isEmpty)
    #expect(try await devices[0].contents() == devices[1].contents())
    for device in devices { await device.stop() }
  }

  @Test("a run that is not waited for is answered at once, and goes on by itself")
  func unawaited() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[1].call("notes/add", ["id": "n", "text": "Tea"])
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    devices[1].daemon.daemon.services.sync.pause = {
      reach.yield()
      for await _ in gate {}
    }
    // It cannot end before this reply.
    let reply = try await devices[1].call("sync/run", ["wait": false])
    #expect(reply["isRunning"] == true && reply["received"] == 0 && reply["written"] == 0)
    for await _ in reached { break }
    #expect(try await devices[1].call("sync/status")["state"] == "running")
    opening.finish()
    // Joins it.
    try await devices[1].run()
    try await devices[0].run()
    #expect(try await devices[0].call("notes/list").items.map { $0["id"] } == ["n"])
    for device in devices { await device.stop() }
  }

  @Test("clients hear of pauses and of conflicts, and of several changes within a second the last one")
  func announcements() async throws {
    let place = TemporaryFolder()
    let (opened, gate) = AsyncStream<Void>.makeStream()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    let (device, sync) = (devices[0], devices[0].daemon.daemon.services.sync)
    _ = try await device.client.heard("sync/didChange", atLeast: 2)
    sync.rest = { for await _ in opened {} }
    try await device.call("sync/pause", ["paused": true])
    _ = try await device.client.heard("sync/didChange", atLeast: 3)
    for isPaused in [false, true, false] { try await device.call("sync/pause", ["paused": .bool(isPaused)]) }
    try await device.call("sync/leave")
    gate.finish()
    let states = try await device.client.heard("sync/didChange", atLeast: 4).dropFirst(2)
    #expect(states.map { $0["state"] } == ["paused", "off"])
    #expect(states.first?["conflicts"] == 0)
    await device.stop()
  }

  @Test("a recurring card that two devices finish has one next card, and an edit of it wins over its other copy")
  func recurrence() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call(
      "projects/add",
      ["id": "a", "title": "Water", "deadline": "2026-11-21", "recurrence": ["rule": "FREQ=DAILY"]])
    try await exchange(devices)
    for device in devices {
      try await device.call("projects/move", ["id": "a", "state": "done"])
      device.daemon.clock.advance(milliseconds: 5_000)
    }
    let next = try #require(try await devices[0].call("projects/list").items.first { $0["id"] != "a" }?["id"])
    try await devices[0].call("projects/update", ["id": next, "title": "Water twice"])
    try await exchange(devices)
    for device in devices {
      let open = try await device.call("projects/list").items.filter { $0["state"] != "done" }
      #expect(open.map { $0["title"] } == ["Water twice"])
      #expect(try await device.call("changes/conflicts").items.filter { $0["item"] == next }.isEmpty)
      await device.stop()
    }
  }

  @Test("a recurring card that two devices finish on different days has one next card, whose deadlines are listed")
  func recurrenceOnOtherDays() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call(
      "projects/add",
      ["id": "a", "title": "Water", "deadline": "2026-11-21", "recurrence": ["rule": "FREQ=DAILY"]])
    try await exchange(devices)
    for (device, days) in zip(devices, [0, 2] as [Int64]) {
      device.daemon.clock.advance(milliseconds: days * 86_400_000)
      try await device.call("projects/move", ["id": "a", "state": "done"])
    }
    try await exchange(devices)
    for device in devices {
      let open = try await device.call("projects/list").items.filter { $0["state"] != "done" }
      #expect(open.count == 1)
      let conflicts = try await device.call("changes/conflicts").items.filter { $0["item"] == open.first?["id"] }
      let deadlines = conflicts.filter { $0["field"]?.stringValue?.hasPrefix("deadline") == true }.flatMap {
        [$0["ours"]?["deadline"].text, $0["theirs"]?["deadline"].text]
      }
      #expect(Set(deadlines) == ["2026-11-22", "2026-11-23"])
    }
    // What is overdue is told by each device's day.
    devices[0].daemon.clock.advance(milliseconds: 2 * 86_400_000)
    #expect(try await devices[0].contents() == devices[1].contents())
    for device in devices { await device.stop() }
  }

  @Test("devices with random edits of the same few items end equal, whatever the order of their runs", arguments: 0..<6)
  func random(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone", "server"], at: place)
    for _ in 0..<40 {
      let device = devices.randomElement(using: &random)!
      device.daemon.clock.advance(milliseconds: Int64.random(in: 0...100_000, using: &random))
      let id = JSONValue.string(["a", "b", "c"].randomElement(using: &random)!)
      let word = JSONValue.string("w\(Int.random(in: 0..<1_000, using: &random))")
      let edits: [(String, JSONValue)] = [
        ("projects/add", ["id": id, "title": word]), ("projects/update", ["id": id, "title": word]),
        ("projects/update", ["id": id, "tags": [word]]), ("projects/remove", ["id": id]),
        ("projects/update", ["id": id, "blockedBy": [["a", "b", "c"].randomElement(using: &random)!]]),
        ("projects/move", ["id": id, "state": ["todo", "doing", "done"].randomElement(using: &random)!]),
        ("notes/add", ["id": id, "text": word]), ("notes/update", ["id": id, "text": word]),
        ("notes/remove", ["id": id]), ("diary/add", ["id": id, "text": word]), ("diary/remove", ["id": id]),
        ("changes/undo", [:]), ("sync/run", [:]), ("sync/run", [:]),
      ]
      let edit = edits.randomElement(using: &random)!
      // Many are refused: the item is not there, or would wait for itself.
      _ = try await device.client.failure(edit.0, edit.1)
    }
    for _ in 0..<2 { try await exchange(devices) }
    let contents = try await devices[0].contents()
    for device in devices {
      #expect(try await device.contents() == contents, "seed \(seed)")
      #expect(try await device.didNothing())
    }
    let conflicts = try await devices[0].call("changes/conflicts").items.map { $0["item"].text + $0["field"].text }
    for device in devices {
      let others = try await device.call("changes/conflicts").items.map { $0["item"].text + $0["field"].text }
      #expect(others.sorted() == conflicts.sorted(), "seed \(seed)")
      await device.stop()
    }
  }
}
