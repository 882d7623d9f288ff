import Foundation
import TestSupport
import Testing
import Wire

@testable import Kit

@Suite("Documents: the shelf of pictures") struct PictureShelfTests {
  private struct Bench {
    let folder = TemporaryFolder()
    let shelf = PictureShelf()
    var limits: PictureShelf.Limits
    var now: Int64 = 1_000_000
    var connected: Set<String> = ["here"]

    init() {
      limits = PictureShelf.Limits(limit: 1_000)
      limits.hardLimit = 2_000
      limits.ceiling = 3_000
      limits.aheadLimit = 300
    }

    var leases: PictureShelf.Leases {
      PictureShelf.Leases(now: now) { [connected] in connected.contains($0) }
    }

    /// Draws a picture of 100 bytes.
    mutating func keep(_ key: String, for client: String?) throws {
      now += 1
      let path = folder.file(key)
      try Data(count: 100).write(to: URL(filePath: path))
      _ = shelf.keep(PictureFile(path: path, width: 5, height: 5, size: 100), as: key, for: client, at: now)
      shelf.makeRoom(within: limits, leases)
    }

    func isThere(_ key: String) -> Bool {
      let isFile = FileManager.default.fileExists(atPath: folder.file(key))
      #expect(isFile == shelf.isCached(key))
      return isFile
    }
  }

  @Test(
    "what was drawn ahead and never asked for goes first, though it is the newest, and never takes more than its part")
  func aheadFirst() throws {
    var bench = Bench()
    for number in 0..<8 { try bench.keep("asked-\(number)", for: "gone") }
    for number in 0..<5 { try bench.keep("ahead-\(number)", for: nil) }
    // 300 of its own, and of the whole only what is left.
    #expect((0..<5).map { bench.isThere("ahead-\($0)") } == [false, false, false, true, true])
    #expect((0..<8).allSatisfy { bench.isThere("asked-\($0)") })
    #expect(bench.shelf.use("ahead-4", by: "gone", at: bench.now) != nil)
    try bench.keep("one more", for: "gone")
    #expect(!bench.isThere("ahead-3") && bench.isThere("ahead-4"))
    #expect(bench.shelf.size == 1_000)
  }

  @Test("within a minute nothing that was handed out goes, and who would pass the ceiling is told to wait")
  func ceiling() throws {
    var bench = Bench()
    for number in 0..<28 { try bench.keep("\(number)", for: "here") }
    #expect(bench.shelf.size == 2_800)
    try bench.shelf.reserve(150, within: bench.limits, bench.leases)
    let error = #expect(throws: RPCError.self) { try bench.shelf.reserve(100, within: bench.limits, bench.leases) }
    #expect(error?.kind == .busy && error?.text.key == "documents.picturesFull" && error?.data["retryAfter"] == 60)
    bench.shelf.release(150)
    try bench.shelf.reserve(100, within: bench.limits, bench.leases)
    bench.shelf.release(100)
    // A minute later its client keeps it below the hard limit only.
    bench.now += 60_001
    bench.shelf.makeRoom(within: bench.limits, bench.leases)
    #expect(bench.shelf.size == 2_000 && !bench.isThere("7") && bench.isThere("8"))
    bench.connected = []
    bench.shelf.makeRoom(within: bench.limits, bench.leases)
    #expect(bench.shelf.size == 1_000 && bench.isThere("18"))
    bench.shelf.makeRoom(for: 3_000, within: bench.limits, bench.leases)
    #expect(bench.shelf.size == 0)
  }

  @Test("of two that were drawn at once the first stays, and one whose file is gone is not handed out")
  func same() throws {
    var bench = Bench()
    try bench.keep("first", for: "here")
    let path = bench.folder.file("second")
    try Data(count: 100).write(to: URL(filePath: path))
    let kept = bench.shelf.keep(
      PictureFile(path: path, width: 5, height: 5, size: 100), as: "first", for: "here", at: bench.now)
    #expect(kept.path == bench.folder.file("first") && !FileManager.default.fileExists(atPath: path))
    unlink(kept.path)
    #expect(bench.shelf.use("first", by: "here", at: bench.now) == nil && bench.shelf.size == 0)
  }
}
