import Foundation
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import Diary

/// The lines of days and of posts, as texts of the library have them.
@Suite("Texts: the lines of a day and of posts") struct DayLinesTests {
  /// `TEXT_LINES=300000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["TEXT_LINES"].flatMap { Int($0) } ?? 100_000

  private static let pieces = [
    "--- ", "09:12", "+", "\\", "^", " ^k3f2", "-", " ", "  ", "\n", "\n\n", "\r\n", "text", "𝄞", "e\u{301}", "\u{301}",
    "일", "\u{2028}", "\t",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }

  private static func written(_ entries: [DayLines.Entry]) -> String {
    entries.map { DayLines.text(of: $0.text, time: $0.time!, anchor: $0.anchor!) }.joined()
  }

  @Test("a day that is written is read as the same entries, byte for byte, whatever is in them")
  func days() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<Self.count {
      let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.text(&random) }
      let day = texts.indices.map { DayLines.text(of: texts[$0], time: "0\($0):12", anchor: "k3f\($0)") }.joined()
      let read = DayLines.parse(day)
      let isSame =
        read.count == texts.count
        && texts.indices.allSatisfy {
          sameBytes(read[$0].text, texts[$0]) && read[$0].anchor == "k3f\($0)" && read[$0].time == "0\($0):12"
        }
      // Read again, it is written as it was. `#expect` for each of so many would take longer than what is tested.
      guard isSame, sameBytes(Self.written(read), day) else {
        Issue.record("\(texts)")
        return
      }
    }
  }

  @Test("a post that is written as a line is read as the same post, whatever is in its title")
  func posts() {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<Self.count {
      // The date comes first.
      let end = ["", "★ ", "* ", "[x] "].randomElement(using: &random)!
      let words = PostLine.oneLine("2026-11-20 " + Self.text(&random) + end)
      let post = PostLine(
        isRead: Bool.random(using: &random), isSaved: Bool.random(using: &random), words: words)
      guard let read = PostLine(post.text[...]), read == post, sameBytes(read.words, words) else {
        Issue.record("\(post)")
        return
      }
    }
  }
}
