import Contract
import SQLite
import Synchronization
import Testing

@testable import Store

/// What is told of a disk that is full.
@Suite struct DiskSpaceMonitorTests {
  private final class Scene: Sendable {
    let lines = Mutex<[String]>([])
    let time = Mutex<Int64>(0)
    var told: Int { lines.withLock { $0.count } }
    func pass(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    func watch() -> DiskSpaceMonitor {
      DiskSpaceMonitor(
        path: "/l", now: { [self] in Instant(milliseconds: time.withLock(\.self)) },
        log: Log { [self] level, sentence in lines.withLock { $0.append("\(level.rawValue) \(sentence)") } })
    }
  }

  @Test(
    "of SQLite's errors those of a disk without room are known by their numbers",
    arguments: [
      (13, true), (778, true), (1546, true), (4618, true), (4874, true), (266, false), (522, false),
      (1034, false), (1290, false), (10, false), (11, false), (14, false),
    ])
  func numbers(code: CInt, isFull: Bool) {
    #expect(StoreError.isDiskFull(DatabaseError(ResultCode(rawValue: code))) == isFull)
  }

  @Test("ten thousand refused writes are one line, and another says how many they were when one succeeds")
  func once() {
    let scene = Scene()
    let watch = scene.watch()
    watch.saved(to: .library)
    for _ in 0..<10_000 {
      watch.refused("diary/save", to: .library)
      scene.pass(100)
    }
    watch.saved(to: .library)
    watch.saved(to: .library)
    #expect(
      scene.lines.withLock(\.self) == [
        "error the disk of the library /l is full: diary/save was not saved, nor is what follows until there is room",
        "warning the library /l is written again: 10000 writes were refused since 1970-01-01T00:00:00.000Z, "
          + "for want of room",
      ])
  }

  @Test("what fails and succeeds in turns is told of once a minute, and a shortage that lasts longer in any case")
  func turns() {
    let scene = Scene()
    let watch = scene.watch()
    for _ in 0..<50 {
      watch.refused("diary/save", to: .library)
      watch.saved(to: .library)
      scene.pass(1_000)
    }
    #expect(scene.told == 2)
    watch.refused("diary/save", to: .library)
    #expect(scene.told == 2)
    scene.pass(60_000)
    watch.refused("diary/save", to: .library)
    #expect(scene.told == 3)
    // A clock that is set back keeps nothing quiet.
    watch.saved(to: .library)
    scene.pass(-3_600_000)
    watch.refused("diary/save", to: .library)
    #expect(scene.told == 5)
  }

  @Test("files that have no room are another matter than rows, and each method's its own")
  func places() {
    let scene = Scene()
    let watch = scene.watch()
    watch.refused("documents/export", to: .files(method: "documents/export"))
    watch.saved(to: .library)
    watch.saved(to: .files(method: "documents/render"))
    #expect(scene.told == 1)
    watch.saved(to: .files(method: "documents/export"))
    #expect(
      scene.lines.withLock(\.self) == [
        "error a disk is full: documents/export could not write its file, nor can what follows until there is room",
        "warning documents/export writes its files again: 1 write was refused since 1970-01-01T00:00:00.000Z, "
          + "for want of room",
      ])
  }
}
