import Foundation
import Testing

@testable import Documents

@Suite("Regular expressions") struct RegularExpressionTests {
  @Test("what an expression took comes back when it is done with", .timeLimit(.minutes(10)))
  func memory() async {
    // In a process of its own, whose memory is nobody else's.
    await #expect(processExitsWith: .success) {
      // Some hundred KiB each, with its machine code.
      let text = (0..<2_000).map { "word\($0)" }.joined(separator: "|")
      for _ in 0..<10 { _ = try RegularExpression(text, ignoresCase: true) }
      let before = residentPages()
      guard before > 0 else { exit(9) }
      for _ in 0..<200 { _ = try RegularExpression(text, ignoresCase: true) }
      guard residentPages() - before < 2_000 else { exit(1) }
    }
  }
}

private func residentPages() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
}
