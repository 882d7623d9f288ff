import Foundation
import TestSupport
import Testing
import Wire

@testable import Projects

@Suite struct CardLineTests {
  /// `TEXT_LINES=300000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["TEXT_LINES"].flatMap { Int($0) } ?? 100_000

  private static let pieces = [
    "due:", "2026-11-24", "\\", "#", "tag", "^", "k3f2", "!", "1", "after:^", "rec:", "start:", "someday", "FREQ=DAILY",
    "[x]", "-", "\"",
    " ",
    "  ", "𝄞", "e\u{301}", "\u{301}", "일", "T", "17:30", "a", ":", "\u{2028}",
  ]

  @Test("a card that is written as a line is read as the same card, byte for byte, whatever is in its title and tags")
  func roundTrip() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<Self.count {
      var card = CardLine()
      card.isDone = Bool.random(using: &random)
      card.title = "t" + Self.word(&random)
      if Bool.random(using: &random) {
        (card.due, card.time) = ("2026-11-24", Bool.random(using: &random) ? "17:30" : nil)
      }
      card.start = Bool.random(using: &random) ? "2026-11-20" : nil
      card.isSomeday = Bool.random(using: &random)
      if Bool.random(using: &random) { card.signed = ["priority": .integer(.random(in: 1...9, using: &random))] }
      card.tags = (0..<Int.random(in: 0...2, using: &random)).map { _ in "t" + Self.word(&random) + "g" }
      if Bool.random(using: &random) { card.after = ["k3f2", "p9qx"] }
      if Bool.random(using: &random) { card.rule = "FREQ=DAILY" }
      let line = card.text
      // `#expect` for each of so many would take longer than what is tested.
      guard let read = CardLine(line[...]), Self.isSame(read, card), sameBytes(read.text, line) else {
        Issue.record("\(line)")
        return
      }
    }
  }

  /// Also in its bytes, where equal texts may differ.
  private static func isSame(_ read: CardLine, _ card: CardLine) -> Bool {
    sameBytes(read.title, card.title) && read.tags.count == card.tags.count
      && zip(read.tags, card.tags).allSatisfy { sameBytes($0, $1) } && read.due == card.due && read.time == card.time
      && read.signed == card.signed && read.start == card.start && read.isSomeday == card.isSomeday
      && read.after == card.after && read.rule == card.rule && read.isDone == card.isDone
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }
}
