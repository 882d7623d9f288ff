import Client
import Foundation
import Kit
import SQLite
import Store
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: versions that were forgotten") struct ForgottenItemsTests {
  private static let hour: Int64 = 3_600_000

  /// Two devices, of which the phone has replaced a text of the laptop.
  private static func devices(at place: TemporaryFolder) async throws -> (laptop: SharedDevice, phone: SharedDevice) {
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("notes/add", ["id": "n", "text": "The old secret"])
    try await exchange(devices)
    for device in devices { device.daemon.clock.advance(milliseconds: 60_000) }
    return (devices[0], devices[1])
  }

  /// Two libraries with an item each, of which the laptop's is shared and the phone's has not joined yet.
  private static func apart(at place: TemporaryFolder) async throws -> (laptop: SharedDevice, phone: SharedDevice) {
    let (laptop, phone) = (try await SharedDevice(at: place.path), try await SharedDevice(at: place.path))
    try await write("a", on: laptop)
    try await write("b", on: phone)
    try await laptop.call("sync/setUp", ["name": "laptop"])
    return (laptop, phone)
  }

  /// The old version of an item on the phone goes once the laptop forgets all of an hour later.
  private func expectForgotten(_ id: String, on phone: SharedDevice, from laptop: SharedDevice) async throws {
    for device in [laptop, phone] { device.daemon.clock.advance(milliseconds: Self.hour) }
    try await Self.forgetAll(before: laptop.daemon.clock.now.description, on: laptop)
    try await exchange([laptop, phone])
    #expect(try await !Self.keepsDraft(id, on: phone))
  }

  private static func history(_ device: SharedDevice) async throws -> String {
    try await device.call("changes/history", ["collection": "notes", "id": "n"]).description
  }

  /// The lines of all files at the target.
  private static func lines(_ device: SharedDevice, at place: TemporaryFolder) async throws -> [String] {
    let secret = try SpaceSecret(code: try await device.call("sync/code")["code"].text)
    let bytes = Array(FileManager.default.contents(atPath: place.file("space")) ?? Data())
    let sealing = try Space(bytes, generation: 1).sealing(secret)
    return try FileManager.default.contentsOfDirectory(atPath: place.file("log")).flatMap { name in
      let bytes = Array(FileManager.default.contents(atPath: place.file("log/" + name)) ?? Data())
      let file = try #require(FileName(name)).file
      return try LogFile(sealing.open(bytes, as: file)).items.map {
        String(decoding: StateLine.canonical($0.key, $0.state), as: UTF8.self)
      }
    }
  }

  @Test("old versions that one device forgets are forgotten on the others, and leave the target within nine days")
  func forgotten() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    try await phone.call("notes/update", ["id": "n", "text": "Tea"])
    try await exchange([phone, laptop])
    #expect(try await Self.history(laptop).contains("secret"))
    #expect(try await Self.history(phone).contains("secret"))
    #expect(try await Self.lines(laptop, at: place).contains { $0.contains("secret") })

    try await laptop.call("changes/forget", ["collection": "notes", "id": "n"])
    try await exchange([laptop, phone])
    for device in [laptop, phone] {
      #expect(try await !Self.history(device).contains("secret"))
      #expect(try await device.call("notes/get", ["id": "n"])["text"] == "Tea")
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      #expect(try await device.didNothing())
    }
    for _ in 0..<9 {
      for device in [laptop, phone] {
        device.daemon.clock.advance(milliseconds: 25 * Self.hour)
        try await device.run()
      }
    }
    let lines = try await Self.lines(laptop, at: place)
    #expect(lines.contains { $0.contains("Tea") })
    #expect(!lines.contains { $0.contains("secret") })
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("what another device replaces before it hears of it is forgotten too, and what is written there later stays")
  func later() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    try await laptop.call("notes/update", ["id": "n", "text": "Tea"])
    try await laptop.call("changes/forget", ["collection": "notes", "id": "n"])
    phone.daemon.clock.advance(milliseconds: Self.hour)
    for text in ["Coffee", "Coffee with milk"] {
      try await phone.call("notes/update", ["id": "n", "text": .string(text)])
    }
    try await exchange([laptop, phone])
    let history = try await Self.history(phone)
    #expect(!history.contains("secret") && history.contains("Coffee"))
    #expect(try await !Self.history(laptop).contains("secret"))
    #expect(try await laptop.contents() == phone.contents())
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("a removed item that one device forgets is restored by none, and its values are in no state")
  func removed() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    try await laptop.call("notes/remove", ["id": "n"])
    try await laptop.call("changes/forget", ["collection": "notes", "id": "n"])
    try await exchange([laptop, phone])
    for device in [laptop, phone] {
      #expect(try await device.client.failure("changes/restore", ["collection": "notes", "id": "n"]) != nil)
      #expect(try await device.call("notes/list").items.isEmpty)
      #expect(try await device.didNothing())
    }
    for _ in 0..<9 {
      for device in [laptop, phone] {
        device.daemon.clock.advance(milliseconds: 25 * Self.hour)
        try await device.run()
      }
    }
    #expect(try await !Self.lines(laptop, at: place).contains { $0.contains("secret") })
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("all versions before a moment are forgotten on all devices")
  func all() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    try await phone.call("notes/update", ["id": "n", "text": "Tea"])
    try await exchange([phone, laptop])
    for device in [laptop, phone] { device.daemon.clock.advance(milliseconds: Self.hour) }
    try await laptop.call("notes/update", ["id": "n", "text": "Coffee"])
    let moment = laptop.daemon.clock.now.adding(milliseconds: -1_000)
    try await laptop.call("changes/forget", ["before": .string(moment.description)])
    try await exchange([laptop, phone])
    for device in [laptop, phone] {
      let history = try await Self.history(device)
      #expect(!history.contains("secret") && history.contains("Tea"))
      await device.stop()
    }
  }

  /// Writes a note with an old version.
  private static func write(_ id: String, on device: SharedDevice) async throws {
    try await device.call("notes/add", ["id": .string(id), "text": "The old draft"])
    device.daemon.clock.advance(milliseconds: 60_000)
    try await device.call("notes/update", ["id": .string(id), "text": "Tea"])
    device.daemon.clock.advance(milliseconds: 60_000)
  }

  private static func forgetAll(before moment: String, on device: SharedDevice) async throws {
    try await device.call("changes/forget", ["before": .string(moment)])
  }

  private static func keepsDraft(_ id: String, on device: SharedDevice) async throws -> Bool {
    try await device.call("changes/history", ["collection": "notes", "id": .string(id)]).description.contains("draft")
  }

  private static func join(_ device: SharedDevice, _ other: SharedDevice) async throws {
    let code = try await other.call("sync/code")["code"].text
    try await device.call("sync/setUp", ["name": "phone", "code": .string(code)])
  }

  @Test("what a library forgot before it joined is forgotten on none of the devices that it joins")
  func forgottenBeforeJoining() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = (try await SharedDevice(at: place.path), try await SharedDevice(at: place.path))
    try await Self.write("a", on: laptop)
    try await Self.write("b", on: phone)
    try await Self.forgetAll(before: phone.daemon.clock.now.description, on: phone)
    #expect(try await !Self.keepsDraft("b", on: phone))
    try await laptop.call("sync/setUp", ["name": "laptop"])
    try await Self.join(phone, laptop)
    try await exchange([laptop, phone])
    #expect(try await Self.keepsDraft("a", on: laptop))
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("a library that joins keeps its old versions, though others forgot theirs before, until they forget once more")
  func joinedLater() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.apart(at: place)
    try await Self.forgetAll(before: laptop.daemon.clock.now.description, on: laptop)
    try await laptop.run()
    for device in [laptop, phone] { device.daemon.clock.advance(milliseconds: Self.hour) }
    try await Self.join(phone, laptop)
    try await exchange([laptop, phone])
    #expect(try await Self.keepsDraft("b", on: phone))

    try await expectForgotten("b", on: phone, from: laptop)
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("a moment that is to come does not forget what is replaced after it was received")
  func momentToCome() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    try await Self.forgetAll(before: "2999-01-01T00:00:00Z", on: laptop)
    try await exchange([laptop, phone])
    for device in [laptop, phone] { device.daemon.clock.advance(milliseconds: Self.hour) }
    try await Self.write("a", on: phone)
    try await Self.forgetAll(before: "2020-01-01T00:00:00Z", on: laptop)
    try await exchange([laptop, phone])
    #expect(try await Self.keepsDraft("a", on: phone))
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("what a device forgets whose clock is years ahead is forgotten once on the others, and not for years")
  func clockAhead() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    laptop.daemon.clock.advance(milliseconds: 3 * 365 * 24 * Self.hour)
    try await laptop.call("notes/update", ["id": "n", "text": "Tea"])
    try await laptop.call("changes/forget", ["collection": "notes", "id": "n"])
    try await exchange([laptop, phone])
    #expect(try await !Self.history(phone).contains("secret"))
    phone.daemon.clock.advance(milliseconds: Self.hour)
    for text in ["The draft", "Coffee"] {
      try await phone.call("notes/update", ["id": "n", "text": .string(text)])
      phone.daemon.clock.advance(milliseconds: Self.hour)
    }
    try await exchange([phone, laptop])
    try await laptop.call("notes/update", ["id": "n", "text": "Milk"])
    try await exchange([laptop, phone])
    #expect(try await Self.history(phone).contains("draft"))
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("what a device whose clock is ahead forgot in all items concerns no library that joins later")
  func clockAheadBeforeJoin() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.apart(at: place)
    laptop.daemon.clock.advance(milliseconds: 5 * Self.hour)
    try await Self.forgetAll(before: laptop.daemon.clock.now.description, on: laptop)
    try await laptop.run()
    try await Self.join(phone, laptop)
    try await exchange([laptop, phone])
    #expect(try await Self.keepsDraft("b", on: phone))
    // What it forgets once it may know the other library is forgotten there.
    try await expectForgotten("b", on: phone, from: laptop)
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("two hundred removed documents are forgotten with their marks, and the marks of others stay")
  func manyDocuments() async throws {
    let daemon = try await TestDaemon.started()
    let services = daemon.daemon.services
    try await services.library.write(as: FeatureCaller.daemon(services), label: "changes/forget") { transaction in
      try transaction.db.run(
        """
        WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
        INSERT INTO changes (clock, place, collection, id, kind, revision, fields, before)
        SELECT 0, n, 'highlights', 'h' || n, 'removed', 1, '', json_object('document', 'd' || (n % 400)) FROM number
        """)
      let documents = (0..<200).map { ("documents", "d\($0)", transaction.now) }
      try transaction.forget(documents, isReceived: "0")
    }
    let left = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      try snapshot.db.first("SELECT count(*) FROM changes WHERE clock = 0 AND before IS NOT NULL") { $0.integer(0) }
    }
    #expect(left == 5_000)
    await daemon.stop()
  }
}
