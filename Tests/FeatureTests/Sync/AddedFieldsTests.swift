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
    let (place, folders) = (TemporaryFolder(), [TemporaryFolder(), TemporaryFolder()])
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
}
