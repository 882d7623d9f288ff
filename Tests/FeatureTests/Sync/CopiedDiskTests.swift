import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Sync

@Suite("Sync: backups and copies of a disk") struct CopiedDiskTests {
  @Test("a library that was put back from a backup reads what it lacks, and what was removed since stays removed")
  func restored() async throws {
    let place = TemporaryFolder()
    let (folder, backup) = (TemporaryFolder(), TemporaryFolder())
    var laptop = try await SharedDevice(at: place.path, in: folder)
    let code = try #require(try await laptop.call("sync/setUp", ["name": "laptop"])["code"])
    let phone = try await SharedDevice(at: place.path)
    try await phone.call("sync/setUp", ["code": code, "name": "phone"])
    for id in ["a", "b"] { try await laptop.call("notes/add", ["id": .string(id), "text": "Tea"]) }
    try await exchange([laptop, phone])
    // Not sent when the backup is made: it is sent twice.
    try await laptop.call("notes/add", ["id": "u", "text": "Unsent"])
    await laptop.stop()
    try copyDisk(folder, to: backup)

    laptop = try await SharedDevice(at: place.path, in: folder)
    try await laptop.call("notes/update", ["id": "a", "text": "Green tea"])
    try await laptop.call("notes/remove", ["id": "b"])
    try await laptop.call("notes/add", ["id": "c", "text": "Milk"])
    try await exchange([laptop, phone])
    await laptop.stop()
    try copyDisk(backup, to: folder)

    laptop = try await SharedDevice(at: place.path, in: folder)
    try await laptop.call("notes/add", ["id": "d", "text": "Sugar"])
    try await laptop.call("notes/update", ["id": "u", "text": "Unsent, and changed after it was put back"])
    try await exchange([laptop, phone])
    let devices = [laptop, phone]
    for device in devices {
      let notes = try await device.call("notes/list").items
      #expect(notes.map { $0["id"].text }.sorted() == ["a", "c", "d", "u"])
      #expect(try await device.call("notes/get", ["id": "a"])["text"] == "Green tea")
      #expect(try await device.call("notes/get", ["id": "u"])["text"].text.contains("after it was put back"))
      #expect(try await device.call("sync/status")["missing"] == 0)
      #expect(try await device.didNothing())
    }
    #expect(try await laptop.contents() == phone.contents())
    for device in devices { await device.stop() }
  }

  @Test("a library that was put back keeps what it writes, also if the files of its original are gone")
  func restoredLate() async throws {
    let place = TemporaryFolder()
    let (folder, backup) = (TemporaryFolder(), TemporaryFolder())
    var laptop = try await SharedDevice(at: place.path, in: folder)
    let code = try #require(try await laptop.call("sync/setUp", ["name": "laptop"])["code"])
    let phone = try await SharedDevice(at: place.path)
    try await phone.call("sync/setUp", ["code": code, "name": "phone"])
    try await laptop.call("notes/add", ["id": "a", "text": "Tea"])
    try await exchange([laptop, phone])
    await laptop.stop()
    try copyDisk(folder, to: backup)

    laptop = try await SharedDevice(at: place.path, in: folder)
    try await laptop.call("notes/update", ["id": "a", "text": "Green tea"])
    try await laptop.call("notes/add", ["id": "c", "text": "Milk"])
    try await exchange([laptop, phone])
    await laptop.stop()
    // A day later all is compacted, and a week later nothing is there that was.
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: place.file("log")))
    try await phone.call("changes/forget", ["collection": "notes", "id": "c"])
    for days in [0, 2, 8, 8] as [Int64] {
      phone.daemon.clock.advance(milliseconds: days * 24 * 3_600_000)
      try await phone.run()
    }
    #expect(try names.isDisjoint(with: FileManager.default.contentsOfDirectory(atPath: place.file("log"))))

    try copyDisk(backup, to: folder)
    laptop = try await SharedDevice(at: place.path, in: folder)
    // The same numbers of commits and files as before.
    try await laptop.call("notes/update", ["id": "a", "text": "Tea\n\nPut back"])
    try await laptop.call("notes/add", ["id": "d", "text": "Sugar"])
    try await exchange([laptop, phone])
    for device in [laptop, phone] {
      let text = try await device.call("notes/get", ["id": "a"])["text"].text
      #expect(text.contains("Green tea") && text.contains("Put back"))
      #expect(try await device.call("notes/list").items.map { $0["id"].text }.sorted() == ["a", "c", "d"])
      #expect(try await device.didNothing())
    }
    #expect(try await laptop.contents() == phone.contents())
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("what a library that was put back has absorbed is moved in short transactions, and to the end after a crash")
  func movedInSlices() async throws {
    let place = TemporaryFolder()
    let (folder, backup) = (TemporaryFolder(), TemporaryFolder())
    var laptop = try await SharedDevice(at: place.path, in: folder)
    let code = try #require(try await laptop.call("sync/setUp", ["name": "laptop"])["code"])
    let phone = try await SharedDevice(at: place.path)
    try await phone.call("sync/setUp", ["code": code, "name": "phone"])
    let ids = (10..<40).map { "n\($0)" }
    for id in ids { try await laptop.call("notes/add", ["id": .string(id), "text": "Tea"]) }
    try await exchange([laptop, phone])
    await laptop.stop()
    try copyDisk(folder, to: backup)
    laptop = try await SharedDevice(at: place.path, in: folder)
    for id in ids { try await laptop.call("notes/update", ["id": .string(id), "text": "Green tea"]) }
    try await exchange([laptop, phone])
    await laptop.stop()

    try copyDisk(backup, to: folder)
    laptop = try await SharedDevice(at: place.path, in: folder)
    // Under the same numbers.
    for id in ids { try await laptop.call("notes/update", ["id": .string(id), "text": "Tea\n\nPut back"]) }
    // As a run has left it that ended after it had absorbed them and met a file that names the original's.
    let services = laptop.daemon.daemon.services
    let library = SharedLibrary(services)
    _ = try await library.begin()
    try await library.transact { sharing in
      let isAbsorbed = try sharing.absorb()
      var header = LogHeader(schema: 1, device: "phone", name: "phone", at: 0)
      header.reads.insert(FileID(sharing.stored.ledger.writer, sharing.stored.ledger.next))
      let isLeft = [sharing.leaveCopiedWriter(after: header), sharing.leaveCopiedWriter(after: header)]
      #expect(isAbsorbed && isLeft == [true, false])
    }
    let pauses = Mutex(0)
    services.sync.pause = {
      pauses.withLock { $0 += 1 }
      withUnsafeCurrentTask { $0?.cancel() }
    }
    let broken = Task { try await library.moveCopiedWrites() }
    await #expect(throws: CancellationError.self) { try await broken.value }
    #expect(pauses.withLock(\.self) == 1)
    services.sync.pause = nil
    await laptop.stop()

    laptop = try await SharedDevice(at: place.path, in: folder)
    try await exchange([laptop, phone])
    for device in [laptop, phone] {
      for id in ids {
        let text = try await device.call("notes/get", ["id": .string(id)])["text"].text
        #expect(text.contains("Green tea") && text.contains("Put back"), "\(id)")
      }
      #expect(try await device.didNothing())
    }
    #expect(try await laptop.contents() == phone.contents())
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("two copies of one disk are two writers: both keep what they write, and a title that both changed is listed")
  func copied() async throws {
    let place = TemporaryFolder()
    let (folder, other) = (TemporaryFolder(), TemporaryFolder())
    var one = try await SharedDevice(at: place.path, in: folder)
    try await one.call("sync/setUp", ["name": "laptop"])
    for id in ["a", "b"] { try await one.call("projects/add", ["id": .string(id), "title": "One"]) }
    try await one.run()
    await one.stop()
    try copyDisk(folder, to: other)
    one = try await SharedDevice(at: place.path, in: folder)
    let two = try await SharedDevice(at: place.path, in: other)
    // The same number of commits: both would use the same dots.
    try await one.call("projects/update", ["id": "a", "title": "First"])
    two.daemon.clock.advance(milliseconds: 60_000)
    try await two.call("projects/update", ["id": "a", "title": "Second"])
    try await one.call("notes/add", ["id": "n", "text": "Tea"])
    try await two.call("notes/add", ["id": "m", "text": "Milk"])
    try await exchange([one, two])
    for device in [one, two] {
      #expect(try await device.call("projects/get", ["id": "a"])["title"] == "Second")
      let conflicts = try await device.call("changes/conflicts").items
      #expect(conflicts.map { $0["field"] } == ["title"] && conflicts.first?["theirs"] == ["title": "First"])
      #expect(try await device.call("notes/list").items.count == 2)
      #expect(try await device.didNothing())
    }
    #expect(try await one.contents() == two.contents())
    await one.stop()
    await two.stop()
  }
}
