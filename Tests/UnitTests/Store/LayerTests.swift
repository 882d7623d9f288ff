import CStore
import Foundation
import TestSupport
import Testing

/// The layer below SQLite, called as SQLite calls it.
@Suite("The layer below SQLite") struct LayerTests {
  private static let logFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_WAL

  /// A file of the layer, until it is closed.
  private final class File {
    let memory: UnsafeMutableRawPointer
    let code: Int32

    var file: UnsafeMutablePointer<sqlite3_file> { memory.assumingMemoryBound(to: sqlite3_file.self) }
    var isOpen: Bool { file.pointee.pMethods != nil }
    private var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }
    private var path: UnsafeMutablePointer<CChar>

    init(_ path: String, _ flags: Int32 = LayerTests.logFlags) throws {
      try #require(cp_sqlite_configure() == SQLITE_OK)
      let layer = try #require(sqlite3_vfs_find("commonplace"))
      let size = Int(layer.pointee.szOsFile)
      memory = .allocate(byteCount: size, alignment: 16)
      memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: size)
      memory.assumingMemoryBound(to: sqlite3_file.self).pointee.pMethods = nil
      // A log has the rights of its library, which must be there; SQLite keeps the path as long as its file.
      let library = path.hasSuffix("-wal") ? String(path.dropLast(4)) : path
      if path != library { _ = FileManager.default.createFile(atPath: library, contents: nil) }
      self.path = strdup(path)
      var granted: Int32 = 0
      code = layer.pointee.xOpen(
        layer, sqlite3_filename(self.path), memory.assumingMemoryBound(to: sqlite3_file.self), flags, &granted)
    }

    deinit {
      if isOpen { close() }
      free(path)
      memory.deallocate()
    }

    @discardableResult
    func write(_ bytes: [UInt8], at offset: Int) -> Int32 {
      methods.xWrite(file, bytes, Int32(bytes.count), sqlite3_int64(offset))
    }

    func read(_ count: Int, at offset: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      return methods.xRead(file, &bytes, Int32(count), sqlite3_int64(offset)) == SQLITE_OK ? bytes : nil
    }

    var size: Int? {
      var size: sqlite3_int64 = -1
      return methods.xFileSize(file, &size) == SQLITE_OK ? Int(size) : nil
    }

    func truncate(_ size: Int) -> Int32 { methods.xTruncate(file, sqlite3_int64(size)) }
    func sync() -> Int32 { methods.xSync(file, SQLITE_SYNC_NORMAL) }
    func lock(_ level: Int32) -> Int32 { methods.xLock(file, level) }
    func unlock(_ level: Int32) -> Int32 { methods.xUnlock(file, level) }

    var isReserved: Bool? {
      var answer: Int32 = -1
      return methods.xCheckReservedLock(file, &answer) == SQLITE_OK ? answer != 0 : nil
    }

    var sector: Int32 { methods.xSectorSize(file) }
    var characteristics: Int32 { methods.xDeviceCharacteristics(file) }

    func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
      methods.xFileControl(file, operation, argument)
    }

    @discardableResult
    func close() -> Int32 {
      let code = methods.xClose(file)
      file.pointee.pMethods = nil
      return code
    }
  }

  private let folder = TemporaryFolder()
  private var path: String { folder.file("library.sqlite-wal") }

  private func onDisk() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  /// What stands before a page: of the last page of a commit it has the library's size.
  private func head(ends: Bool = false) -> [UInt8] {
    [0, 0, 0, 7] + (ends ? [0, 0, 1, 0] : [0, 0, 0, 0]) + [UInt8](repeating: 3, count: 16)
  }

  private func page(_ letter: UInt8, _ count: Int = 4_096) -> [UInt8] { [UInt8](repeating: letter, count: count) }

  @Test("what is gathered is in the file before anything could see the file")
  func seen() throws {
    let steps: [(String, (File) -> Bool)] = [
      ("read", { $0.read(4, at: 0) == [0, 0, 0, 7] }),
      ("size", { $0.size == 24 + 4_096 }),
      ("sync", { $0.sync() == SQLITE_OK }),
      ("close", { $0.close() == SQLITE_OK }),
      ("a write elsewhere", { $0.write([9], at: 10_000) == SQLITE_OK }),
    ]
    for (name, step) in steps {
      let file = try File(path)
      #expect(file.write(head(), at: 0) == SQLITE_OK && file.write(page(1), at: 24) == SQLITE_OK)
      #expect(try onDisk().isEmpty, "\(name)")
      #expect(step(file), "\(name)")
      #expect(try onDisk().starts(with: head() + page(1)), "\(name)")
      if file.isOpen { file.close() }
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("a file that is cut is cut behind what was written to it")
  func cut() throws {
    let file = try File(path)
    file.write(page(1), at: 0)
    #expect(file.truncate(100) == SQLITE_OK)
    #expect(try onDisk() == page(1, 100))
    file.write(page(2, 5), at: 100)
    #expect(file.size == 105)
    file.close()
    #expect(try onDisk() == page(1, 100) + page(2, 5))
  }

  @Test("the last page of a commit is written at once, with all before it, and no other page")
  func commits() throws {
    let file = try File(path)
    func pageAfter(_ head: [UInt8], at place: Int) throws -> Bool {
      file.write(head, at: place)
      let before = try onDisk().count
      file.write(page(5), at: place + head.count)
      return try onDisk().count > before
    }
    #expect(try !pageAfter(head(), at: 0))
    #expect(try pageAfter(head(ends: true), at: 4_120))
    #expect(try onDisk().count == 2 * 4_120)
    #expect(try !pageAfter(head(), at: 2 * 4_120))
    for byte in 4..<8 {
      var head = head()
      head[byte] = 1
      let size = try #require(file.size)
      #expect(try pageAfter(head, at: size), "\(byte)")
    }
    for byte in [3, 8] {
      var head = head()
      head[byte] = 1
      let size = try #require(file.size)
      #expect(try !pageAfter(head, at: size), "\(byte)")
    }
    // Only a page that comes behind its head, and only one of the length of a head is one.
    let size = try #require(file.size)
    #expect(try !pageAfter(head(ends: true) + [0], at: size))
    file.close()
  }

  @Test("more bytes than are gathered at once, and any pattern of places, arrive as they were written")
  func patterns() throws {
    var expected = [UInt8](repeating: 0, count: 600_000)
    var state: UInt32 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % bound
    }
    let file = try File(path)
    var (place, most) = (0, 0)
    for round in 0..<400 {
      let lengths = [24, 4_096, 1, 65_536, 120 << 10, (120 << 10) + 1, (120 << 10) - 24, 127 << 10]
      let count = lengths[round % 50 == 0 ? random(8) : random(4)]
      if place + count > expected.count || random(10) == 0 { place = random(expected.count - count) }
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) }
      #expect(file.write(bytes, at: place) == SQLITE_OK)
      expected.replaceSubrange(place..<place + count, with: bytes)
      place += count
      most = max(most, place)
      if random(20) == 0 { #expect(file.read(min(50, most), at: 0) == Array(expected.prefix(min(50, most)))) }
    }
    file.close()
    #expect(try onDisk() == Array(expected.prefix(most)))
  }

  @Test("bytes are gathered up to 120 KiB, and written when one more comes")
  func gathered() throws {
    let file = try File(path)
    file.write(page(1, (120 << 10) - 10), at: 0)
    file.write(page(2, 10), at: (120 << 10) - 10)
    #expect(try onDisk().isEmpty)
    file.write([3], at: 120 << 10)
    #expect(try onDisk().count == 120 << 10)
    file.close()
    #expect(try onDisk().count == 120 << 10 | 1)
  }

  @Test("a file that cannot be opened is not open, and says so; one of another kind is SQLite's own")
  func opening() throws {
    let missing = try File(folder.file("no folder/log"))
    #expect(missing.code != SQLITE_OK && !missing.isOpen)
    let other = try File(
      folder.file("library.sqlite"), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB)
    #expect(other.code == SQLITE_OK)
    other.write([1], at: 0)
    #expect(try Data(contentsOf: URL(filePath: folder.file("library.sqlite"))).count == 1)
  }

  @Test("that bytes could not be written is told by the call that has them written, closing too")
  func unwritable() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let path = TemporaryFolder(keeping: NSTemporaryDirectory()).file("\(UUID().uuidString)-wal")
      defer { for name in [path, String(path.dropLast(4))] { unlink(name) } }
      let steps: [(File) -> Bool] = [
        { $0.read(1, at: 0) == nil }, { $0.size == nil }, { $0.sync() != SQLITE_OK }, { $0.truncate(0) != SQLITE_OK },
        { $0.close() != SQLITE_OK }, { $0.write([1], at: 9_000) != SQLITE_OK },
      ]
      // Nothing is written behind the first thousand bytes.
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      limit.rlim_cur = 1_000
      setrlimit(resource, &limit)
      for (number, step) in steps.enumerated() {
        let file = try File(path)
        guard file.write([UInt8](repeating: 1, count: 10), at: 2_000) == SQLITE_OK else { exit(20) }
        guard step(file) else { exit(Int32(number) + 1) }
      }
    }
  }

  @Test("a log's locks and what its disk can do are those of the file itself")
  func delegated() throws {
    let (one, other) = (try File(path), try File(path))
    let usual = try File(folder.file("usual"), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB)
    #expect(one.sector == usual.sector && one.sector > 0)
    #expect(one.characteristics == usual.characteristics)
    var version: Int32 = 0
    #expect(one.control(SQLITE_FCNTL_LOCKSTATE, &version) == usual.control(SQLITE_FCNTL_LOCKSTATE, &version))
    #expect(one.control(99_999, nil) == SQLITE_NOTFOUND)
    // Nobody locks a log: its library is locked.
    for file in [one, other] {
      #expect(file.lock(SQLITE_LOCK_SHARED) == SQLITE_OK && file.isReserved == false)
      #expect(file.unlock(SQLITE_LOCK_NONE) == SQLITE_OK)
    }
  }

  @Test("a statement journal takes any length at once")
  func journal() throws {
    for count in [1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 128 << 10, 300_000] {
      let file = try File(
        path,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_SUBJOURNAL)
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
      #expect(file.write(bytes, at: 3) == SQLITE_OK)
      #expect(file.size == count + 3 && file.read(count, at: 3) == bytes)
      file.close()
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  // MARK: What is set for the process, and for a connection

  @Test("SQLite does not count its memory, and what is set twice is as if set once")
  func configured() async {
    await #expect(processExitsWith: .success) {
      guard cp_sqlite_configure() == SQLITE_OK else { exit(1) }
      var connection: OpaquePointer?
      guard sqlite3_open(":memory:", &connection) == SQLITE_OK, sqlite3_memory_used() == 0 else { exit(2) }
      let layer = sqlite3_vfs_find("commonplace")
      guard layer != nil, cp_sqlite_configure() == SQLITE_OK, sqlite3_vfs_find("commonplace") == layer else { exit(3) }
      guard sqlite3_vfs_find(nil) == layer else { exit(4) }
    }
  }

  @Test("a savepoint that touches as many pages as a group of writes does keeps what it would roll back in memory")
  func savepoints() async {
    await #expect(processExitsWith: .success) {
      guard cp_sqlite_configure() == SQLITE_OK else { exit(1) }
      let folder = TemporaryFolder()
      var connection: OpaquePointer?
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      guard sqlite3_open_v2(folder.file("a.sqlite"), &connection, flags, "commonplace") == SQLITE_OK else { exit(2) }
      func run(_ sql: String) { if sqlite3_exec(connection, sql, nil, nil, nil) != SQLITE_OK { exit(3) } }
      func writes() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/self/io", encoding: .utf8).split(separator: "\n")
        return lines.first { $0.hasPrefix("syscw:") }?.split(separator: " ").last.flatMap { Int($0) } ?? -1
      }
      run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (id INTEGER PRIMARY KEY, body)")
      run(
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO t SELECT i, zeroblob(4000) FROM n"
      )
      run("BEGIN; UPDATE t SET body = randomblob(4000) WHERE id = 1; SAVEPOINT part")
      let before = try writes()
      run("UPDATE t SET body = randomblob(4000)")
      guard try writes() - before == 0 else { exit(4) }
      run("ROLLBACK TO part; COMMIT")
    }
  }

  @Test("text in double quotes is a name or a mistake, in a query and in a schema")
  func quotes() throws {
    var connection: OpaquePointer?
    #expect(sqlite3_open(":memory:", &connection) == SQLITE_OK)
    defer { sqlite3_close(connection) }
    func code(_ sql: String) -> Int32 { sqlite3_exec(connection, sql, nil, nil, nil) }
    #expect(code("CREATE TABLE t (a)") == SQLITE_OK)
    cp_sqlite_forbid_quoted_strings(connection)
    #expect(code("SELECT \"a\" FROM t") == SQLITE_OK)
    #expect(code("SELECT \"nothing\"") == SQLITE_ERROR)
    #expect(code("CREATE INDEX i ON t (\"nothing\")") == SQLITE_ERROR)
  }

  @Test("a connection that is defended refuses to write the schema by hand, until it is not")
  func defended() {
    var connection: OpaquePointer?
    #expect(sqlite3_open(":memory:", &connection) == SQLITE_OK)
    defer { sqlite3_close(connection) }
    func code(_ sql: String) -> Int32 { sqlite3_exec(connection, sql, nil, nil, nil) }
    #expect(code("CREATE TABLE t (a); PRAGMA writable_schema = ON") == SQLITE_OK)
    #expect(cp_sqlite_defend(connection, 1) == SQLITE_OK)
    #expect(code("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql") == SQLITE_ERROR)
    #expect(cp_sqlite_defend(connection, 0) == SQLITE_OK)
    #expect(code("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql") == SQLITE_OK)
  }

  @Test("files are exchanged in one step, and a descriptor's disk is synced; what cannot be says why")
  func files() throws {
    for (name, text) in [("a", "one"), ("b", "two")] {
      try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
    }
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    func text(_ name: String) throws -> String { try String(contentsOfFile: folder.file(name), encoding: .utf8) }
    #expect(cp_files_exchange(descriptor, "a", "b") == 0)
    #expect(try text("a") == "two" && text("b") == "one")
    #expect(cp_files_exchange(descriptor, "a", "c") == -1 && errno == ENOENT)
    #expect(try text("a") == "two" && !FileManager.default.fileExists(atPath: folder.file("c")))
    #expect(cp_disk_sync(descriptor) == 0)
    #expect(cp_disk_sync(-1) == -1 && errno == EBADF)
  }
}
