import Contract
import Display
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing
import Threads
import Wire

@testable import Store
@testable import System

@Suite("Parts of the store", .timeLimit(.minutes(10))) struct StorePartsTests {
  /// It is there as long as a test.
  private let folder = TemporaryFolder()

  @Test("a write is cancelled before it begins, or stops between its slices, and is told so each time")
  func tokens() {
    let waiting = WriteToken()
    #expect(waiting.cancel() && waiting.cancel() && !waiting.begin() && !waiting.isUnwanted)
    let begun = WriteToken()
    #expect(begun.begin() && !begun.isUnwanted)
    #expect(!begun.cancel() && begun.isUnwanted && !begun.cancel() && begun.isUnwanted)
    // A write that runs again, alone, is not refused for having begun.
    #expect(begun.begin() && begun.isUnwanted)
  }

  @Test("a lock is one thread's at a time, and is given back after an error")
  func fairLock() async {
    struct Refused: Error {}
    final class Inside: Sendable {
      let count = Atomic(0)
      let most = Atomic(0)
    }
    let lock = FairLock()
    let inside = Inside()
    #expect(throws: Refused.self) { try lock.take { throw Refused() } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await withCheckedContinuation { ended in
            startThread(named: "locks") {
              for _ in 0..<500 {
                lock.take {
                  let count = inside.count.add(1, ordering: .sequentiallyConsistent).newValue
                  inside.most.max(count, ordering: .sequentiallyConsistent)
                  sched_yield()
                  inside.count.subtract(1, ordering: .sequentiallyConsistent)
                }
              }
              ended.resume()
            }
          }
        }
      }
    }
    #expect(inside.most.load(ordering: .sequentiallyConsistent) == 1)
    #expect(lock.take { 7 } == 7)
  }

  @Test("reserved space is a file of the user's alone, which only grows, follows no link, and goes when it is given up")
  func reservation() throws {
    let folder = TemporaryFolder()
    let reservation = SpaceReservation(LibraryFolder(folder.path))
    func size() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: reservation.path)[.size] as? Int
    }
    try reservation.grow(to: 10_000, library: "l")
    #expect(try size() == 10_000)
    let attributes = try FileManager.default.attributesOfItem(atPath: reservation.path)
    #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
    try reservation.grow(to: 5_000, library: "l")
    #expect(try size() == 10_000)
    try reservation.grow(to: 20_000, library: "l")
    #expect(try size() == 20_000)
    reservation.giveUp()
    #expect(!FileManager.default.fileExists(atPath: reservation.path))
    reservation.giveUp()
    let other = folder.file("other")
    try Data("kept".utf8).write(to: URL(filePath: other))
    try FileManager.default.createSymbolicLink(atPath: reservation.path, withDestinationPath: other)
    // A link is none of ours, and that no space can be reserved is no error.
    try reservation.grow(to: 10_000, library: "l")
    #expect(try Data(contentsOf: URL(filePath: other)) == Data("kept".utf8))
    try SpaceReservation(LibraryFolder(folder.file("none"))).grow(to: 1, library: "l")
  }

  @Test("a column is read as its field's type, and what no write of ours stored is refused")
  func columns() throws {
    func read<Value>(_ type: FieldType<Value>, _ column: SQLValue) -> Value? { try? type.read(column) }
    let small = FieldType<Int>.integer(1...9)
    #expect(
      (0...10).map { read(small, .integer(Int64($0))) != nil } == [false] + Array(repeating: true, count: 9) + [false])
    #expect(read(small, .null) == nil && read(small, .text("3")) == nil && read(small, .real(3)) == 3)
    #expect(read(small, .real(3.5)) == nil && read(FieldType<Int?>.integer(1...9), .null) == .some(nil))
    #expect(
      read(Int64.fieldType, .null) == 0 && read(Bool.fieldType, .integer(2)) == true
        && read(Bool.fieldType, .null) == false)
    #expect(
      read(Double.fieldType, .integer(2)) == 2 && read(Double.fieldType, .null) == 0
        && read(Double.fieldType, .text("2")) == nil)
    #expect(read(String.fieldType, .text("a\0b")) == "a\u{FFFD}b" && read(String.fieldType, .null) == "")
    #expect(read(String.fieldType, .integer(1)) == nil && read(String?.fieldType, .null) == .some(nil))
    #expect(read(CalendarDay.fieldType, .text("2026-11-21")) != nil && read(CalendarDay.fieldType, .text("x")) == nil)
    #expect(read(CalendarDay.fieldType, .null) == nil && read(CalendarDay?.fieldType, .null) == .some(nil))
    #expect(read(Instant.fieldType, .integer(5)) == Instant(milliseconds: 5))
    let hash = String(repeating: "0a", count: 32)
    #expect(read(FieldType<String>.hash, .text(hash)) == hash)
    for odd in ["", "../" + hash.dropFirst(3), hash.uppercased(), hash + "0", String(hash.dropLast())] {
      #expect(read(FieldType<String>.hash, .text(odd)) == nil, "\(odd)")
    }
    #expect(read([String].fieldType, .text("[]")) == [] && read([String].fieldType, .null) == [])
    #expect(read([String].fieldType, .text("[\"a\"]")) == ["a"] && read([String].fieldType, .text("[1]")) == nil)
    #expect(read([String].fieldType, .text("x")) == nil && read([Int].fieldType, .text("[1]")) == [1])
    #expect(try [String].fieldType.stored([]).isSame(as: .text("[]")))
    #expect(try [String].fieldType.stored(["a"]).isSame(as: .text("[\"a\"]")))
    #expect(try Int?.fieldType.stored(nil).isSame(as: .null) && Bool.fieldType.stored(true).isSame(as: .bool(true)))
  }

  @Test("a library's identity names no path, and its clock leaves room for the next")
  func identity() throws {
    let db = try Database(path: Database.inMemory)
    try db.execute("CREATE TABLE library (id, epoch, clock)")
    #expect(try LibraryIdentity.read(db) == nil)
    func read(_ id: SQLValue, _ epoch: SQLValue, _ clock: SQLValue) throws -> LibraryIdentity? {
      try db.run("DELETE FROM library")
      try db.run("INSERT INTO library VALUES (?, ?, ?)", [id, epoch, clock])
      return try? LibraryIdentity.read(db)
    }
    #expect(try read(.text("a"), .text("b"), .integer(0))?.clock == 0)
    #expect(try read(.text("a"), .text("b"), .integer(1 << 53))?.epoch == "b")
    for (id, epoch, clock): (SQLValue, SQLValue, SQLValue) in [
      (.text("../a"), .text("b"), .integer(0)), (.text("a"), .text(".."), .integer(0)),
      (.text(""), .text("b"), .integer(0)), (.text("a"), .text("b"), .integer(-1)),
      (.text("a"), .text("b"), .integer(1 << 53 + 1)), (.text("a"), .text("b"), .integer(Int64.max)),
      (.text("a"), .text("b"), .text("0")), (.integer(1), .text("b"), .integer(0)), (.text("a"), .null, .integer(0)),
    ] { #expect(try read(id, epoch, clock) == nil, "\(id) \(epoch) \(clock)") }
  }

  private func commit(_ clock: Int64, _ ids: String...) -> Commit {
    Commit(
      clock: clock,
      changes: ids.map { Change(collection: "toys", id: $0, kind: .updated, revision: clock, fields: ["name"]) })
  }

  @Test("a follower gets the changes since its clock, merged; what lags behind all that is stored gets a reset")
  func feed() throws {
    let feed = ChangeFeed(clock: 10, capacity: 4)
    #expect(feed.head == 10 && feed.delta(since: 10) == nil)
    let woken = Mutex(0)
    let token = feed.follow { woken.withLock { $0 += 1 } }
    feed.append([])
    #expect(woken.withLock(\.self) == 0)
    feed.append([commit(11, "a"), commit(12, "a", "b")])
    #expect(woken.withLock(\.self) == 1 && feed.head == 12 && feed.delta(since: 12) == nil)
    func changed(since clock: Int64) -> [String]? {
      guard case .changes(let changes)? = feed.delta(since: clock)?.content else { return nil }
      return changes.map(\.id)
    }
    #expect(changed(since: 10).map(Set.init) == ["a", "b"] && changed(since: 10)?.count == 2)
    #expect(changed(since: 11) == ["a", "b"] && feed.delta(since: 9)?.content == .reset(nil))
    #expect(feed.delta(since: 10)?.clock == 12 && feed.delta(since: 9)?.clock == 12)
    // Three entries are stored; with three more the two oldest commits go.
    feed.append([commit(13, "c"), commit(14, "d"), commit(15, "e")])
    #expect(feed.delta(since: 10)?.content == .reset(nil) && feed.delta(since: 11)?.content == .reset(nil))
    #expect(changed(since: 12) == ["c", "d", "e"])
    feed.unfollow(token)
    feed.append([commit(16, "f")])
    #expect(woken.withLock(\.self) == 2)
  }

  @Test("followers that lag by two thousand changes still get them, and not by more")
  func feedCapacity() {
    let feed = ChangeFeed(clock: 0)
    for clock in 1...2_048 { feed.append([commit(Int64(clock), "t\(clock % 7)")]) }
    #expect(feed.delta(since: 0)?.content != .reset(nil))
    feed.append([commit(2_049, "t")])
    #expect(feed.delta(since: 0)?.content == .reset(nil) && feed.delta(since: 1)?.content != .reset(nil))
  }

  @Test("statements that run are not dropped for others, however many those are")
  func runningStatements() throws {
    let db = try Database(path: Database.inMemory)
    var found: [Int] = []
    try db.each("SELECT value FROM json_each('[1,2,3]')", []) { row in
      for number in found.isEmpty ? 0..<5_000 : 0..<0 {
        let value = try db.integer("SELECT \(number)")
        #expect(value == number)
      }
      found.append(row.int(0))
    }
    #expect(found == [1, 2, 3])
  }

  @Test("a client hears of a day once, by its own zone and by the library's, and knows how long it lasts")
  func days() throws {
    let (seoul, newYork) = (try #require(Zone("Asia/Seoul")), try #require(Zone("America/New_York")))
    let library = DayClock(zone: seoul, dayStartsAt: 240)
    // 12:00 in Seoul, 22:00 of the day before in New York.
    let now = try #require(Instant("2026-11-21T03:00:00.000Z"))
    var watch = DayWatch(library: library, zone: newYork, now: now)
    #expect(watch.seen.day.description == "2026-11-20" && watch.seen.libraryDay.description == "2026-11-21")
    #expect(watch.look(at: now, zone: newYork) == nil)
    // The client's day ends at 04:00 in New York, in six hours; the library's in sixteen.
    #expect(watch.untilNextTurn(at: now, zone: newYork) == 6 * 3_600_000)
    let turned = now.adding(milliseconds: 6 * 3_600_000)
    #expect(watch.look(at: turned.adding(milliseconds: -1), zone: newYork) == nil)
    let heard = watch.look(at: turned, zone: newYork)
    #expect(heard?.day.description == "2026-11-21" && heard?.libraryDay.description == "2026-11-21")
    #expect(watch.look(at: turned, zone: newYork) == nil)
    #expect(watch.untilNextTurn(at: turned, zone: newYork) == 10 * 3_600_000)
    // A client that travels hears of its own day at once.
    #expect(watch.look(at: now, zone: newYork)?.day.description == "2026-11-20")
    #expect(watch.look(at: now, zone: seoul)?.day.description == "2026-11-21")
  }

  @Test("removed items are listed up to a size, the last removed first, and one of them is in any case")
  func removals() async throws {
    let store = try Store.toys(in: folder)
    try store.pool.write { try $0.execute(LoggedRemoval.index) }
    for id in ["a", "b", "c"] { try await store.write { try $0.insert(ToyRecord.named(id)) } }
    for id in ["a", "b", "c"] { try await store.write { try $0.remove($0.snapshot.get(ToyRecord.self, id: id)) } }
    let toys = ToyFeature.feature.collections
    func listed(upTo size: Int, limit: Int = 10, after place: LoggedRemoval.Place? = nil) throws -> [LoggedRemoval] {
      try store.pool.read { db in
        try LoggedRemoval.list(
          of: toys, among: toys, after: place, limit: limit, upTo: size, in: .pin(db, caller: DaemonCaller()))
      }
    }
    let all = try listed(upTo: .max)
    #expect(all.map(\.id) == ["c", "b", "a"])
    #expect(try listed(upTo: 1).map(\.id) == ["c"] && listed(upTo: 0).map(\.id) == ["c"])
    #expect(try listed(upTo: .max, limit: 2).map(\.id) == ["c", "b"])
    #expect(try listed(upTo: .max, after: all[1].place).map(\.id) == ["a"])
    store.close()
  }
}
