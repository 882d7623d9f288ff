import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Sync: fields that an earlier version did not share") struct AddedFieldsTests {
  /// Leaves a library as a version left it that did not share the priority of cards: its rows have values, the states
  /// have none.
  private static func takeBack(_ folder: TemporaryFolder, _ priorities: [String: Int]) throws {
    let updates = priorities.map { "UPDATE project SET priority = \($1) WHERE id = '\($0)';" }
    let others = "SELECT json_group_array(value) FROM json_each(ledger, '$.fields.projects') WHERE value <> 'priority'"
    try OldLibraries.execute(
      updates.joined() + "UPDATE syncSpace SET ledger = json_set(ledger, '$.fields.projects', (\(others)));",
      in: LibraryFolder(folder.file("library")))
  }

  @Test(
    "after an update each device's values stay and are sent, nobody's is emptied, and two that differ are listed",
    arguments: [false, true])
  func update(laterPhone: Bool) async throws {
    let place = TemporaryFolder()
    var (devices, folders) = try await Self.pair(at: place)
    for id in ["here", "there", "both", "none"] {
      try await devices[0].call("projects/add", ["id": .string(id), "title": .string(id)])
    }
    try await exchange(devices)
    for device in devices { await device.stop() }
    try Self.takeBack(folders[0], ["here": 1, "both": 2])
    try Self.takeBack(folders[1], ["there": 3, "both": 4])

    devices[0] = try await SharedDevice(at: place.path, in: folders[0])
    if laterPhone {
      // The other one is updated after the first has sent its values, and an edit with them.
      try await devices[0].run()
      try await devices[0].call("projects/update", ["id": "here", "priority": 5])
      try await devices[0].run()
    }
    devices[1] = try await SharedDevice(at: place.path, in: folders[1])
    // A change of another field must not empty the priority that the other device has.
    try await devices[1].call("projects/update", ["id": "here", "title": "Here"])
    try await exchange(devices)
    var priorities: [[JSONValue?]] = []
    for device in devices {
      var found: [JSONValue?] = []
      for id in ["here", "there", "none", "both"] {
        found.append(try await device.call("projects/get", ["id": .string(id)])["priority"])
      }
      priorities.append(found)
      #expect(found.prefix(3) == [laterPhone ? 5 : 1, 3, nil], "\(found)")
      let conflicts = try await device.call("changes/conflicts").items
      #expect(conflicts.map { $0["item"] } == ["both"] && conflicts.map { $0["field"] } == ["priority"], "\(conflicts)")
      let versions = [conflicts.first?["ours"]?["priority"], conflicts.first?["theirs"]?["priority"]]
      #expect(Set(versions.compactMap { $0?.integerValue }) == [2, 4])
      #expect(try await device.call("projects/get", ["id": "here"])["title"] == "Here")
    }
    #expect(priorities[0] == priorities[1])
    for device in devices { #expect(try await device.didNothing()) }
    for device in devices { await device.stop() }
  }

  /// Two devices that share a library, and their folders.
  private static func pair(at place: TemporaryFolder) async throws -> (devices: [SharedDevice], [TemporaryFolder]) {
    let folders = [TemporaryFolder(), TemporaryFolder()]
    var devices: [SharedDevice] = []
    var code: JSONValue?
    for folder in folders {
      let device = try await SharedDevice(at: place.path, in: folder)
      var params: JSONObject = [:]
      params["code"] = code
      let reply = try await device.call("sync/setUp", .object(params))
      code = code ?? reply["code"]
      devices.append(device)
    }
    return (devices, folders)
  }

  @Test("a star outlives the update of a device from the version that noted no fields, and an edit there beside it")
  func starred() async throws {
    let place = TemporaryFolder()
    var (devices, folders) = try await Self.pair(at: place)
    for id in ["early", "late"] { try await devices[0].call("diary/add", ["id": .string(id), "text": "Tea"]) }
    try await devices[0].call("diary/update", ["id": "early", "starred": true])
    try await exchange(devices)
    for device in devices { await device.stop() }
    for (index, folder) in folders.enumerated() {
      // Nobody's state has a star of the late entry. The phone was sent the other one, and could not show it.
      try OldLibraries.execute(
        """
        UPDATE syncItem SET state = json_remove(state, '$[1].f.starred') WHERE collection = 'diary' AND id = 'late';
        UPDATE syncSpace SET ledger = json_remove(ledger, '$.fields', '$.digest');
        \(index == 1 ? "UPDATE diaryEntry SET starred = 0;" : "")
        """, in: LibraryFolder(folder.file("library")))
      devices[index] = try await SharedDevice(at: place.path, in: folder)
    }
    try await devices[0].call("diary/update", ["id": "late", "starred": true])
    devices[1].daemon.clock.advance(milliseconds: 60_000)
    for id in ["early", "late"] { try await devices[1].call("diary/update", ["id": .string(id), "text": "Milk"]) }
    try await devices[1].run()
    try await exchange(devices)
    for device in devices {
      for id in ["early", "late"] {
        let entry = try await device.call("diary/get", ["id": .string(id)])
        #expect(entry["starred"] == true && entry["text"] == "Milk", "\(entry)")
      }
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      #expect(try await device.didNothing())
    }
    for device in devices { await device.stop() }
  }

  @Test("downloads outlive the update from the version that shared the list of them as one value, beside an edit there")
  func changedKind() async throws {
    let server = try ScriptedServer { request in
      if request.target == "/7.mp3" {
        return .answer(
          200, [("Content-Type", "audio/mpeg")], body: Data("ID3 ".utf8) + Data(repeating: 1, count: 5_000))
      }
      return .text(
        """
        <rss version="2.0"><channel><title>Rivers</title><item><guid>7</guid><title>Episode 7</title>
        <enclosure url="/7.mp3" type="audio/mpeg" length="5004"/></item></channel></rss>
        """)
    }
    defer { server.stop() }
    let place = TemporaryFolder()
    var (devices, folders) = try await Self.pair(at: place)
    try await devices[0].call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    try await exchange(devices)
    try await devices[1].call("boards/refresh")
    let id = try #require(try await devices[0].call("boards/posts").items.first).id
    let file = try #require(try await devices[0].call("boards/download", ["id": id])["recording"]?["file"])
    try await exchange(devices)
    for device in devices { await device.stop() }
    for (index, folder) in folders.enumerated() {
      // The phone cannot show the value, as if it had been sent it after its update: its edit carries no elements.
      try OldLibraries.execute(
        """
        UPDATE syncItem SET state = json_set(
          json_remove(state, '$[1].s'), '$[1].f.files', json_array(json_array(
            state ->> '$[1].s.files[0][1]', state ->> '$[1].s.files[0][2]', state ->> '$[1].s.files[0][3]',
            (SELECT files FROM postMark WHERE postMark.id = syncItem.id))))
        WHERE collection = 'postMarks' AND state -> '$[1].s.files' IS NOT NULL;
        UPDATE syncSpace SET ledger = json_set(json_remove(ledger, '$.digest'), '$.fields.postMarks', (
          SELECT json_group_array(replace(value, ':objects', '')) FROM json_each(ledger, '$.fields.postMarks')));
        \(index == 1 ? "UPDATE postMark SET files = '[]';" : "")
        """, in: LibraryFolder(folder.file("library")))
      devices[index] = try await SharedDevice(at: place.path, in: folder)
    }
    try await devices[1].call("boards/note", ["id": id, "note": "Heard."])
    try await exchange(devices)
    for device in devices {
      let post = try await device.call("boards/post", ["id": id])
      #expect(post["files"].list.map { $0["file"] } == [file] && post["note"] == "Heard.", "\(post)")
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      #expect(try await device.didNothing())
      await device.stop()
    }
  }

  @Test("a conflict that was resolved before the update stays resolved, though nothing was exchanged since")
  func resolved() async throws {
    let place = TemporaryFolder()
    var (devices, folders) = try await Self.pair(at: place)
    try await devices[0].call("projects/add", ["id": "a", "title": "One"])
    try await exchange(devices)
    for (device, title) in zip(devices, ["Two", "Three"]) {
      try await device.call("projects/update", ["id": "a", "title": .string(title)])
    }
    try await exchange(devices)
    #expect(try await devices[0].call("changes/conflicts").items.count == 1)
    let title = try await devices[0].call("projects/get", ["id": "a"])["title"]
    // The value that is shown stays.
    try await devices[0].call("changes/resolve", ["id": "a", "field": "title", "take": "ours"])
    await devices[0].stop()
    try Self.takeBack(folders[0], ["a": 1])
    devices[0] = try await SharedDevice(at: place.path, in: folders[0])
    try await exchange(devices)
    for device in devices {
      let conflicts = try await device.call("changes/conflicts").items
      #expect(conflicts.isEmpty, "\(conflicts)")
      let card = try await device.call("projects/get", ["id": "a"])
      #expect(card["title"] == title && card["priority"] == 1, "\(card)")
      await device.stop()
    }
  }
}
