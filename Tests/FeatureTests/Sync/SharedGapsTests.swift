import Kit
import SQLite
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: after a gap in the log") struct SharedGapsTests {
  private static func state(_ fields: [ByteKey: JSONValue]) -> ItemState {
    let dot = Dot(WriterID(7), 1)
    var state = ItemState()
    state.context.insert(dot)
    state.being = [dot: Being(at: 1, isThere: true)]
    for (field, value) in fields { state.latest[field] = [dot: Register(at: 1, value: value)] }
    return state
  }

  private static func write(_ services: Services, _ body: @escaping @Sendable (inout SharingTransaction) throws -> Void)
    async throws
  {
    services.sync.noteLedgerChange()
    try await services.library.write(as: SharedLibrary(services).caller, label: SharingTransaction.label) {
      var sharing = try SharingTransaction($0, SharedCollections(services.library))
      try body(&sharing)
      try sharing.save()
    }
  }

  private static func isAlive(_ key: ItemKey, _ services: Services) async throws -> Bool {
    let collections = SharedCollections(services.library)
    return try await services.library.read(as: SharedLibrary(services).caller) { snapshot in
      let state = try LibraryStates(snapshot.db, collections.schema).stored(key)
      return collections[key.collection].map { state?.isAlive(in: $0.synced) ?? false } ?? false
    }
  }

  @Test("what was removed counts as removed; what waits for its document or cannot be shown by this version does not")
  func absences() async throws {
    let place = TemporaryFolder()
    let laptop = try await SharedDevice.group(["laptop"], at: place)[0]
    let services = laptop.daemon.daemon.services
    for id in ["kept", "removed"] { try await laptop.call("notes/add", ["id": .string(id), "text": "Tea"]) }
    try await laptop.run()
    let (waiting, hidden) = (ItemKey("highlights", "waiting"), ItemKey("notes", "hidden"))
    try await Self.write(services) { sharing in
      sharing.states.join([StatedItem(waiting, Self.state(["document": "unknown"]))])
      _ = try sharing.showReceived(from: nil)
      // An earlier version has met a value that it could not store.
      sharing.states.join([StatedItem(hidden, Self.state([:]))])
      try sharing.transaction.db.run(
        "INSERT INTO syncHidden (collection, id) VALUES (?, ?)", [.text("notes"), .text("hidden")])
      sharing.states.received = []
    }
    try await laptop.call("notes/remove", ["id": "removed"])
    try await Self.write(services) { sharing in
      try sharing.transaction.db.run("DELETE FROM changes")
      try sharing.transaction.db.run("DELETE FROM commits")
      sharing.stored.absorbed = 1
    }
    try await laptop.run()
    #expect(try await Self.isAlive(ItemKey("notes", "kept"), services))
    #expect(try await !Self.isAlive(ItemKey("notes", "removed"), services))
    #expect(try await Self.isAlive(waiting, services))
    #expect(try await Self.isAlive(hidden, services))
    #expect(try await laptop.call("notes/list").items.map { $0["id"] } == ["kept"])
    #expect(try await laptop.didNothing())
    await laptop.stop()
  }
}
