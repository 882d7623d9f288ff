import Foundation
import TestSupport
import Testing

@testable import Boards
@testable import Diary

/// The lines of days and of posts, as texts of the library have them.
@Suite("Texts: the lines of a day and of posts") struct DayLinesTests {
  /// `TEXT_LINES=300000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["TEXT_LINES"].flatMap { Int($0) } ?? 10_000

  private static let pieces = [
    "--- ", "09:12", "+", "\\", "^", " ^k3f2", "-", " ", "  ", "\n", "\n\n", "\r\n", "text", "𝄞", "e\u{301}", "\u{301}",
    "일", "\u{2028}", "\t",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }

  @Test("a day that is written is read as the same entries, byte for byte, whatever is in them")
  func days() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<Self.count {
      let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.text(&random) }
      let day = texts.indices.map { DayLines.text(of: texts[$0], time: "0\($0):12", anchor: "k3f\($0)") }.joined()
      let read = DayLines.parse(day)
      #expect(read.map { Array($0.text.utf8) } == texts.map { Array($0.utf8) }, "\(texts)")
      #expect(read.map(\.anchor) == texts.indices.map { "k3f\($0)" }, "\(texts)")
      #expect(read.map(\.time) == texts.indices.map { "0\($0):12" }, "\(texts)")
      // Read again, it is written as it was.
      let again = read.map { DayLines.text(of: $0.text, time: $0.time!, anchor: $0.anchor!) }.joined()
      #expect(again.utf8.elementsEqual(day.utf8), "\(texts)")
    }
  }

  @Test("a post that is written as a line is read as the same post, whatever is in its title")
  func posts() throws {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<Self.count {
      // The date comes first.
      let end = ["", "★ ", "* ", "[x] "].randomElement(using: &random)!
      let words = PostLine.oneLine("2026-11-20 " + Self.text(&random) + end)
      let post = PostLine(
        isRead: Bool.random(using: &random), isSaved: Bool.random(using: &random), words: words)
      let read = try #require(PostLine(post.text[...]), "\(post)")
      #expect(read == post && read.words.utf8.elementsEqual(words.utf8), "\(post)")
    }
  }
}
