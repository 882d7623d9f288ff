import TestSupport
import Testing
import Wire

@testable import Sync

/// A target that lies: what the best it can do is, with all bytes and names but not the secret.
@Suite("A hostile target") struct HostileTargetTests {
  private static let schema = SyncSchema(version: 1, ["cards": SyncedCollection(["title": .latest])])
  private static let secret = SpaceSecret(bytes: (0..<16).map { UInt8($0) })!
  private static let space = Space(id: (0..<16).map { UInt8($0) }, secret: secret)

  private struct Device {
    var library: SimulatedLibrary
    var random: SeededGenerator
    var now: Int64 = 1_790_000_000_000
    var secret = HostileTargetTests.secret

    init(_ number: UInt64) {
      random = SeededGenerator(seed: number)
      let identity = WriterIdentity(boot: "0", device: "d\(number)", epoch: "e")
      library = SimulatedLibrary(HostileTargetTests.schema, FileLedger(identity, using: &random))
    }

    mutating func put(_ title: String, _ id: String = "a") {
      now += 1
      library.put(["title": .string(title)], at: ItemKey("cards", ByteKey(id)))
      library.absorb(at: now)
    }

    /// - Parameter listed: files that the store lists besides, with the sizes that it states.
    mutating func run(_ store: inout SimulatedStore, listed: [(name: String, size: Int)] = []) {
      var policy = SyncPolicy()
      policy.heartbeat = nil
      let sealing = HostileTargetTests.space.sealing(secret)
      var run = SyncRun(policy: policy, sealing: sealing, device: ("d", "phone", 1))
      while let step = run.next(&library.ledger, &library.states, now: now, using: &random) {
        var answer = store.perform(step, .none, &random)
        if case .listing(let files) = answer { answer = .listing(files + listed) }
        run.finish(step, answer, &library.ledger, &library.states, now: now, using: &random)
        if case .content = answer { library.show() }
      }
    }

    func title(_ id: String = "a") -> JSONValue? { library.rows[ItemKey("cards", ByteKey(id))]?["title"] }
  }

  private static func names(_ store: SimulatedStore) -> [FileName] {
    store.files.keys.compactMap { FileName($0) }.sorted()
  }

  @Test("sizes that no file has end no run, and no sum of them overflows")
  func sizes() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    for title in ["Tea", "Coffee", "Milk"] {
      one.put(title)
      one.run(&store)
    }
    other.run(&store)
    // Files that were read, under the names of other bytes.
    let names = Self.names(store).map { FileName($0.file, of: [7]).description }
    #expect(names.count > 1)
    other.run(&store, listed: names.map { ($0, .max) })
    #expect(other.title() == "Milk")
    #expect(other.library.ledger.records.values.allSatisfy { $0.size <= 1 << 40 })
  }

  @Test("a file under another number or writer is not taken, and does not hide the true one that is written later")
  func replay() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    let first = try #require(Self.names(store).first)
    let bytes = try #require(store.files[first.description])
    for file in [FileID(first.file.writer, 2), FileID(WriterID(99), 1)] {
      store.set(FileName(file, of: bytes).description, bytes)
    }
    other.run(&store)
    #expect(other.title() == "Tea")
    #expect(!other.library.ledger.seen.contains(FileID(first.file.writer, 2)))
    #expect(!other.library.ledger.seen.contains(FileID(WriterID(99), 1)))
    #expect(other.library.ledger.peers.count == 1)
    one.put("Coffee")
    one.run(&store)
    other.run(&store)
    #expect(other.title() == "Coffee")
  }

  @Test("two files that changed their names are both refused, and taken again under their own")
  func swap() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea", "a")
    one.run(&store)
    one.put("Coffee", "b")
    one.run(&store)
    let names = Self.names(store)
    let whole = store
    #expect(names.count == 2)
    for (name, from) in [(names[0], names[1]), (names[1], names[0])] {
      let bytes = try #require(whole.files[from.description])
      store.set(name.description, nil)
      store.set(FileName(name.file, of: bytes).description, bytes)
    }
    other.run(&store)
    #expect(other.library.rows.isEmpty && other.library.ledger.seen.isEmpty)
    store = whole
    other.run(&store)
    #expect(other.title("a") == "Tea" && other.title("b") == "Coffee")
  }

  @Test("files that are invented, or changed with a new name, are not taken by anybody")
  func invention() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    var stranger = Device(3)
    stranger.secret = SpaceSecret(bytes: (1..<17).map { UInt8($0) })!
    stranger.put("Poison")
    stranger.run(&store)
    one.put("Tea")
    one.run(&store)
    for name in Self.names(store) {
      var bytes = try #require(store.files[name.description])
      bytes[bytes.count - 20] ^= 1
      store.set(FileName(FileID(name.file.writer, 7), of: bytes).description, bytes)
    }
    let plain = LogFile(LogHeader(schema: 1, device: "d", name: "n", at: 1)).bytes
    store.set(FileName(FileID(WriterID(5), 1), of: plain).description, plain)
    other.run(&store)
    #expect(other.title() == "Tea" && other.library.rows.count == 1)
    #expect(other.library.ledger.seen.upTo.count == 1 && other.library.ledger.seen.also.isEmpty)
    // And nothing of what is not ours is removed for it.
    #expect(stranger.title() == "Poison" && Self.names(store).count >= 5)
  }

  @Test("a target that shows an old state brings nothing back, and one that shows nothing removes nothing")
  func withholding() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    let old = store
    one.put("Coffee")
    one.run(&store)
    other.run(&store)
    var stale = old
    other.run(&stale)
    #expect(other.title() == "Coffee")
    var empty = SimulatedStore()
    other.run(&empty)
    one.run(&empty)
    #expect(other.title() == "Coffee" && one.title() == "Coffee")
    one.library.remove(ItemKey("cards", "a"))
    one.now += 1
    one.library.absorb(at: one.now)
    one.run(&store)
    other.run(&store)
    #expect(other.title() == nil)
    stale = old
    other.run(&stale)
    #expect(other.title() == nil)
  }
}
