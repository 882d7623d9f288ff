import Foundation
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: a year of ordinary use") struct OrdinaryYearTests {
  /// `SYNC_YEAR=FILE` for 300 days, and for the bytes of target and library in this file.
  private static let file = ProcessInfo.processInfo.environment["SYNC_YEAR"]
  private static let schema = SyncSchema(
    version: 1,
    [
      "notes": SyncedCollection(["text": .text, "tags": .set]),
      "cards": SyncedCollection(["title": .latest, "state": .latest, "rank": .quiet, "body": .text]),
    ])

  /// A device as far as sizes are concerned: states and files, without rows.
  private struct Device {
    var ledger: FileLedger
    var states = SimulatedStates()
    var random: SeededGenerator
    let sealing: SpaceSealing
    let number: Int
    private var clock: Int64 = 0

    init(_ number: Int, _ sealing: SpaceSealing) {
      random = SeededGenerator(seed: UInt64(number))
      (self.number, self.sealing) = (number, sealing)
      ledger = FileLedger(WriterIdentity(boot: "0", device: "d\(number)", epoch: "e"), using: &random)
    }

    private func row(_ key: ItemKey, _ state: ItemState) -> SyncedRow? {
      LibraryView([key: state], schema: OrdinaryYearTests.schema).rows[key]
    }

    mutating func edit(_ key: ItemKey, at now: Int64, _ body: (inout SyncedRow) -> Void) {
      guard let collection = OrdinaryYearTests.schema.collections[key.collection] else { return }
      let state = states.all[key]
      let old = state.flatMap { row(key, $0) }
      var new = old ?? [:]
      body(&new)
      clock += 1
      var items: [ByteKey: ItemState] = state.map { [key.id: $0] } ?? [:]
      Absorption(collection, ledger.stamp(clock: clock, at: now)).update(&items, of: key, from: old, to: new)
      for (id, state) in items { states.write(state, of: ItemKey(key.collection, id)) }
    }

    /// Starts the machine, so that it writes as another writer.
    mutating func start(on day: Int) {
      ledger.begin(WriterIdentity(boot: "\(day)", device: "d\(number)", epoch: "e"), using: &random)
    }

    mutating func run(_ store: inout SimulatedStore, at now: Int64) {
      var run = SyncRun(policy: SyncPolicy(), sealing: sealing, device: ("d\(number)", "device \(number)", 1))
      while let step = run.next(&ledger, &states, now: now, using: &random) {
        run.finish(step, store.perform(step, .none, &random), &ledger, &states, now: now, using: &random)
      }
    }

    /// The bytes of all items, as a client gets them.
    var liveBytes: Int {
      states.all.reduce(0) { sum, item in
        let members = (row(item.key, item.value) ?? [:]).map { JSONObject.Member(key: $0.key.text, value: $0.value) }
        return sum + JSONValue.object(JSONObject(members)).description.utf8.count
      }
    }
  }

  @Test("the target of three devices that are started each day has at most twice the bytes of what the library has")
  func year() throws {
    let (days, hour) = (Self.file == nil ? 40 : 300, SyncPolicy.hour)
    let secret = try #require(SpaceSecret(bytes: (0..<16).map { UInt8($0) }))
    let sealing = Space(secret: secret).sealing(secret)
    var random = SeededGenerator(seed: 7)
    let words = (0..<3_000).map { _ in
      String((0..<Int.random(in: 2...9, using: &random)).map { _ in "etaoinshrdlucmfw".randomElement(using: &random)! })
    }
    func sentence(_ count: ClosedRange<Int>) -> String {
      // Some words are more frequent than others.
      (0..<Int.random(in: count, using: &random)).map { _ in
        words[min(Int.random(in: 0..<words.count, using: &random), Int.random(in: 0..<words.count, using: &random))]
      }.joined(separator: " ") + ".\n"
    }
    var (devices, store) = ((1...3).map { Device($0, sealing) }, SimulatedStore())
    var now: Int64 = 1_790_000_000_000
    var notes: [ItemKey] = []
    func add(_ index: Int) {
      let key = ItemKey("notes", ByteKey("0192f0c4-5d1e-7a00-8000-\(100_000_000_000 + notes.count)"))
      notes.append(key)
      let text = sentence(80...300)
      devices[index].edit(key, at: now) { ($0["text"], $0["tags"]) = (.string(text), ["home"]) }
    }
    for _ in 0..<400 { add(0) }
    for device in devices.indices { devices[device].run(&store, at: now) }
    var sizes: [Double] = []
    for day in 0..<days {
      for index in devices.indices { devices[index].start(on: day) }
      for session in 0..<3 {
        for index in devices.indices {
          now += 2 * hour
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<2: add(index)
            case 2..<7:
              // Most edits are of what was written lately.
              guard let key = notes.suffix(40).randomElement(using: &random) else { continue }
              let line = sentence(4...20)
              devices[index].edit(key, at: now) { $0["text"] = .string(($0["text"]?.stringValue ?? "") + line) }
            default:
              let card = ItemKey("cards", ByteKey("card \(Int.random(in: 0..<200, using: &random))"))
              let title = sentence(3...8)
              devices[index].edit(card, at: now) {
                ($0["title"], $0["state"], $0["rank"]) = (.string(title), .string("\(session)"), .integer(now))
              }
            }
          }
          devices[index].run(&store, at: now)
        }
      }
      now += 6 * hour
      if day % 10 == 9 {
        let bytes = store.files.values.reduce(0) { $0 + $1.count }
        let live = devices[0].liveBytes
        sizes.append(Double(bytes) / Double(live))
        if let file = Self.file { try Data("\(bytes) \(live)".utf8).write(to: URL(filePath: file)) }
      }
    }
    #expect(sizes.allSatisfy { $0 <= 2 }, "\(sizes)")
    for _ in 0..<2 { for index in devices.indices { devices[index].run(&store, at: now) } }
    #expect(devices.allSatisfy { $0.states.bytes == devices[0].states.bytes })
    // Each was another writer each day, and says of the others' former writers no more than their names.
    #expect(devices.allSatisfy { $0.ledger.seen.upTo.count >= days })
    #expect(devices.allSatisfy { $0.ledger.peers.values.count { !$0.reads.isEmpty } == 2 })
  }
}
