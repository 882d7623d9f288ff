import SQLite
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: states and files in the library's tables") struct StoredStatesTests {
  private static let schema = SyncSchema(
    version: 1,
    [
      "cards": SyncedCollection(
        ["title": .latest, "board": .reference("boards"), "waits": .references("cards")], holder: "board",
        acyclic: ["waits"]),
      "boards": SyncedCollection(["title": .latest]),
    ])

  private func database(_ body: (Database) throws -> Void) throws {
    try Database(path: Database.inMemory).write { db in
      for migration in SyncTables.migrations { try migration.run(db) }
      try body(db)
    }
  }

  private func ledger() -> FileLedger {
    var random = SeededGenerator(seed: 1)
    var ledger = FileLedger(WriterIdentity(boot: "b", device: "d", epoch: "e"), using: &random)
    let (mine, other) = (FileID(ledger.writer, 1), FileID(WriterID(7), 3))
    (ledger.next, ledger.lastAt, ledger.lastWrite, ledger.patience) = (2, 40, 50, 1.25)
    (ledger.needsReport, ledger.needsCompaction) = (true, true)
    ledger.seen = FileSet(upTo: [WriterID(7): 3], also: [FileID(WriterID(8), 9)])
    ledger.lost = [mine]
    var compaction = FileLedger.Compaction(first: 1, includes: ledger.seen)
    (compaction.last, compaction.digest) = (ItemKey("cards", "a"), StateDigest())
    ledger.compaction = compaction
    ledger.peers[WriterID(7)] = .init(
      device: "x", name: "phone", at: 5, schema: 1, file: 3, reads: ledger.seen, heard: 6)
    ledger.staged = [.init(name: FileName(mine, of: [1, 2]), bytes: [1, 2, 0, 255])]
    var records: [FileLedger.Record] = [
      .init(size: 2, reading: .read), .init(size: 3, reading: .waiting(failures: 2, next: 60)),
      .init(size: 4, reading: .damaged(next: 70)), .init(size: 5, reading: .newer), .init(size: 6, reading: .outdated),
    ]
    (records[0].includes, records[0].isCompaction, records[0].parts) = (ledger.seen, true, 3)
    (records[1].missingSince, records[1].replacedAt, records[1].includedSince) = (1, 2, 3)
    (records[2].isReported, records[3].isContinued) = (true, true)
    for (number, record) in records.enumerated() {
      ledger.records[FileName(FileID(other.writer, Int64(number + 1)), of: [UInt8(number)])] = record
    }
    return ledger
  }

  @Test("a ledger is what it was after it was stored, at first and with changes")
  func ledgers() throws {
    try database { db in
      #expect(try StoredLedger.read(in: db) == nil)
      var stored = StoredLedger(space: "0a", generation: 2, name: "laptop", ledger())
      try stored.write(over: nil, in: db)
      for absorbed in [nil, 12] as [Int64?] {
        let old = try #require(try StoredLedger.read(in: db))
        #expect(old.ledger == stored.ledger)
        #expect(old.space == "0a" && old.generation == 2 && old.name == "laptop" && old.absorbed == stored.absorbed)
        #expect(old.written == stored.written)
        (stored.absorbed, stored.written) = (absorbed, absorbed)
        stored.ledger.staged = [.init(name: FileName(FileID(WriterID(1), 5), of: [3]), bytes: [3])]
        let name = try #require(stored.ledger.records.keys.min())
        stored.ledger.records[name] = absorbed == nil ? .init(size: 9, reading: .read) : nil
        try stored.write(over: old, in: db)
      }
      #expect(try StoredLedger.read(in: db)?.ledger == stored.ledger)
      #expect(try StoredLedger.read(in: db)?.absorbed == 12)
      #expect(try StoredLedger.read(in: db)?.written == 12)
      try StoredLedger.remove(from: db)
      #expect(try StoredLedger.read(in: db) == nil)
    }
  }

  @Test("what is stored of other writers is not written anew with the rest of a ledger")
  func writers() throws {
    try database { db in
      var stored = StoredLedger(space: "0a", generation: 2, name: "laptop", ledger())
      for writer in (10..<500).map({ WriterID($0) }) {
        stored.ledger.peers[writer] = .init(
          device: "x", name: "phone", at: 5, schema: 1, file: 3, reads: FileSet(), heard: 6)
        stored.ledger.seen.insert(FileID(writer, 1))
      }
      try stored.write(over: nil, in: db)
      let (old, count) = (stored, db.totalChangesCount)
      stored.ledger.lastAt += 1
      try stored.write(over: old, in: db)
      #expect(db.totalChangesCount == count + 1)
      let length = try db.first("SELECT length(ledger) FROM syncSpace") { $0.int(0) }
      #expect(length ?? .max < 2_000)
      #expect(try StoredLedger.read(in: db)?.ledger == stored.ledger)
      let read = stored
      stored.ledger.peers[WriterID(10)] = nil
      stored.ledger.seen.insert(FileID(WriterID(11), 2))
      try stored.write(over: read, in: db)
      #expect(db.totalChangesCount == count + 3)
      #expect(try StoredLedger.read(in: db)?.ledger == stored.ledger)
    }
  }

  @Test("the ledger that an earlier version stored has the same writers and files")
  func earlierLedger() throws {
    let ledger = """
      {"space":"0a","generation":2,"name":"laptop","writer":"0000000000000009","next":2,"lastAt":1,"lastWrite":2,"lost":[],
      "identity":{"boot":"b","device":"d","epoch":"e"},"patience":1.5,"seen":[[["0000000000000007",3]],
      [["0000000000000008",9]]],"peers":[{"writer":"0000000000000007","device":"x","name":"phone","at":5,"schema":1,
      "file":3,"reads":[[["0000000000000009",1]],[]],"heard":6}]}
      """
    try Database(path: Database.inMemory).write { db in
      for migration in SyncTables.migrations.dropLast() { try migration.run(db) }
      try db.run("INSERT INTO syncSpace (one, space, ledger) VALUES (1, '0a', ?)", [.text(ledger)])
      try SyncTables.migrations.last?.run(db)
      let read = try #require(try StoredLedger.read(in: db)).ledger
      #expect(read.writer == WriterID(9) && read.patience == 1.5)
      #expect(read.seen == FileSet(upTo: [WriterID(7): 3], also: [FileID(WriterID(8), 9)]))
      let reads = FileSet(upTo: [WriterID(9): 1], also: [])
      let peer = FileLedger.Peer(
        device: "x", name: "phone", at: 5, schema: 1, file: 3, reads: reads, heard: 6)
      #expect(read.peers == [WriterID(7): peer])
      var stored = try #require(try StoredLedger.read(in: db))
      let old = stored
      stored.ledger.seen.insert(FileID(WriterID(8), 1))
      try stored.write(over: old, in: db)
      #expect(try StoredLedger.read(in: db)?.ledger == stored.ledger)
    }
  }

  @Test("a large staged file is in parts, which are nothing before its row is there and after it has gone")
  func stagedParts() throws {
    try database { db in
      let bytes = (0..<StagedParts.size * 2 + 5).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let name = FileName(FileID(WriterID(1), 5), of: bytes)
      #expect(StagedParts.others(of: [1, 2]).isEmpty && StagedParts.others(of: bytes).count == 2)
      for part in StagedParts.others(of: bytes) { try StagedParts.write(part, of: name, in: db) }
      #expect(try StagedParts.abandoned(in: db).count == 2)
      var stored = StoredLedger(space: "0a", generation: 2, name: "laptop", ledger())
      stored.ledger.staged = [.init(name: name, bytes: bytes)]
      try stored.write(over: nil, in: db)
      let row = try db.first("SELECT length(bytes) FROM syncStaged") { $0.int(0) }
      #expect(row == StagedParts.size)
      let read = try #require(try StoredLedger.read(in: db))
      #expect(read.ledger.staged == stored.ledger.staged)
      #expect(try StagedParts.abandoned(in: db).isEmpty)
      stored.ledger.staged = []
      try stored.write(over: read, in: db)
      let rows = try StagedParts.abandoned(in: db)
      #expect(rows.count == 2)
      for row in rows { try StagedParts.remove(row: row, in: db) }
      #expect(try StagedParts.abandoned(in: db).isEmpty)
    }
  }

  @Test("a state is what it was after it was stored, and dirty until a file has it", arguments: 0..<20)
  func states(seed: UInt64) throws {
    var generated = GeneratedStates(SeededGenerator(seed: seed))
    let state = generated.state()
    try database { db in
      var states = LibraryStates(db, Self.schema)
      let (key, other) = (ItemKey("cards", "a"), ItemKey("cards", "b"))
      try states.write(state, of: key)
      states.join([StatedItem(other, state)])
      #expect(states.state(of: key) == state && states.keys(after: nil) == [key, other])
      #expect(states.keys(after: key) == [other] && states.keys(after: other).isEmpty)
      #expect(states.received == [other] && states.dirtyKeys == [key])
      #expect(states.keys(after: nil, limit: 1) == [key] && states.dirtyKeys(after: key, limit: 1).isEmpty)
      // Another device has written the same.
      states.join([StatedItem(key, state)])
      #expect(states.dirtyKeys.isEmpty && states.received == [other])
      var more = state
      more.context.insert(Dot(WriterID(77), 1))
      try states.write(more, of: key)
      states.join([StatedItem(key, state)])
      #expect(states.dirtyKeys == [key])
      try states.write(state, of: key)
      let file = FileID(WriterID(1), 4)
      states.note([key], writtenTo: file)
      #expect(states.dirtyKeys.isEmpty && !states.hasDirty)
      // The same again changes nothing.
      try states.write(state, of: key)
      states.received = []
      states.join([StatedItem(key, state), StatedItem(other, state)])
      #expect(states.received.isEmpty && states.dirtyKeys.isEmpty)
      states.dirty(writtenTo: FileID(WriterID(1), 5))
      #expect(states.dirtyKeys.isEmpty)
      states.dirty(writtenTo: file)
      #expect(states.dirtyKeys == [key])
      try states.requireWhole()
    }
  }

  @Test("a reading that fails never counts as all items, whatever was decided from it")
  func failedReading() throws {
    try database { db in
      var states = LibraryStates(db, Self.schema)
      try db.execute("DROP TABLE syncItem")
      #expect(states.keys(after: nil).isEmpty && states.dirtyKeys.isEmpty)
      #expect(throws: DatabaseError.self) { try states.requireWhole() }
      states = LibraryStates(db, Self.schema)
      _ = states.digest()
      #expect(throws: DatabaseError.self) { try states.requireWhole() }
    }
  }

  @Test("a card is shown with its board and with the cards that it waits for, a board with its cards if it is removed")
  func connected() throws {
    let dot = Dot(WriterID(1), 1)
    func state(_ fields: [ByteKey: JSONValue], waits: [ByteKey] = [], isThere: Bool = true) -> ItemState {
      var state = ItemState()
      state.context.insert(dot)
      state.being = [dot: Being(at: 1, isThere: isThere)]
      for (field, value) in fields { state.latest[field] = [dot: Register(at: 1, value: value)] }
      for id in waits { state.sets["waits", default: [:]][id] = [dot: ElementPlace(at: 1, place: 0)] }
      if !isThere { state.gone.insert(dot) }
      return state
    }
    try database { db in
      var states = LibraryStates(db, Self.schema)
      let (a, b, c, d) = (ItemKey("cards", "a"), ItemKey("cards", "b"), ItemKey("cards", "c"), ItemKey("cards", "d"))
      let (here, gone) = (ItemKey("boards", "here"), ItemKey("boards", "gone"))
      try states.write(state(["board": "here"], waits: ["b"]), of: a)
      try states.write(state(["board": "here"]), of: b)
      try states.write(state(["board": "here"]), of: c)
      try states.write(state(["board": "gone"]), of: d)
      try states.write(state(["title": "Here"]), of: here)
      try states.write(state(["title": "Gone"], isThere: false), of: gone)
      #expect(try states.connected(with: [a]).shown == [a, b, here])
      #expect(try states.connected(with: [b]).shown == [a, b, here])
      #expect(try states.connected(with: [c]).shown == [c, here])
      #expect(try states.connected(with: [here]).shown == [a, b, c, here])
      #expect(try states.connected(with: [d]).shown == [d, gone])
      #expect(try states.connected(with: [gone]).states.keys.sorted() == [gone, d])
      // It waits no longer.
      try states.write(state(["board": "here"]), of: a)
      #expect(try states.connected(with: [b]).shown == [b, here])
    }
  }
}
