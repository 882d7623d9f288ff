import Contract
import Foundation
import TestSupport
import Testing

@testable import SQLite
@testable import Store

/// Unused pages of a library's file go back to the disk.
@Suite(.timeLimit(.minutes(10))) struct SpaceReclaimerTests {
  private let folder = TemporaryFolder()

  private func state(of store: Store) throws -> SpaceReclaimer.State {
    try store.pool.read { try SpaceReclaimer.state(of: $0) }
  }

  private func titles(_ store: Store) throws -> [String] {
    try store.pool.read { try $0.texts("SELECT title FROM toy ORDER BY title") }
  }

  private func fileSize(_ store: Store) -> Int {
    var information = stat()
    return stat(store.folder.database, &information) == 0 ? Int(information.st_size) : -1
  }

  /// Leaves some ten megabytes free, by hand so that no idle step follows it, and 50 toys.
  private func fill(_ store: Store) async throws {
    try await store.write { for number in 10..<60 { try $0.insert(ToyRecord.named("toy \(number)")) } }
    try store.maintenance.write { db in
      try db.execute("CREATE TABLE large (id INTEGER PRIMARY KEY, bytes BLOB)")
      for _ in 0..<100 { try db.execute("INSERT INTO large (bytes) VALUES (randomblob(100000))") }
      // Behind it, so that pages that are in use have to move.
      try db.execute("CREATE TABLE small (id INTEGER PRIMARY KEY, bytes BLOB)")
      for _ in 0..<10 { try db.execute("INSERT INTO small (bytes) VALUES (zeroblob(100000))") }
    }
    try store.maintenance.write { try $0.execute("DELETE FROM large") }
  }

  /// A library as an earlier version made it, with ten megabytes free.
  private func old() async throws {
    let store = try Store.toys(in: folder)
    let library = store.folder
    store.close()
    try OldLibraries.forbidVacuum(in: library)
    let again = try Store.toys(in: folder)
    try await fill(again)
    guard case .whole(_, let free) = try state(of: again) else {
      Issue.record("\(try state(of: again))")
      return
    }
    #expect(free > 9 << 20)
    again.close()
  }

  @Test("unused pages are given back in turns while nobody writes, and a reader that began before loses nothing")
  func incremental() async throws {
    let store = try Store.toys(in: folder)
    try await fill(store)
    _ = store.checkpointer.truncate()
    let before = fileSize(store)
    let reclaimer = SpaceReclaimer(writer: store.maintenance, freeBytes: { _ in nil }, log: Log { _, _ in })
    try store.pool.read { (db: Database) throws in
      let sum = "SELECT sum(length(bytes)) FROM small"
      #expect(try db.integer(sum) == 1_000_000)
      while !reclaimer.run() {}
      _ = store.checkpointer.truncate()
      #expect(try db.integer(sum) == 1_000_000)
    }
    #expect(try state(of: store) == .fewFree)
    #expect(store.checkpointer.truncate() == .done)
    #expect(fileSize(store) < before / 3, "\(before) bytes before, \(fileSize(store)) after")
    #expect(try titles(store).count == 50)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    // What is written next grows the file again.
    try store.maintenance.write { try $0.execute("INSERT INTO large (bytes) VALUES (zeroblob(5000000))") }
    #expect(store.checkpointer.truncate() == .done)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    store.close()
  }

  @Test("a small library of an earlier version keeps all it has and gives its unused pages back while nobody writes")
  func small() async throws {
    try await old()
    let store = try Store.toys(in: folder)
    let (names, before) = (try titles(store), fileSize(store))
    while try state(of: store) != .fewFree { await Task.yield() }
    #expect(store.checkpointer.truncate() == .done)
    #expect(fileSize(store) < before / 3, "\(before) bytes before, \(fileSize(store)) after")
    #expect(try titles(store) == names)
    #expect(try store.pool.read { try $0.integer("PRAGMA auto_vacuum") } == 2)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    store.close()
    let again = try Store.toys(in: folder)
    #expect(try titles(again) == names)
    again.close()
  }

  @Test("a large library of an earlier version is rewritten when it is repaired, and not before")
  func repaired() async throws {
    try await old()
    // The disk lets none be rewritten while it is idle.
    let store = try Store.toys(in: folder, freeBytes: { _ in 1 << 20 })
    let before = fileSize(store)
    let idle = SpaceReclaimer(
      writer: store.maintenance, freeBytes: { _ in nil }, log: Log { _, _ in }, mostIdleBytes: 1 << 10)
    #expect(idle.run())
    guard case .whole = try state(of: store) else {
      Issue.record("\(try state(of: store))")
      return
    }
    let full = try store.check(CheckOptions(repair: true)) { _ in }
    #expect(full.findings.map(\.key) == ["check.noRoomToShrink"])
    #expect(fileSize(store) == before)
    #expect(try idle.repair() == nil)
    #expect(try state(of: store) == .fewFree)
    #expect(fileSize(store) < before / 3, "\(before) bytes before, \(fileSize(store)) after")
    #expect(try titles(store).count == 50)
    #expect(try store.check(CheckOptions(repair: true)) { _ in }.findings == [])
    store.close()
  }
}
