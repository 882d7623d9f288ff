import Client
import Contract
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: writes between the transactions of a run") struct SharedSlicesTests {
  private static let count = 30
  private static var ids: [String] { (0..<count).map { "c\($0 < 10 ? "0" : "")\($0)" } }

  /// Two devices with the same cards, all of which the first one has changed since in one file.
  private static func devices(at place: TemporaryFolder) async throws -> (laptop: SharedDevice, phone: SharedDevice) {
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    for id in ids { try await devices[0].call("projects/add", ["id": .string(id), "title": "One"]) }
    try await exchange(devices)
    for id in ids { try await devices[0].call("projects/update", ["id": .string(id), "title": "Two"]) }
    try await devices[0].run()
    return (devices[0], devices[1])
  }

  /// Runs `body` between two transactions of the device's next run, the first time.
  private static func once(_ device: SharedDevice, _ body: @escaping @Sendable () async -> Void) {
    let sync = device.daemon.daemon.services.sync
    sync.pause = {
      sync.pause = nil
      await body()
    }
  }

  private static func titles(_ device: SharedDevice) async throws -> [String: Int] {
    let titles = try await device.call("projects/list").items.map { $0["title"].text }
    return Dictionary(grouping: titles, by: \.self).mapValues(\.count)
  }

  /// The commits of a sync that can be undone, the newest first.
  private static func undoable(_ device: SharedDevice, after clock: JSONValue?) async throws -> [JSONValue] {
    let first = clock?.integerValue ?? 0
    return try await device.call("changes/log", ["limit": 100]).items.filter {
      $0["client"] == "sync" && $0["undoable"] == true && $0["clock"]?.integerValue ?? 0 > first
    }.compactMap { $0["clock"] }
  }

  @Test("an edit between two parts of a received file wins or is listed as any other, and is on both devices")
  func edits() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    phone.daemon.clock.advance(milliseconds: 60_000)
    let failure = Mutex<(any Error)?>(nil)
    Self.once(phone) {
      do {
        // One that was received already, and one that was not.
        for id in ["c00", "c29"] {
          try await phone.call("projects/update", ["id": .string(id), "title": "Mine"])
        }
        try await phone.call("notes/add", ["id": "n", "text": "Tea"])
        #expect(try await Self.titles(phone)["One"] ?? 0 > 0)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    try await phone.run()
    if let error = failure.withLock(\.self) { throw error }
    #expect(try await Self.titles(phone) == ["Two": Self.count - 2, "Mine": 2])
    try await exchange([laptop, phone])
    #expect(try await Self.titles(laptop) == ["Two": Self.count - 2, "Mine": 2])
    for device in [laptop, phone] {
      // The first edit knew what had been received.
      #expect(try await device.call("changes/conflicts").items.map { $0["item"] } == ["c29"])
      #expect(try await device.call("notes/list").items.count == 1)
    }
    #expect(try await laptop.contents() == phone.contents())
    await laptop.stop()
    await phone.stop()
  }

  @Test("a received file is one step of undo, in however many transactions it was joined")
  func undo() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    let before = try await phone.call("changes/log", ["limit": 1]).items.first?["clock"]
    try await phone.run()
    #expect(try await Self.titles(phone) == ["Two": Self.count])
    let commits = try await Self.undoable(phone, after: before)
    #expect(commits.count == 1)
    let undone = try await phone.call("changes/undo", ["clock": try #require(commits.first)])
    #expect(undone["total"] == .integer(Int64(Self.count)))
    #expect(try await Self.titles(phone) == ["One": Self.count])
    try await exchange([laptop, phone])
    #expect(try await Self.titles(laptop) == ["One": Self.count])
    await laptop.stop()
    await phone.stop()
  }

  @Test("a transaction of a run reads what was written since the last one, and not the whole log")
  func log() async throws {
    let device = try await SharedDevice(at: TemporaryFolder().path)
    let statement = SharedCollections(device.daemon.daemon.services.library).writtenStatement
    await device.stop()
    let plan = try queryPlan(of: statement, in: device.daemon.library)
    #expect(plan.first == "SEARCH h USING PRIMARY KEY (clock>?)", "\(plan)")
    #expect(!plan.contains { $0.contains("ORDER BY") }, "\(plan)")
  }

  @Test("an undo between two parts undoes the first, stays, and the rest is a step of its own")
  func undoBetween() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    let before = try await phone.call("changes/log", ["limit": 1]).items.first?["clock"]
    let total = Mutex<Int64?>(nil)
    Self.once(phone) {
      guard let clock = try? await Self.undoable(phone, after: before).first else { return }
      let reply = try? await phone.call("changes/undo", ["clock": clock])
      total.withLock { $0 = reply?["total"]?.integerValue }
    }
    try await phone.run()
    let known = total.withLock(\.self)
    let undone = Int(try #require(known))
    #expect(undone > 0 && undone < Self.count)
    #expect(try await Self.titles(phone) == ["One": undone, "Two": Self.count - undone])
    let rest = try await Self.undoable(phone, after: before)
    #expect(rest.count == 1)
    let reply = try await phone.call("changes/undo", ["clock": try #require(rest.first)])
    #expect(reply["total"] == .integer(Int64(Self.count - undone)))
    try await exchange([laptop, phone])
    #expect(try await Self.titles(laptop) == ["One": Self.count])
    #expect(try await laptop.contents() == phone.contents())
    await laptop.stop()
    await phone.stop()
  }

  @Test("a run that ends between two parts is gone on with by the next one, and nothing is lost or there twice")
  func interrupted() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = try await Self.devices(at: place)
    let services = phone.daemon.daemon.services
    let (reached, gate) = (ServerGate(), ServerGate())
    Self.once(phone) {
      reached.open()
      await gate.opened()
    }
    let run = Task { try await services.sync.run(with: services) }
    await reached.opened()
    run.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await run.value }
    let reply = try await phone.run()
    #expect(reply["read"] == 1 && reply["received"]?.integerValue ?? 0 < Int64(Self.count))
    #expect(try await Self.titles(phone) == ["Two": Self.count])
    try await exchange([laptop, phone])
    #expect(try await laptop.contents() == phone.contents())
    #expect(try await phone.didNothing())
    await laptop.stop()
    await phone.stop()
  }

  @Test("thousands of items that were written in one commit are absorbed in parts, with the edits made meanwhile")
  func absorption() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    for number in 0..<150 { try await laptop.call("notes/add", ["id": .string("n\(number)"), "text": "Tea"]) }
    Self.once(laptop) { _ = try? await laptop.call("notes/update", ["id": "n149", "text": "Coffee"]) }
    try await laptop.run()
    try await phone.run()
    var texts: [Set<String>] = []
    for device in [laptop, phone] {
      let notes = try await device.call("notes/list", ["limit": 500]).items
      texts.append(Set(notes.map { "\($0["id"].text) \($0["title"].text)" }))
    }
    #expect(texts[0].count == 150 && texts[0] == texts[1])
    #expect(try await phone.call("notes/get", ["id": "n149"])["text"] == "Coffee")
    await laptop.stop()
    await phone.stop()
  }
}
