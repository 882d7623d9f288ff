import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Promises 4 and 11 on a disk that fills up.
@Suite(.serialized, .enabled(if: SmallDisk.isAvailable)) struct FilledDiskTests {
  /// More points than each run has: `COMMONPLACE_FULL_DISKS=2000 scripts/test --filter FilledDiskTests`.
  private static let points = number("COMMONPLACE_FULL_DISKS") ?? 200
  /// Each library is filled as often as that.
  private static let pointsOfLibrary = 25

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test("a disk that fills at random points of long operations loses nothing acknowledged and leaves nothing refused")
  func points() async throws {
    print("A disk fills up at \(Self.points) points: seed \(SeededGenerator.seed)")
    var refused = 0
    for (number, first) in stride(from: 0, to: Self.points, by: Self.pointsOfLibrary).enumerated() {
      var disk = try await FilledDisk(seed: SeededGenerator.seed &+ UInt64(number))
      refused += try await disk.run(points: min(Self.pointsOfLibrary, Self.points - first))
    }
    // Otherwise the points would prove little.
    #expect(refused >= Self.points / 4, "\(refused) of \(Self.points) operations were refused")
  }

  @Test("the log never fills a small disk by itself, and a disk that was full is written again, also after a restart")
  func ownLog() async throws {
    let folder = TemporaryFolder()
    let disk = try await HeldDisk(folder.file("library"), bytes: 28 << 20)
    let daemon = try await DaemonProcess(in: folder, on: disk)
    let (writer, reader) = try await (daemon.client(name: "writer"), daemon.client(name: "reader"))
    for number in 0..<50 { _ = try await writer.call("toys/add", ["title": .string("toy \(number)")]) }
    let reading = Task {
      while !Task.isCancelled { _ = try await reader.call("toys/list") }
    }
    // Some forty MiB in the log, and a library that does not grow.
    let text = String(repeating: "typed so far ", count: 800)
    for number in 0..<1_500 {
      _ = try await writer.call("diary/draft", ["id": "mine", "text": .string("\(number) \(text)")])
    }
    // Then there is room for the log and little else.
    disk.fill(leaving: 1 << 20)
    var written = 50
    var error: RemoteError?
    while error == nil, written < 5_000 {
      error = try await writer.failure("toys/add", ["title": "more", "body": .string(text)])
      if error == nil { written += 1 }
    }
    #expect(error?.kind == "diskFull", "\(String(describing: error))")
    reading.cancel()
    _ = try? await reading.value
    disk.makeRoom()
    _ = try await writer.call("toys/add", ["title": "with room"])
    disk.fill()
    await daemon.kill()
    disk.makeRoom()
    let again = try await DaemonProcess(in: folder, on: disk)
    let client = try await again.client()
    _ = try await client.call("toys/add", ["title": "after a restart"])
    #expect(try await client.call("toys/countQuickly").count == written + 2)
    #expect(try await client.call("library/check")["findings"] == [])
    await again.stop()
    await disk.release()
  }
}
