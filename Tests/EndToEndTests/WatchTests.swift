import Client
import Features
import Foundation
import TestSupport
import Testing
import Wire

@Suite("commonplace watch", .timeLimit(.minutes(1)))
struct WatchTests {
  /// Adds toys until the watcher has told of one: nothing else says from outside that it has begun to watch.
  private func firstLine(of watch: ChildProcess, while writer: Client) async throws -> String? {
    try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { await watch.line() }
      group.addTask {
        while !Task.isCancelled { _ = try await writer.call("toys/add", ["title": "A top"]) }
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  @Test("writes every notification as one line at once, and ends with 3 when the daemon does")
  func lines() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let writer = try await daemon.client()
    let watch = try home.start(["watch", "--collections", "toys", "--socket", daemon.socket])
    let line = try #require(try await firstLine(of: watch, while: writer))
    let notification = try JSONParser.parse(line)
    #expect(notification["method"] == "changes/didCommit")
    #expect(notification["params"]?["changes"]?[0]?["collection"] == "toys")
    await writer.close()
    await daemon.stop()
    let ended = await watch.ended()
    #expect(ended.status == 3)
    #expect(ended.errors.hasPrefix("commonplace: The daemon has ended."))
  }

  @Test("ends quietly and at once when nobody reads it any more")
  func readerLeaves() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let writer = try await daemon.client()
    let watch = try home.start(
      ["watch", "--socket", daemon.socket], redirecting: "| head -1; echo ${PIPESTATUS[0]}")
    let line = try #require(try await firstLine(of: watch, while: writer))
    #expect(line.hasPrefix(#"{"method":"changes/didCommit""#))
    #expect(await watch.ended().output == "0\n")
    await daemon.stop()
  }

  @Test("an unknown collection is refused with its name")
  func unknownCollection() async throws {
    let home = CommandLineHome()
    let result = try await home.run(["watch", "--collections", "unicorns"])
    #expect(result.status == 2)
    #expect(result.errors.contains("unicorns"))
  }
}
