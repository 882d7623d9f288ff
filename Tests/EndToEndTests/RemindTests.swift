import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

/// The library's clock stands still at 2026-11-21T03:04:05.678Z until a test moves it.
@Suite("commonplace remind", .timeLimit(.minutes(10)))
struct RemindTests {
  private static let hour: Int64 = 3_600_000

  /// A `notify-send` that writes each of its arguments as a line, and the status that it ends with.
  private static func desktop(_ home: CommandLineHome, status: Int = 0) throws -> (path: String, log: String) {
    let folder = home.work + "/desktop"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let program = folder + "/notify-send"
    let script = "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\" >>'\(folder)/log'; done\nexit \(status)\n"
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return ("\(folder):/usr/bin:/bin", folder + "/log")
  }

  private static func lines(_ path: String) throws -> [String] {
    guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: bytes, as: UTF8.self).replacing("\u{202F}", with: " ").split(separator: "\n").map(
      String.init)
  }

  @Test("prints the cards that are due as JSON into a pipe, and as numbered lines on a terminal")
  func prints() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    let arguments = ["remind", "--socket", daemon.socket]
    let nothing = try await home.run(arguments)
    #expect(nothing.status == 0, "\(nothing)")
    #expect(try JSONParser.parse(nothing.output)["due"] == [])
    let none = await (try home.startOnTerminal(arguments)).ended()
    #expect(none.status == 0 && none.output == "No reminders are due.\r\n", "\(none)")
    _ = try await client.call(
      "projects/add", ["id": "a", "title": "Return the book", "reminders": ["2026-11-21T04:00:00Z"]])
    daemon.clock.advance(milliseconds: Self.hour)
    let due = try await home.run(arguments)
    #expect(due.status == 0, "\(due)")
    #expect(try JSONParser.parse(due.output)["due"]?[0]?["id"] == "a")
    let shown = await (try home.startOnTerminal(arguments)).ended()
    let text = shown.output.replacing("\u{202F}", with: " ")
    #expect(shown.status == 0 && text == "%1  Nov 21, 2026, 4:00 AM  Return the book\r\n", "\(shown)")
    await client.close()
    await daemon.stop()
  }

  @Test("hands each reminder to the desktop once, by no shell and without control characters, and again after a snooze")
  func notifies() async throws {
    let home = CommandLineHome()
    let (path, log) = try Self.desktop(home)
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    func notify() async throws {
      let result = try await home.run(
        ["remind", "--notify", "--library", daemon.library, "--socket", daemon.socket], changing: ["PATH": path])
      #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result)")
    }
    try await notify()
    #expect(try Self.lines(log) == [])
    let title = "--urgency=critical $(touch broken) `id` \"x\" \u{202E}<b>&"
    _ = try await client.call(
      "projects/add", ["id": "a", "title": .string(title), "reminders": ["2026-11-21T04:00:00Z"]])
    daemon.clock.advance(milliseconds: Self.hour)
    for _ in 0..<2 { try await notify() }
    let notice = [
      "--app-name=Commonplace", "--", "--urgency=critical $(touch broken) `id` \"x\" <b>&", "Nov 21, 2026, 4:00 AM",
    ]
    #expect(try Self.lines(log) == notice)
    _ = try await client.call("projects/snooze", ["id": "a", "for": "10m"])
    try await notify()
    #expect(try Self.lines(log) == notice)
    daemon.clock.advance(milliseconds: Self.hour)
    try await notify()
    #expect(try Self.lines(log).count == 2 * notice.count)
    // After a long absence one notice says how many there are.
    for number in 0..<20 {
      _ = try await client.call(
        "projects/add", ["title": .string("Card <\(number)>"), "reminders": ["2026-11-21T06:00:00Z"]])
    }
    daemon.clock.advance(milliseconds: Self.hour)
    try await notify()
    let last = try Self.lines(log).suffix(2)
    #expect(last.first == "20 cards remind you" && last.last?.contains("Card &lt;") == true, "\(last)")
    await client.close()
    await daemon.stop()
  }

  @Test("without notify-send it prints what is due, and what notify-send could not show is handed again")
  func noDesktop() async throws {
    let home = CommandLineHome()
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    _ = try await client.call(
      "projects/add", ["id": "a", "title": "Return the book", "reminders": ["2026-11-21T04:00:00Z"]])
    daemon.clock.advance(milliseconds: Self.hour)
    let arguments = ["remind", "--notify", "--library", daemon.library, "--socket", daemon.socket]
    let (path, log) = try Self.desktop(home, status: 1)
    for count in [1, 2] {
      let failed = try await home.run(arguments, changing: ["PATH": path])
      #expect(failed.status == 1 && failed.errors.contains("notify-send failed"), "\(failed)")
      #expect(try Self.lines(log).filter { $0 == "Return the book" }.count == count)
    }
    let printed = try await home.run(arguments, changing: ["PATH": home.work + "/nothing"])
    #expect(printed.status == 0 && printed.output.contains("Return the book"), "\(printed)")
    await client.close()
    await daemon.stop()
  }
}
