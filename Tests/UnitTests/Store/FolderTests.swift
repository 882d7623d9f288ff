import Foundation
import TestSupport
import Testing

@testable import Store

/// The folders of a library and of what is remembered of it.
@Suite struct FolderTests {
  @Test("a library whose lock cannot be opened names the file that it is, and what is wrong with it")
  func lock() throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    try FileManager.default.createDirectory(atPath: library.lock, withIntermediateDirectories: false)
    let refusal = StoreError.cannotUseFile(path: library.lock, reason: "Is a directory")
    #expect(throws: refusal) { _ = try Ownership.take(library) }
    #expect(refusal.rpcError.text.key == "error.cannotUseFile")
  }

  @Test("a library whose write-ahead log cannot be opened is refused, and opens when the log is back")
  func log() throws {
    let folder = TemporaryFolder()
    let log = LibraryFolder(folder.file("library")).database + "-wal"
    try Store.toys(in: folder).close()
    try #require(rename(log, log + ".away") == 0)
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    #expect(throws: (any Error).self) { try Store.toys(in: folder).close() }
    try #require(rmdir(log) == 0 && rename(log + ".away", log) == 0)
    try Store.toys(in: folder).close()
  }

  @Test(
    "a link in the place of a folder of the library's own is refused, and what it leads to stays as it is",
    arguments: ["blobs", "parts", "blobs/ab"])
  func links(name: String) throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    let theirs = folder.file("theirs")
    try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: false)
    try Data("theirs".utf8).write(to: URL(filePath: theirs + "/old.tmp"))
    let path = library.path + "/" + name
    rmdir(path)
    try #require(symlink(theirs, path) == 0)
    #expect(throws: StoreError.cannotUseFolder(path: path, reason: "Not a directory")) { try library.prepare() }
    #expect(FileManager.default.fileExists(atPath: theirs + "/old.tmp"))
    unlink(path)
    try library.prepare()
  }

  @Test(
    "a library folder of another user is refused before anything is made in it, and so is another user's link",
    .enabled(if: geteuid() == 0, "Only root can be two users."))
  func foreign() throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    mkdir(library.path, 0o777)
    try #require(chown(library.path, 65_534, 65_534) == 0)
    #expect(throws: StoreError.foreign(path: library.path)) { try library.prepare() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path) == [])
    try #require(chown(library.path, 0, 0) == 0)
    try library.prepare()
    try #require(chown(library.parts, 65_534, 65_534) == 0)
    #expect(throws: StoreError.foreign(path: library.parts)) { try library.prepare() }
    try #require(chown(library.parts, 0, 0) == 0)

    // A link of the user's own is how a library is moved to another disk.
    let linked = LibraryFolder(folder.file("linked"))
    try #require(symlink(library.path, linked.path) == 0)
    try linked.prepare()
    try #require(lchown(linked.path, 65_534, 65_534) == 0)
    #expect(throws: StoreError.foreign(path: linked.path)) { try linked.prepare() }
  }

  @Test("a library below a folder into which everybody may write is refused, but not where the sticky bit guards it")
  func openParent() throws {
    let folder = TemporaryFolder()
    let parent = folder.file("parent")
    let library = LibraryFolder(parent + "/deeper/library")
    try library.prepare()
    chmod(parent, 0o777)
    let real = try #require(realpath(parent, nil).map { String(cString: $0) })
    let refusal = StoreError.openToOthers(path: real)
    #expect(throws: refusal) { try library.prepare() }
    #expect(throws: refusal) { try LibraryFolder(parent + "/new").prepare() }
    #expect(access(parent + "/new", F_OK) != 0)
    #expect(refusal.rpcError.kind == .notAllowed)
    chmod(parent, 0o1777)
    try library.prepare()
    chmod(parent, 0o770)
    try library.prepare()
  }

  @Test(
    "a library below a folder of another user is refused, with or without the sticky bit", .enabled(if: geteuid() == 0))
  func foreignParent() throws {
    let folder = TemporaryFolder()
    let parent = folder.file("parent")
    let library = LibraryFolder(parent + "/deeper/library")
    try library.prepare()
    let real = try #require(realpath(parent, nil).map { String(cString: $0) })
    try #require(chown(parent, 12_345, 12_345) == 0)
    for mode: mode_t in [0o755, 0o1777] {
      chmod(parent, mode)
      #expect(throws: StoreError.foreign(path: real)) { try library.prepare() }
    }
    try #require(chown(parent, 0, 0) == 0)
    try library.prepare()
  }

  @Test("a failure of Foundation is told as the system says it, also where it names only a number of its own")
  func sentences() throws {
    let missing = TemporaryFolder().file("missing")
    let failure = #expect(throws: (any Error).self) {
      _ = try FoundationEssentials.Data(contentsOf: URL(filePath: missing))
    }
    #expect(errorSentence(try #require(failure)) == "No such file or directory")
    #expect(errorSentence(CocoaError(.fileReadNoSuchFile)) == "No such file or directory")
    #expect(errorSentence(CocoaError(.fileWriteNoPermission)) == "Permission denied")
    #expect(errorSentence(POSIXError(.EROFS)) == "Read-only file system")
  }

  @Test("the lock keeps the time at which it was taken: what a client begins before it names the socket is no leftover")
  func timeOfLock() throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    try library.prepare()
    func time() throws -> Int {
      var information = stat()
      try #require(stat(library.lock, &information) == 0)
      return information.st_mtim.tv_sec
    }
    func age() { utimes(library.lock, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]) }
    try Data().write(to: URL(filePath: library.lock))
    age()
    let ownership = try Ownership.take(library)
    #expect(try time() > 1)
    age()
    let owner = Owner(pid: 1, socket: "/s", version: "1", epoch: "e", isAutomatic: false)
    ownership.announce(owner)
    #expect(Ownership.owner(of: library) == owner)
    #expect(try time() == 1)
    _ = consume ownership
  }

  @Test("a library whose database is gone or empty is refused, not begun anew, and keeps its files")
  func lostDatabase() throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    func open() throws { try Store.toys(in: folder).close() }
    func empty() throws { try Data().write(to: URL(filePath: library.database)) }
    let lost = StoreError.broken(path: library.path, reason: "noDatabase")
    try library.prepare()
    try empty()
    try open()
    // Its log alone tells that there was one.
    try empty()
    #expect(throws: lost) { try open() }
    try FileManager.default.removeItem(atPath: library.database)
    #expect(throws: lost) { try open() }
    #expect(!FileManager.default.fileExists(atPath: library.database))
    // So does a file that the reader gave.
    try FileManager.default.removeItem(atPath: library.database + "-wal")
    let part = library.parts + "/part"
    try Data("a book".utf8).write(to: URL(filePath: part))
    let blob = try Blobs(folder: library.blobs).adopt(file: part)
    #expect(throws: lost) { try open() }
    #expect(Blobs(folder: library.blobs).contains(blob.hash))
  }

  @Test("a library whose file is cut is refused, and one of which a checkpoint was killed at any page is not")
  func cutDatabase() throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    let log = library.database + "-wal"
    func open() throws -> Store { try Store.toys(in: folder) }
    func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }
    func put(_ database: Data, _ logged: Data?) throws {
      for ending in ["-wal", "-shm"] { unlink(library.database + ending) }
      try database.write(to: URL(filePath: library.database))
      try logged?.write(to: URL(filePath: log))
    }
    try open().close()
    let store = try open()
    try store.pool.write { db in
      for number in 0..<100 {
        try db.execute("INSERT INTO toy SELECT 'n\(number)', 1, 1, 1, 't', hex(zeroblob(2500)), NULL, NULL")
      }
    }
    let (before, logged) = (try bytes(library.database), try bytes(log))
    store.close()
    let (whole, rest) = (try bytes(library.database), try bytes(log))
    // The file has room for more than the pages of the library.
    func pageCount(_ file: Data) -> Int { Int(file[28..<32].reduce(0) { $0 << 8 | UInt32($1) }) }
    let pages = pageCount(whole)
    #expect(whole.count >= pages * 4_096 && pages > 100)

    // A checkpoint writes page for page, and sets the length last.
    for count in 0...pages {
      let done = whole.prefix(count * 4_096)
      try put(done + before.dropFirst(done.count), logged)
      #expect(throws: Never.self, "\(count)") { try library.refuseCutDatabase() }
      guard [0, 1, pages / 2, pages].contains(count) else { continue }
      let store = try open()
      let (found, check) = try store.pool.read { db in
        (try db.integer("SELECT count(*) FROM toy"), try db.texts("PRAGMA integrity_check"))
      }
      #expect(found == 100 && check == ["ok"])
      store.close()
    }

    let cut = StoreError.broken(path: library.path, reason: "databaseCut")
    let half = pages * 4_096 / 2
    var states: [(Int, Data?)] = [(half, rest), (half, nil), (half, Data()), (pages * 4_096 - 1, rest)]
    // The end of the log is gone too, and with it the commit that has pages of those that are missing.
    states.append((pageCount(before) * 4_096 / 2, logged.dropLast(1)))
    for (length, logged) in states {
      try put(whole.prefix(length), logged)
      #expect(throws: cut) { try open() }
      #expect(try bytes(library.database) == whole.prefix(length))
    }
    try put(whole, rest)
    try open().close()
  }

  @Test("a library's folder that others may read or write becomes the user's alone", arguments: [0o755, 0o777, 0o770])
  func looseFolder(mode: Int) throws {
    let folder = TemporaryFolder()
    let library = LibraryFolder(folder.file("library"))
    try FileManager.default.createDirectory(atPath: library.path, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: library.path)
    try library.prepare()
    let permissions = try FileManager.default.attributesOfItem(atPath: library.path)[.posixPermissions]
    #expect((permissions as? NSNumber)?.intValue == 0o700)
  }

  @Test("what was remembered on another machine, from which the folder was copied, is forgotten; of this one it stays")
  func otherMachine() throws {
    let folder = TemporaryFolder().file("state")
    let first = try MachineState(folder: folder, machine: "a") { "one" }
    first.remember(epoch: "e", clock: 7)
    let again = try MachineState(folder: folder, machine: "a") { "two" }
    #expect(again.device == "one" && again.clock(epoch: "e") == 7)
    // Of a system that has no name nothing can be told.
    #expect(try MachineState(folder: folder, machine: "") { "three" }.clock(epoch: "e") == 7)
    let moved = try MachineState(folder: folder, machine: "b") { "four" }
    #expect(moved.device == "four" && moved.clock(epoch: "e") == nil && !moved.hasSeen(epoch: "e"))
    #expect(again.notice == nil && moved.notice?.contains("another machine") == true)
  }

  @Test("what is remembered of libraries is the user's alone, also where an earlier version let others read it")
  func remembered() throws {
    let folder = TemporaryFolder()
    let device = folder.file("state/device")
    func mode() throws -> Int? {
      (try FileManager.default.attributesOfItem(atPath: device)[.posixPermissions] as? NSNumber)?.intValue
    }
    let first = try MachineState(folder: folder.file("state")) { "one" }
    #expect(try mode() == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: device)
    let second = try MachineState(folder: folder.file("state")) { "two" }
    #expect(first.device == "one" && second.device == "one")
    #expect(try mode() == 0o600)
  }

  @Test("what is remembered in a folder that was copied on the same machine is another device's, and forgotten")
  func copiedState() throws {
    let folder = TemporaryFolder()
    let state = folder.file("state")
    let first = try MachineState(folder: state, machine: "a") { "one" }
    first.remember(epoch: "e", clock: 7)
    #expect(try MachineState(folder: state, machine: "a") { "two" }.clock(epoch: "e") == 7)
    try FileManager.default.copyItem(atPath: state, toPath: folder.file("copy"))
    let copy = try MachineState(folder: folder.file("copy"), machine: "a") { "three" }
    #expect(copy.clock(epoch: "e") == nil && copy.device == "three")
    // The library of this epoch was made here all the same.
    #expect(copy.hasSeen(epoch: "e") && copy.notice?.contains("copied") == true)
    // The one that was copied is what it was.
    let again = try MachineState(folder: state, machine: "a") { "four" }
    #expect(again.clock(epoch: "e") == 7 && again.device == "one")
    // Put in its place, the copy is still one.
    try FileManager.default.removeItem(atPath: state)
    try FileManager.default.copyItem(atPath: folder.file("copy"), toPath: state)
    #expect(try MachineState(folder: state, machine: "a") { "five" }.device == "five")
    // An earlier version wrote the machine alone.
    try "a".write(toFile: state + "/machine", atomically: true, encoding: .utf8)
    #expect(try MachineState(folder: state, machine: "a") { "six" }.device == "five")
  }
}
