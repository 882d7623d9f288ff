import Contract
import SQLite
import Synchronization
import Wire

/// Returns free pages of the library's file to the file system.
///
/// SQLite reuses the pages that deletions leave free, and never shrinks the file by itself. A library of this version
/// has `auto_vacuum = INCREMENTAL`: SQLite tracks the parent of each page, so that pages can be moved from the end of
/// the file into free ones, some at a time.
///
///     incremental   many pages are free      some pages per commit, 20 ms a turn, in the writer's idle time
///     not           made by earlier versions VACUUM, which rewrites all of the library in one commit and makes it
///                                            incremental: in idle time if it is small, else `library/check {repair}`
///
/// Nothing here truncates the file. The next checkpoint of the complete WAL does (`WALCheckpointer`), and never under a
/// reader: a reader that needs the end of the file keeps the checkpoint incomplete.
struct SpaceReclaimer: Sendable {
  /// How free pages can be returned.
  enum State: Equatable {
    /// Too few pages are free to be worth a write.
    case fewFree
    /// Pages can be returned one by one.
    case incremental
    /// Only VACUUM can return pages; the library has `used` bytes in use and `free` bytes free.
    case whole(used: Int64, free: Int64)
  }

  let writer: MaintenanceWriter
  /// Bytes left on the disk of a folder, or nil if unknown.
  let freeBytes: @Sendable (_ path: String) -> Int64?
  let log: Log
  private let mostIdleBytes: Int64
  private let idleYield: IdleYield
  private let attempts = Attempts()

  /// A VACUUM that failed would fail again after each write, so it is tried once in idle time.
  private final class Attempts: Sendable {
    let hasFailed = Atomic(false)
  }

  init(
    writer: MaintenanceWriter, freeBytes: @escaping @Sendable (String) -> Int64?, log: Log,
    mostIdleBytes: Int64 = Self.mostIdleBytes, asked: @escaping @Sendable () -> Int = { 0 }
  ) {
    (self.writer, self.freeBytes, self.log, self.mostIdleBytes) = (writer, freeBytes, log, mostIdleBytes)
    idleYield = IdleYield(asked: asked)
  }

  /// Runs after the search index is merged, since merging frees pages and needs some.
  static let pause: Duration = .milliseconds(50)
  private static let longest: Duration = .milliseconds(20)
  private static let step = 256
  /// Free bytes that are retained for the next writes, in addition to an eighth of the file.
  private static let fewBytes: Int64 = 1 << 20
  /// The most bytes that one commit rewrites in idle time: a write that arrives meanwhile waits for it, and the WAL
  /// stays below its limit.
  static let mostIdleBytes: Int64 = 16 << 20

  /// Called on the writing connection of a file that may be new, before anything is written to it: SQLite lets the mode
  /// be chosen only before the first page exists.
  static func enable(in db: Database) throws {
    guard try number("page_count", db) == 0 else { return }
    try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
  }

  static func state(of db: Database) throws -> State {
    let (pages, freePages) = try (number("page_count", db), number("freelist_count", db))
    let pageSize = try number("page_size", db)
    let free = freePages * pageSize
    guard free > fewBytes, freePages > pages / 8 else { return .fewFree }
    guard try number("auto_vacuum", db) == 0 else { return .incremental }
    return .whole(used: (pages - freePages) * pageSize, free: free)
  }

  private static func number(_ pragma: String, _ db: Database) throws -> Int64 {
    try db.first("PRAGMA \(pragma)") { $0.integer(0) } ?? 0
  }

  private func state() throws -> State { try writer.pool.writeWithoutTransaction { try Self.state(of: $0) } }

  /// One turn of the writer's idle time. Returns whether no more pages can be returned now, also after a failure such
  /// as a full disk: the next write starts another turn.
  func run() -> Bool {
    do {
      switch try state() {
      case .fewFree: return true
      case .whole(let used, _):
        guard used <= mostIdleBytes, !attempts.hasFailed.load(ordering: .relaxed), hasRoom(for: used) else {
          return true
        }
        if idleYield.yields() { return false }
        try rewrite()
        return true
      case .incremental:
        if idleYield.yields() { return false }
        return try giveBackSome()
      }
    } catch {
      let isEnd = (error as? RPCError)?.isOfEnd ?? false
      // A full disk fails again after each write, and is logged once.
      if !attempts.hasFailed.exchange(true, ordering: .relaxed), !isEnd {
        log("unused pages of the library could not be released: \(error)", as: .warning)
      }
      return true
    }
  }

  private func giveBackSome() throws -> Bool {
    let end = ContinuousClock.now + Self.longest
    repeat {
      let isDone = try writer.write { db in
        guard try Self.state(of: db) == .incremental else { return true }
        let pages = try Self.number("page_count", db)
        // The statement takes one page off the file each time it is stepped.
        try db.each("PRAGMA incremental_vacuum(\(Self.step))") { _ in }
        return try Self.number("page_count", db) == pages
      }
      if isDone { return true }
    } while ContinuousClock.now < end
    return false
  }

  /// Rewrites a library of an earlier version if that returns much space, for `library/check {repair}`. Writes wait
  /// meanwhile, reads do not.
  ///
  /// - Returns: the bytes that cannot be returned for lack of disk space; nil if there are none.
  /// - Throws: `DatabaseError`; the library is as it was.
  func repair() throws -> Int64? {
    guard case .whole(let used, let free) = try state() else { return nil }
    guard hasRoom(for: used) else { return free }
    try rewrite()
    writer.checkpointer.empty()
    return nil
  }

  /// VACUUM writes the library once into a temporary file and once into the write-ahead log.
  private func hasRoom(for used: Int64) -> Bool {
    freeBytes(writer.path).map { $0 > 2 * used + Self.fewBytes } ?? true
  }

  private func rewrite() throws {
    try writer.tenure.check()
    defer { writer.checkpointer.afterCommit() }
    try writer.pool.writeWithoutTransaction { db in
      defer { writer.databaseRoom.forget() }
      try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
      try db.execute("VACUUM")
    }
  }
}
