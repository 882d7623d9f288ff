import TestSupport
import Testing
import Wire

@testable import Sync

/// What one run lists, fetches, writes and removes.
@Suite struct SyncRunTests {
  private static let schema = SyncSchema(version: 1, ["cards": SyncedCollection(["title": .latest])])

  /// A device with a store of its own copy.
  private struct Device {
    var library: SimulatedLibrary
    var random: SeededGenerator
    var now: Int64 = 1_790_000_000_000
    let name: String

    init(_ number: UInt64) {
      random = SeededGenerator(seed: number)
      name = "d\(number)"
      let identity = WriterIdentity(boot: "0", device: name, epoch: "e")
      library = SimulatedLibrary(SyncRunTests.schema, FileLedger(identity, using: &random))
    }

    mutating func put(_ title: String, _ id: String = "a") { put(title, [id]) }

    mutating func put(_ title: String, _ ids: [String]) {
      for id in ids { library.put(["title": .string(title)], at: ItemKey("cards", ByteKey(id))) }
      library.absorb(at: now)
    }

    /// - Returns: the operations, the files' names without their checksums.
    @discardableResult
    mutating func run(
      _ store: inout SimulatedStore, _ policy: SyncPolicy = SyncRunTests.quiet, until last: String? = nil,
      isFull: Bool = false
    ) -> [String] {
      var run = SyncRun(policy: policy, sealing: PlainSealing(), device: (name, "phone", 1))
      var steps: [String] = []
      var hasRead = false
      while let step = run.next(&library.ledger, &library.states, now: now, using: &random) {
        switch step {
        case .list: steps.append("list")
        case .get(let name): steps.append("get \(name.file.number)")
        case .put(let name, _): steps.append("put \(name.file.number)")
        case .remove(let name): steps.append("remove \(name.file.number)")
        }
        var answer = SyncAnswer.noRoom
        if case .put = step, isFull {} else { answer = store.perform(step, .none, &random) }
        run.finish(step, answer, &library.ledger, &library.states, now: now, using: &random)
        if case .content = answer { hasRead = true }
        if steps.last == last { break }
      }
      if hasRead { library.show() }
      return steps
    }

    /// Runs until a part of a compaction is to be put, and crashes there.
    mutating func crashAtPart(_ store: inout SimulatedStore, _ policy: SyncPolicy) {
      var run = SyncRun(policy: policy, sealing: PlainSealing(), device: (name, "phone", 1))
      while let step = run.next(&library.ledger, &library.states, now: now, using: &random) {
        if case .put = step, library.ledger.compaction != nil { return }
        run.finish(
          step, store.perform(step, .none, &random), &library.ledger, &library.states, now: now, using: &random)
      }
    }

    var title: JSONValue? { library.rows[ItemKey("cards", "a")]?["title"] }
  }

  private static let quiet: SyncPolicy = {
    var policy = SyncPolicy()
    policy.heartbeat = nil
    policy.bytesOfFile = .max
    return policy
  }()

  @Test("a run with nothing to do is one listing, and one edit is one file")
  func fewOperations() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    #expect(one.run(&store) == ["list", "put 1"])
    #expect(one.run(&store) == ["list"])
    #expect(other.run(&store) == ["list", "get 1"])
    #expect(other.title == "Tea")
    #expect(other.run(&store) == ["list"])
    other.now += 30 * SyncPolicy.day
    #expect(other.run(&store) == ["list"])
    #expect(other.library.ledger.peers.values.map(\.device) == ["d1"])
  }

  @Test("libraries that differ though they have read the same files are found, and are equal once all was written anew")
  func diverged() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    other.run(&store)
    // A fault: a state that no file has.
    let (key, dot) = (ItemKey("cards", "b"), Dot(WriterID(9), 1))
    var fault = ItemState()
    fault.context.insert(dot)
    fault.being = [dot: Being(at: 1, isThere: true)]
    other.library.states.write(fault, of: key)
    other.library.states.note([key], writtenTo: FileID(WriterID(9), 1))
    one.put("Coffee")
    one.run(&store)
    #expect(other.run(&store) == ["list", "get 2", "put 1"])
    #expect(other.library.ledger.divergedAt == other.now)
    #expect(one.run(&store) == ["list", "get 1"])
    #expect(one.library.states.bytes == other.library.states.bytes)
    #expect(one.library.ledger.divergedAt == nil)
    one.put("Cocoa")
    one.run(&store)
    #expect(other.run(&store) == ["list", "get 3"])
    #expect(other.library.ledger.divergedAt == nil)
  }

  @Test("a device without changes writes a file a day, which tells what it has read")
  func heartbeat() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    #expect(other.run(&store, SyncPolicy()) == ["list", "get 1", "put 1"])
    #expect(other.run(&store, SyncPolicy()) == ["list"])
    other.now += SyncPolicy.day
    #expect(other.run(&store, SyncPolicy()) == ["list", "put 2"])
    #expect(one.run(&store) == ["list", "get 1", "get 2"])
    let peer = try #require(one.library.ledger.peers[other.library.ledger.writer])
    #expect(peer.reads.contains(FileID(one.library.ledger.writer, 1)))
  }

  @Test("many files are compacted, those included stay for seven days, and a new device reads one file then")
  func compaction() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    for number in 1...65 {
      one.put("Tea \(number)")
      one.run(&store)
    }
    #expect(one.run(&store) == ["list"])
    #expect(store.files.count == 66)
    one.now += 7 * SyncPolicy.day
    #expect(one.run(&store).count == 66)
    #expect(store.files.count == 1)
    #expect(other.run(&store) == ["list", "get 66"])
    #expect(other.title == "Tea 65")
    #expect(other.library.ledger.seen.contains(FileID(one.library.ledger.writer, 3)))
  }

  @Test("a full target gets no more files, but loses those that were replaced long ago, and then has room")
  func noRoom() {
    var (one, store) = (Device(1), SimulatedStore())
    for number in 1...65 {
      one.put("Tea \(number)")
      one.run(&store)
    }
    one.run(&store)
    one.now += 7 * SyncPolicy.day
    one.put("Coffee")
    #expect(one.run(&store, isFull: true) == ["list", "put 67"] + (1...65).map { "remove \($0)" })
    #expect(one.run(&store) == ["list", "put 67"])
    #expect(store.files.count == 2)
  }

  @Test("a file that is lost is written again by its writer after an hour, and by another after weeks")
  func lost() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    other.run(&store)
    let name = try #require(store.files.keys.first)
    store.set(name, nil)
    #expect(one.run(&store) == ["list"])
    one.now += SyncPolicy.hour
    #expect(one.run(&store) == ["list", "put 2"])
    #expect(other.run(&store) == ["list", "get 2"])

    for name in store.files.keys { store.set(name, nil) }
    #expect(other.run(&store) == ["list"])
    other.now += 21 * SyncPolicy.day
    #expect(other.run(&store) == ["list", "put 1"])
    var third = Device(3)
    third.run(&store)
    #expect(third.title == "Tea")
  }

  @Test("an own file of another size than was written is written again in the next run, and what replaces it later")
  func cutOff() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    func cut(_ number: Int64) throws {
      let id = FileID(one.library.ledger.writer, number)
      let name = try #require(store.files.keys.first { FileName($0)?.file == id })
      store.set(name, Array(try #require(store.files[name]).dropLast(3)))
    }
    try cut(1)
    #expect(one.run(&store) == ["list"])
    one.now += 60_000
    #expect(one.run(&store) == ["list", "put 2"])
    #expect(other.run(&store).last == "get 2")
    #expect(other.title == "Tea")
    // This place may state wrong sizes.
    try cut(2)
    #expect(one.run(&store) == ["list"])
    one.now += SyncPolicy.hour - 60_000
    #expect(one.run(&store) == ["list"])
    one.now += 60_000
    #expect(one.run(&store) == ["list", "put 3"])
  }

  @Test("a damaged file is read again at growing distances, reported, and replaced by whoever can")
  func damaged() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    let name = try #require(store.files.keys.first)
    store.rot(name, &one.random)
    #expect(other.run(&store) == ["list", "get 1"])
    #expect(other.run(&store) == ["list"])
    for _ in 0..<3 {
      other.now += SyncPolicy.day
      #expect(other.run(&store) == ["list", "get 1"])
    }
    other.now += SyncPolicy.day
    #expect(other.run(&store) == ["list", "get 1", "put 1"])
    #expect(other.library.ledger.damaged.map(\.description) == [name])
    #expect(other.title == nil)
    // The report, the damaged file, and what replaces it.
    #expect(one.run(&store) == ["list", "get 1", "get 1", "put 2"])
    #expect(other.run(&store) == ["list", "get 2"])
    #expect(other.title == "Tea")
    #expect(other.library.ledger.damaged.isEmpty)
  }

  @Test("a damaged file that was read while the clock was years ahead is read again as if the clock had been right")
  func damagedAhead() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    let name = try #require(store.files.keys.first)
    store.rot(name, &one.random)
    let now = other.now
    other.now += 1_000 * SyncPolicy.day
    #expect(other.run(&store) == ["list", "get 1"])
    other.now = now
    #expect(other.run(&store) == ["list"])
    other.now += SyncPolicy().lateRetry
    #expect(other.run(&store) == ["list", "get 1"])
  }

  @Test("a machine that is started each day states of its earlier writers only those whose files lie there")
  func writers() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    for day in 0..<400 {
      one.library.ledger.begin(
        WriterIdentity(boot: "\(day)", device: one.name, epoch: "e"), using: &one.random)
      one.put("Day \(day)")
      one.run(&store)
      other.run(&store)
      (one.now, other.now) = (one.now + SyncPolicy.day, other.now + SyncPolicy.day)
    }
    let peers = other.library.ledger.peers
    #expect(peers.count == 400 && peers.values.count { !$0.reads.isEmpty } == 1)
    for device in [one, other] {
      #expect(device.library.ledger.seen.upTo.count >= 400)
      #expect(device.library.ledger.reads.upTo.count < 200)
    }
    #expect(other.title == "Day 399" && other.library.ledger.divergedAt == nil)
  }

  @Test("a device that has not written for long stays known, however many writers others were since")
  func oldTablet() {
    var ledger = Device(1).library.ledger
    func hear(_ device: String, _ writer: UInt64, at: Int64) {
      let header = LogHeader(schema: 1, device: device, name: device, at: at)
      ledger.hear(header, of: FileID(WriterID(writer), 1), at: at)
    }
    hear("tablet", 1, at: 1)
    for number in 2...UInt64(FileLedger.maximumPeers + 100) { hear("laptop", number, at: Int64(number)) }
    #expect(Set(ledger.peers.values.map(\.device)) == ["tablet", "laptop"])
    #expect(ledger.peers.count == FileLedger.maximumPeers)
  }

  @Test("a version that reads more formats reads what an earlier one has left alone")
  func laterFormat() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.run(&store)
    for name in store.files.keys.compactMap({ FileName($0) }) {
      var run = SyncRun(policy: Self.quiet, sealing: PlainSealing(), device: ("d2", "phone", 1))
      var random = SeededGenerator(seed: 3)
      run.list(
        [(name.description, store.files[name.description]?.count ?? 0)], &other.library.ledger, now: 0, using: &random)
      other.library.ledger.records[name]?.reading = .newer
    }
    #expect(other.run(&store) == ["list"])
    var policy = Self.quiet
    policy.formats += 1
    #expect(other.run(&store, policy) == ["list", "get 1"])
    #expect(other.title == "Tea" && other.library.ledger.newer == 0)
  }

  @Test(
    "a file of a newer format is left alone and no damage; one of a known device ends compaction, one of a stranger nothing",
    arguments: [true, false])
  func newerFormat(isOfStranger: Bool) {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    other.put("Milk", "b")
    other.run(&store)
    let bytes = Array("{\"format\":2,\"merge\":1}\n".utf8)
    let writer = isOfStranger ? WriterID(7) : other.library.ledger.writer
    store.set(FileName(FileID(writer, 2), of: bytes).description, bytes)
    for number in 1...70 {
      one.put("Tea \(number)")
      one.run(&store)
    }
    let ledger = one.library.ledger
    #expect(ledger.newer == 1 && ledger.needsUpgrade == !isOfStranger)
    #expect(ledger.damaged.isEmpty)
    #expect(ledger.records.values.contains { $0.isCompaction } == isOfStranger)
    #expect(store.files[FileName(FileID(writer, 2), of: bytes).description] != nil)
  }

  @Test("the many writers of a device that is started often take little room, and no other device goes for them")
  func writersOfDevice() {
    var ledger = Device(1).library.ledger
    func hear(_ number: UInt64, of device: String, file: Int64 = 1) {
      var header = LogHeader(schema: 1, device: device, name: device, at: Int64(number))
      header.reads = FileSet(upTo: [WriterID(1): Int64(number)], also: [])
      ledger.hear(header, of: FileID(WriterID(number), file), at: 1)
    }
    hear(1, of: "tablet")
    for number in UInt64(2)...1_200 { hear(number, of: "phone") }
    #expect(ledger.peers.count == 1_000)
    #expect(ledger.peers[WriterID(1)]?.name == "tablet")
    #expect(ledger.peers.filter { !$0.value.reads.isEmpty }.keys.sorted() == [WriterID(1), WriterID(1_200)])
    // A file of an earlier writer that arrives late brings nothing back.
    hear(1_150, of: "phone", file: 2)
    #expect(ledger.peers[WriterID(1_150)]?.reads.isEmpty == true)
    #expect(ledger.peers[WriterID(1_200)]?.reads.isEmpty == false)
  }

  @Test("a library that finds a file of its own writer that it did not write becomes another writer")
  func ownFileOfAnother() {
    var (one, store) = (Device(1), SimulatedStore())
    one.put("Tea")
    var copy = one
    one.run(&store)
    one.put("Coffee")
    one.run(&store)
    let writer = copy.library.ledger.writer
    copy.run(&store)
    #expect(copy.library.ledger.writer != writer)
    #expect(copy.title == "Coffee")
  }

  @Test("after a year of daily changes on five devices, one of them away for half of it, the target has few files")
  func year() {
    var (devices, store) = ((1...5).map { Device($0) }, SimulatedStore())
    var most = 0
    for day in 0..<365 {
      for index in devices.indices {
        devices[index].now += SyncPolicy.day
        // The last one is away.
        if index == 4, (20..<200).contains(day) { continue }
        let title = "The title of day \(day) on device \(index), which is rather long for a card"
        devices[index].put(title, "card \((day * 7 + index * 11) % 60)")
        devices[index].run(&store, SyncPolicy())
      }
      most = max(most, store.files.count)
    }
    for _ in 0..<3 { for index in devices.indices { devices[index].run(&store, SyncPolicy()) } }
    #expect(most <= 400)
    let compaction = store.files.values.map(\.count).max() ?? 0
    #expect(store.files.values.reduce(0) { $0 + $1.count } <= 3 * compaction + store.files.count << 10)
    for device in devices {
      #expect(device.library.rows.count == 60 && device.library.rows == devices[0].library.rows)
      #expect(!device.library.states.hasDirty)
    }
  }

  @Test("after thirty files in a day, changes are gathered for half an hour, unless a person requests the run")
  func gathered() {
    var (one, store) = (Device(1), SimulatedStore())
    var scheduled = Self.quiet
    scheduled.gathering = SyncPolicy.longGathering
    for number in 1...30 {
      one.now += 60_000
      one.put("Tea \(number)")
      #expect(one.run(&store, scheduled) == ["list", "put \(number)"])
    }
    one.now += 60_000
    one.put("Coffee")
    #expect(one.run(&store, scheduled) == ["list"])
    one.now += SyncPolicy.longGathering - 60_000
    #expect(one.run(&store, scheduled) == ["list", "put 31"])
    one.put("Milk")
    #expect(one.run(&store, scheduled) == ["list"])
    #expect(one.run(&store) == ["list", "put 32"])
    // The next day.
    one.put("Water")
    one.now += SyncPolicy.day
    #expect(one.run(&store, scheduled) == ["list", "put 33"])
    one.put("Juice")
    #expect(one.run(&store, scheduled) == ["list", "put 34"])
  }

  @Test("items of more than one file are spread, and a compaction counts once all of its parts were read")
  func parts() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    let long = String(repeating: "x", count: 1 << 20)
    for id in ["a", "b", "c", "d"] { one.put(long, id) }
    var policy = Self.quiet
    policy.bytes = 1 << 30
    let reading = policy
    #expect(one.run(&store, policy) == ["list", "put 1", "put 2"])
    one.put(long + "y", "d")
    one.put("Tea")
    policy.files = 2
    one.library.ledger.patience = 1
    #expect(one.run(&store, policy) == ["list", "put 3", "put 4", "put 5"])
    for file in store.files.values { #expect(file.count <= LogFile.maximumBytes) }
    let name = try #require(store.files.keys.first { FileName($0)?.file.number == 4 })
    let bytes = try #require(store.files[name])
    store.set(name, nil)
    other.run(&store, reading)
    #expect(!other.library.ledger.records.values.contains { $0.includedSince != nil })
    store.set(name, bytes)
    other.run(&store, reading)
    #expect(other.library.ledger.records.values.filter { $0.includedSince != nil }.count == 3)
    #expect(other.title == "Tea")
  }

  @Test("what is written at a time is compacted only after edits of as much, by whoever has written or read it")
  func series() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    // One file for each item.
    var policy = Self.quiet
    (policy.fileBytes, policy.files, policy.bytes) = (1, 100, 1)
    for id in ["a", "b", "c"] { one.put("Tea", id) }
    #expect(one.run(&store, policy) == ["list", "put 1", "put 2", "put 3"])
    #expect(other.run(&store, policy) == ["list", "get 1", "get 2", "get 3"])
    #expect(one.run(&store, policy) == ["list"] && other.run(&store, policy) == ["list"])
    for device in [one, other] {
      #expect(device.library.ledger.records.sorted { $0.key < $1.key }.map(\.value.isContinued) == [true, true, false])
    }
    one.library.ledger.patience = 1
    var runs: [[String]] = []
    while runs.last?.count != 5, runs.count < 10 {
      one.put("Tea \(runs.count)")
      runs.append(one.run(&store, policy))
    }
    // With the first edits there is less than twice as much.
    #expect((3...5).contains(runs.count), "\(runs)")
    #expect(store.files.keys.compactMap { FileName($0) }.count == 6 + runs.count)
  }

  @Test("of a large library more files precede a compaction, but not more than can be listed")
  func largeLibrary() {
    func files(beforeCompactionOf bytes: Int) -> Int {
      var (one, store) = (Device(1), SimulatedStore())
      one.put(String(repeating: "x", count: bytes), "large")
      one.run(&store)
      one.library.ledger.patience = 1
      var policy = Self.quiet
      // For 8 KiB, so that megabytes are kilobytes here.
      policy.bytesOfFile = 100
      for count in 1...300 {
        one.put("Tea \(count)")
        if one.run(&store, policy).count > 2 { return count }
      }
      return 0
    }
    #expect(files(beforeCompactionOf: 1_000) == 64)
    #expect((100...105).contains(files(beforeCompactionOf: 10_000)))
    #expect(files(beforeCompactionOf: 30_000) == SyncPolicy.mostFiles)
  }

  /// One file for each item, and a compaction that is due.
  private static let parts: SyncPolicy = {
    var policy = quiet
    (policy.fileBytes, policy.files, policy.bytes) = (1, 2, 1 << 30)
    return policy
  }()

  @Test("a compaction goes on after a crash, and nothing counts as included before its last part lies there")
  func interruptedCompaction() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    var policy = Self.parts
    policy.files = 100
    for id in ["a", "b", "c"] { one.put("Tea", id) }
    #expect(one.run(&store, policy) == ["list", "put 1", "put 2", "put 3"])
    one.library.ledger.patience = 1
    one.crashAtPart(&store, Self.parts)
    #expect(one.library.ledger.compaction?.last == ItemKey("cards", "a"))
    // What is written meanwhile gets a later number than the parts.
    one.put("Coffee", "a")
    #expect(!one.library.ledger.records.values.contains { $0.includedSince != nil || !$0.includes.isEmpty })
    #expect(one.run(&store, Self.parts) == ["list", "put 4", "put 5", "put 6", "put 7"])
    #expect(one.library.ledger.compaction == nil)
    #expect(one.run(&store, Self.parts) == ["list"])
    other.run(&store, policy)
    for device in [one, other] {
      #expect(device.title == "Coffee" && device.library.rows.count == 3)
      let included = device.library.ledger.records.filter { $0.value.includedSince != nil }.map(\.key.file.number)
      #expect(included.sorted() == [1, 2, 3])
    }
  }

  @Test("a compaction begins anew if something was forgotten that its first parts may have")
  func forgottenMeanwhile() {
    var (one, store) = (Device(1), SimulatedStore())
    var policy = Self.parts
    policy.files = 100
    for id in ["a", "b", "c"] { one.put("Tea", id) }
    one.run(&store, policy)
    one.library.ledger.patience = 1
    one.crashAtPart(&store, Self.parts)
    one.library.ledger.noteForgotten(at: one.now)
    #expect(one.run(&store, Self.parts) == ["list", "put 4", "put 5", "put 6", "put 7"])
    #expect(one.library.ledger.compaction == nil && one.library.ledger.forgottenAt == nil)
    one.run(&store, Self.parts)
    let included = one.library.ledger.records.filter { $0.value.includedSince != nil }.map(\.key.file.number)
    #expect(included.sorted() == [1, 2, 3, 4])
  }

  @Test("a compaction that has lost a part while it was interrupted begins anew")
  func lostPart() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    var policy = Self.parts
    policy.files = 100
    for id in ["a", "b", "c"] { one.put("Tea", id) }
    one.run(&store, policy)
    one.library.ledger.patience = 1
    one.crashAtPart(&store, Self.parts)
    one.run(&store, policy, until: "put 4")
    let part = try #require(store.files.keys.first { FileName($0)?.file.number == 4 })
    store.set(part, nil)
    #expect(one.run(&store, Self.parts) == ["list", "put 5", "put 6", "put 7"])
    other.run(&store, policy)
    #expect(other.library.rows.count == 3)
    let record = try #require(other.library.ledger.records.first { $0.key.file.number == 7 }?.value)
    #expect(record.isCompaction && record.parts == 3)
  }

  @Test("a file has all items that fit, however many are listed at a time")
  func manyItems() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    // Twice as many as are listed at a time, and one more.
    let ids = (0...1_000).map { "c\($0)" }
    one.put("Tea", ids)
    #expect(one.run(&store) == ["list", "put 1"])
    #expect(one.library.states.dirtyKeys.isEmpty)
    other.run(&store)
    #expect(other.library.rows.keys.map(\.id).sorted() == ids.map { ByteKey($0) }.sorted())
  }

  @Test("an item that fits into no file is written to none, stays to be written, and ends compaction")
  func oversized() throws {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.put(String(repeating: "x", count: LogFile.maximumBytes), "b")
    one.library.ledger.patience = 1
    #expect(one.run(&store, Self.parts) == ["list", "put 1"])
    #expect(one.run(&store, Self.parts) == ["list"])
    #expect(one.library.states.dirtyKeys == [ItemKey("cards", "b")])
    other.run(&store)
    #expect(other.library.rows.keys.map(\.id) == ["a"])
    // What fits again is written.
    one.put("Milk", "b")
    #expect(one.run(&store) == ["list", "put 2"])
    for file in store.files.values { #expect(file.count <= LogFile.maximumBytes) }
  }

  @Test("an item that fits into no file keeps no other from being written under a new key")
  func oversizedUnderNewKey() {
    var (one, other, store) = (Device(1), Device(2), SimulatedStore())
    one.put("Tea")
    one.put(String(repeating: "x", count: LogFile.maximumBytes), "b")
    one.run(&store, Self.parts)
    one.library.ledger.renewKey(using: &one.random)
    one.library.states.dirty([ItemKey("cards", "a"), ItemKey("cards", "b")])
    store = SimulatedStore()
    one.run(&store, Self.parts)
    other.run(&store)
    #expect(other.library.rows.keys.map(\.id) == ["a"])
  }
}
