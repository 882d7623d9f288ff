import Client
import Features
import Foundation
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: setting up and leaving") struct SyncSetUpTests {
  private func kind(_ device: SharedDevice, _ method: String, _ params: JSONValue = [:]) async throws -> String? {
    try await device.client.failure(method, params)?.kind
  }

  @Test("without a target, a set-up or a code nothing runs, and each says what to do")
  func refused() async throws {
    let plain = try await TestDaemon.started()
    let client = try await plain.client()
    #expect(try await client.call("sync/status")["state"] == "off")
    #expect(try await client.failure("sync/setUp", [:])?.kind == "notAllowed")
    for method in ["sync/run", "sync/code", "sync/leave"] {
      #expect(try await client.failure(method, [:])?.kind == "notAllowed", "\(method)")
    }
    #expect(try await client.failure("sync/pause", ["paused": true])?.kind == "notAllowed")
    await client.close()
    await plain.stop()

    let place = TemporaryFolder()
    let gone = try await SharedDevice(at: place.file("nowhere"))
    #expect(try await kind(gone, "sync/setUp") == "notFound")
    await gone.stop()
  }

  @Test("a code that is wrong, of another library or missing changes nothing; the right one may be typed as people do")
  func codes() async throws {
    let place = TemporaryFolder()
    let laptop = try await SharedDevice(at: place.path)
    let phone = try await SharedDevice(at: place.path)
    #expect(try await kind(phone, "sync/setUp", ["code": "CP-12345"]) == "unauthorized")
    let code = try #require(try await laptop.call("sync/setUp")["code"])
    #expect(try await laptop.call("sync/code")["code"] == code)
    #expect(try await kind(laptop, "sync/setUp") == "exists")
    let other = TemporaryFolder()
    let stranger = try await SharedDevice(at: other.path)
    let foreign = try #require(try await stranger.call("sync/setUp")["code"])
    for params in [[:], ["code": foreign], ["code": "CP-12345"]] as [JSONValue] {
      #expect(try await kind(phone, "sync/setUp", params) == "unauthorized", "\(params)")
      #expect(try await phone.call("sync/status")["state"] == "off")
    }
    let typed = code.text.lowercased().replacing("-", with: " ")
    #expect(try await phone.call("sync/setUp", ["code": .string(typed)])["isNew"] == false)
    #expect(try await phone.call("sync/code")["code"] == code)
    for device in [laptop, phone, stranger] { await device.stop() }
  }

  @Test("a place that is given is remembered outside of the library until sync is left, and a bad one changes nothing")
  func givenTarget() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    var daemon = try await TestDaemon.started(in: folder)
    var client = try await daemon.client()
    for (params, kind) in [
      (["target": "folder"], nil), (["url": "/tmp"], nil), (["target": "folder", "url": "relative"], nil),
      (["target": "folder", "url": .string(place.file("nowhere"))], "notFound"),
      (["target": "webdav", "url": "https://ann:secret@dav.example/"], "invalidURL"),
      (["target": "s3", "url": "https://s3.example"], nil),
    ] as [(JSONValue, String?)] {
      let failure = try #require(try await client.failure("sync/setUp", params), "\(params)")
      #expect(failure.kind == kind && (kind != nil || failure.code == RPCError.Code.invalidParams), "\(failure)")
    }
    #expect(try await client.call("sync/status")["place"] == nil)
    let given: JSONValue = ["target": "folder", "url": .string(place.path), "name": "laptop"]
    #expect(try await client.call("sync/setUp", given)["isNew"] == true)
    let status = try await client.call("sync/status")
    #expect(status["place"] == .string(place.path) && status["display"]?["message"] == "All here")
    await client.close()
    await daemon.stop()
    let library = folder.file("library")
    let files = FileManager.default.enumerator(atPath: library)?.compactMap { $0 as? String } ?? []
    for file in files {
      let bytes = FileManager.default.contents(atPath: library + "/" + file) ?? Data()
      #expect(bytes.range(of: Data(place.path.utf8)) == nil, "\(file)")
    }

    daemon = try await TestDaemon.started(in: folder)
    client = try await daemon.client()
    _ = try await client.call("notes/add", ["text": "Tea"])
    #expect(try await client.call("sync/status")["display"]?["message"] == "1 item waits to be sent")
    #expect(try await client.call("sync/run")["written"] == 1)
    _ = try await client.call("sync/leave")
    #expect(try await client.call("sync/status")["place"] == nil)
    #expect(try await client.failure("sync/setUp", [:])?.kind == "notAllowed")
    await client.close()
    await daemon.stop()
    // config.toml precedes.
    let configured = try await SharedDevice(at: place.path)
    #expect(try await kind(configured, "sync/setUp", given) == "notAllowed")
    await configured.stop()
  }

  @Test("a place that takes no files is not remembered: another one can be given, and one that is in use stays")
  func refusedPlace() async throws {
    let (refusing, place) = (TemporaryFolder(), TemporaryFolder())
    // In the way of the file with which the target begins.
    try FileManager.default.createDirectory(atPath: refusing.file(".space.tmp"), withIntermediateDirectories: false)
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    func given(_ folder: TemporaryFolder, again: Bool = false) -> JSONValue {
      ["target": "folder", "url": .string(folder.path), "again": .bool(again)]
    }
    let failure = try #require(try await client.failure("sync/setUp", given(refusing)))
    #expect(failure.kind == "unreachable", "\(failure)")
    let status = try await client.call("sync/status")
    #expect(status["state"] == "off" && status["place"] == nil, "\(status)")
    #expect(try await client.call("sync/setUp", given(place))["isNew"] == true)
    #expect(try await client.failure("sync/setUp", given(refusing, again: true)) != nil)
    // Nor does a refusing place replace the code.
    let code = try await client.call("sync/code")["code"]
    let stranger = try await SharedDevice.group(["stranger"], at: TemporaryFolder())[0]
    let other = try await stranger.call("sync/code")["code"]
    await stranger.stop()
    #expect(other != code)
    let again: JSONValue = [
      "target": "folder", "url": .string(refusing.path), "again": true, "code": try #require(other),
    ]
    #expect(try await client.failure("sync/setUp", again)?.kind == "unreachable")
    #expect(try await client.call("sync/code")["code"] == code)
    #expect(try await client.call("sync/status")["place"] == .string(place.path))
    _ = try await client.call("notes/add", ["text": "Tea"])
    #expect(try await client.call("sync/run")["written"] == 1)
    await client.close()
    await daemon.stop()
  }

  @Test("two libraries of one machine have names that differ, and a given name of another device gets a number too")
  func sameName() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["host", "host", "host"], at: place)
    func names(_ device: SharedDevice) async throws -> [String] {
      try await device.call("sync/devices").items.map { $0["name"].text }
    }
    #expect(try await names(devices[1]).first == "host 2")
    try await exchange(devices)
    for (index, own) in ["host", "host 2", "host 3"].enumerated() {
      let names = try await names(devices[index])
      #expect(names.first == own && names.sorted() == ["host", "host 2", "host 3"], "\(names)")
    }
    // Whoever chooses the name of another device later has it.
    try await devices[2].call("sync/updateDevice", ["name": "host"])
    try await devices[2].call("notes/add", ["text": "Tea"])
    try await exchange(devices)
    #expect(try await names(devices[0]).filter { $0 == "host" }.count == 2)
    for device in devices { await device.stop() }
  }

  @Test("the state on one line has the other devices and the conflicts, in the language of the client")
  func line() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("projects/add", ["id": "a", "title": "One"])
    try await exchange(devices)
    for (device, title) in zip(devices, ["Two", "Three"]) {
      try await device.call("projects/update", ["id": "a", "title": .string(title)])
    }
    try await exchange(devices)
    let line = try await devices[0].call("sync/status")["display"]?["message"].text ?? ""
    #expect(line.hasPrefix("All here · phone today ") && line.hasSuffix(" · 1 conflict"), "\(line)")
    try await devices[0].call("sync/pause", ["paused": true])
    let paused = try await devices[0].call("sync/status")["display"]?["message"].text ?? ""
    #expect(paused.hasPrefix("Paused · phone"), "\(paused)")
    let conflict = try #require(try await devices[0].call("changes/conflicts").items.first?["display"])
    // Each version has the name of the device that wrote it, though that is this one.
    let authors = ["Two": "laptop", "Three": "phone"]
    #expect([conflict["ours"], conflict["theirs"]].compactMap { $0?.stringValue }.sorted() == ["Three", "Two"])
    #expect(conflict["source"]?.stringValue == authors[conflict["theirs"]?.stringValue ?? ""], "\(conflict)")
    for device in devices { await device.stop() }
  }

  @Test("the target's files have no word of the library, and the code is in no file of it")
  func sealed() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    try await devices[0].call("notes/add", ["text": "Chrysanthemum"])
    try await devices[0].run()
    let code = try await devices[0].call("sync/code")["code"].text
    func bytes(in folder: String) throws -> Data {
      try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(into: Data()) { all, name in
        all.append(Data(name.utf8))
        if let file = FileManager.default.contents(atPath: folder + "/" + name) { all.append(file) }
      }
    }
    let all = try bytes(in: place.path)
    for word in ["Chrysanthemum", "notes", "laptop", code] { #expect(all.range(of: Data(word.utf8)) == nil, "\(word)") }
    #expect(try bytes(in: devices[0].daemon.library).range(of: Data(code.utf8)) == nil)
    #expect(!devices[0].daemon.logLines.contains { $0.contains(code) || $0.contains("Chrysanthemum") })
    await devices[0].stop()
  }

  @Test("a damaged file of the space is written again by any device, and nothing else is")
  func damagedSpace() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "n", "text": "Tea"])
    try await exchange(devices)
    let file = URL(filePath: place.file("space"))
    let space = try Data(contentsOf: file)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.file("log")).sorted()
    for damage in [space.prefix(20), Data(repeating: 0, count: 56)] {
      try damage.write(to: file)
      #expect(try await kind(devices[0], "sync/run") == "corrupt")
      #expect(try await kind(devices[0], "sync/setUp") == "corrupt")
      #expect(try await devices[1].call("sync/setUp", ["again": true])["isNew"] == false)
      #expect(try Data(contentsOf: file) == space)
      try await exchange(devices)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.file("log")).sorted() == files)
    for device in devices { await device.stop() }
  }

  @Test("a target that is empty removes nothing: the run says so, and everything can be written anew")
  func emptied() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "n", "text": "Tea"])
    try await exchange(devices)
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      try FileManager.default.removeItem(atPath: place.file(name))
    }
    for device in devices {
      #expect(try await kind(device, "sync/run") == "notFound")
      let status = try await device.call("sync/status")
      #expect(status["state"] == "failed" && status["problemKey"] == "sync.targetGone")
      #expect(try await device.call("notes/list").items.count == 1)
    }
    try await devices[0].call("notes/add", ["id": "m", "text": "Milk"])
    #expect(try await devices[0].call("sync/setUp", ["again": true])["isNew"] == false)
    try await exchange(devices)
    #expect(try await devices[1].call("notes/list").items.count == 2)
    #expect(try await devices[0].contents() == devices[1].contents())
    for device in devices { await device.stop() }
  }

  @Test("another library at the same place stops the run")
  func twoSpaces() async throws {
    let place = TemporaryFolder()
    let laptop = try await SharedDevice(at: place.path)
    try await laptop.call("sync/setUp")
    let other = TemporaryFolder()
    let stranger = try await SharedDevice(at: other.path)
    try await stranger.call("sync/setUp")
    try FileManager.default.removeItem(atPath: place.file("space"))
    try FileManager.default.copyItem(atPath: other.file("space"), toPath: place.file("space"))
    #expect(try await kind(laptop, "sync/run") == "exists")
    for device in [laptop, stranger] { await device.stop() }
  }

  @Test("a device that leaves keeps its library, and may join again")
  func leave() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "n", "text": "Tea"])
    try await exchange(devices)
    let code = try #require(try await devices[1].call("sync/code")["code"])
    try await devices[1].call("sync/leave")
    #expect(try await devices[1].call("sync/status")["state"] == "off")
    #expect(try await devices[1].call("notes/list").items.count == 1)
    #expect(try await kind(devices[1], "sync/code") == "notAllowed")
    try await devices[1].call("notes/update", ["id": "n", "text": "Green tea"])
    try await devices[0].run()
    #expect(try await devices[0].call("notes/get", ["id": "n"])["text"] == "Tea")
    try await devices[1].call("sync/setUp", ["code": code])
    try await exchange(devices)
    #expect(try await devices[0].contents() == devices[1].contents())
    #expect(try await devices[0].call("notes/list").items.count == 1)
    for device in devices { await device.stop() }
  }

  @Test("each device is shown with when it was last heard, and whether it has read all")
  func devices() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[1].call("notes/add", ["text": "Tea"])
    #expect(try await devices[1].call("sync/status")["waiting"] == 1)
    try await exchange(devices)
    #expect(try await devices[1].call("sync/status")["waiting"] == 0)
    let status = try await devices[0].call("sync/status")
    #expect(status["state"] == "idle" && status["name"] == "laptop" && status["problem"] == nil)
    let listed = status["devices"]?.arrayValue ?? []
    #expect(listed.map { $0["name"] } == ["laptop", "phone"])
    #expect(listed.map { $0["isThis"] } == [true, false])
    #expect(listed.map { $0["version"] } == [1, 1])
    #expect(listed.last?["lastSeenAt"] == .string("2026-11-21T03:04:05.678Z"))
    try await devices[0].call("sync/pause", ["paused": true])
    #expect(try await devices[0].call("sync/status")["state"] == "paused")
    for device in devices { await device.stop() }
  }

  @Test("the schedule writes what waits unless its library is paused")
  func schedule() async throws {
    let (place, world) = (TemporaryFolder(), HeldServices())
    let daemon = try await TestDaemon.started(features: AllFeatures.features + [world.feature]) { settings in
      settings.configure { ($0.sync.kind, $0.sync.place, $0.sync.interval) = (.folder, place.path, .seconds(3_600)) }
    }
    daemon.daemon.startBackgroundWork()
    let services = await world.services()
    let client = try await daemon.client()
    func waitingAfterRound() async throws -> JSONValue? {
      await Self.round(with: services)
      return try await client.call("sync/status")["waiting"]
    }
    _ = try await client.call("sync/setUp", ["name": "laptop"])
    #expect(try await waitingAfterRound() == 0)
    _ = try await client.call("sync/pause", ["paused": true])
    _ = try await client.call("notes/add", ["text": "Tea"])
    #expect(try await waitingAfterRound() == 1)
    _ = try await client.call("sync/pause", ["paused": false])
    #expect(try await waitingAfterRound() == 0)
    await client.close()
    await daemon.stop()
  }

  /// The first round of a schedule of its own, which starts at once.
  private static func round(with services: Services) async {
    let isStarted = Atomic(false)
    let done = ServerGate()
    let rest = AsyncStream.makeStream(of: Void.self)
    let schedule = SyncSchedule(
      SyncSchedule.Pace(pause: { _ in
        guard isStarted.exchange(true, ordering: .relaxed) else { return }
        done.open()
        // Until it is cancelled.
        for await _ in rest.stream {}
      }))
    schedule.begin(with: services)
    await done.opened()
    schedule.end()
    rest.continuation.finish()
  }
}
