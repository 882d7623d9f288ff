import Foundation
import TestSupport
import Testing

@testable import Texts

/// What a client has after others have changed the library while it was editing.
@Suite struct LineMergeTests {
  /// `TEXT_MERGES=100000` for a long run.
  private static let count = ProcessInfo.processInfo.environment["TEXT_MERGES"].flatMap { Int($0) } ?? 3_000

  private func merged(_ base: String, _ theirs: String, _ ours: String) -> LineMerge {
    func text(_ lines: String) -> String { lines.map { "\($0)\n" }.joined() }
    return LineMerge(base: text(base), theirs: text(theirs), ours: text(ours))
  }

  @Test(
    "changes of different lines are both there, also of lines that follow each other, and of one line ours stays",
    arguments: [
      ("abc", "aXc", "abY", "aXY", 0), ("abc", "abcN", "abY", "abYN", 0), ("abc", "abcN", "abcM", "abcNM", 0),
      ("abc", "abcN", "abcN", "abcN", 0), ("abc", "ac", "abY", "aY", 0), ("abc", "ac", "aYc", "aYc", 1),
      ("abc", "aXc", "ac", "ac", 1), ("abc", "aXc", "aYc", "aYc", 1), ("abc", "aXc", "aXc", "aXc", 0),
      ("abc", "Nabc", "Xbc", "NXbc", 0), ("abc", "cab", "abcM", "cabM", 0), ("abc", "", "abc", "", 0),
      ("abc", "abcNO", "abcOM", "abcNOM", 0), ("", "ab", "", "ab", 0),
      ("abc", "abcXlX", "XkXabc", "XkXabcXlX", 0), ("abc", "abXlXc", "abcXkX", "abXlXcXkX", 0),
    ])
  func merges(base: String, theirs: String, ours: String, expected: String, overlaps: Int) {
    let merge = merged(base, theirs, ours)
    #expect(merge.text == expected.map { "\($0)\n" }.joined())
    #expect(merge.overlaps.count == overlaps)
  }

  @Test("a text without a line end at its end stays one, and lines are not joined")
  func lastLine() {
    #expect(LineMerge(base: "a\nb\n", theirs: "a\nb\nc\n", ours: "a\nb").text == "a\nb\nc")
    #expect(LineMerge(base: "a", theirs: "b", ours: "a\n").text == "b\n")
    #expect(LineMerge(base: "a", theirs: "b", ours: "a").text == "b")
  }

  @Test("no line of ours that they did not change is lost, and none of theirs where we changed nothing")
  func nothingLost() {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<Self.count {
      let base = (0..<Int.random(in: 0...12, using: &random)).map { "\($0)" }
      let theirs = Self.edited(base, "t", &random)
      let ours = Self.edited(base, "o", &random)
      func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
      let merge = LineMerge(base: text(base), theirs: text(theirs), ours: text(ours))
      let lines = merge.text.split(separator: "\n").map(String.init)
      for line in ours where !base.contains(line) { #expect(lines.contains(line), "\(base) \(theirs) \(ours)") }
      let missing = theirs.indices.filter { !base.contains(theirs[$0]) && !lines.contains(theirs[$0]) }
      #expect(missing.allSatisfy { line in merge.overlaps.contains { $0.theirs.contains(line) } })
      #expect(LineMerge(base: text(base), theirs: text(theirs), ours: text(base)).text == text(theirs))
      #expect(LineMerge(base: text(base), theirs: text(base), ours: text(ours)).text == text(ours))
      // The same merge of its own result brings nothing twice.
      #expect(LineMerge(base: text(base), theirs: text(theirs), ours: text(theirs)).text == text(theirs))
    }
  }

  @Test("lines that are the same but for their anchors are neither lost nor doubled")
  func equalLines() {
    var random = SeededGenerator()
    for _ in 0..<Self.count {
      func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
      let base = (0..<Int.random(in: 0...8, using: &random)).map { "- [ ] Milk ^base\($0)" }
      func side(_ added: [String]) -> [String] {
        var lines = base
        for line in added { lines.insert(line, at: Int.random(in: 0...lines.count, using: &random)) }
        for _ in 0..<Int.random(in: 0...1, using: &random) where !lines.isEmpty {
          let place = Int.random(in: 0..<lines.count, using: &random)
          if base.contains(lines[place]) { lines.remove(at: place) }
        }
        return lines
      }
      let theirs = side((0..<Int.random(in: 0...3, using: &random)).map { "- [ ] Milk ^new\($0)" })
      let ours = side(Array(repeating: "- [ ] Milk", count: Int.random(in: 0...3, using: &random)))
      let merge = LineMerge(base: text(base), theirs: text(theirs), ours: text(ours))
      let lines = merge.text.split(separator: "\n").map(String.init)
      let comment: Comment = "seed \(SeededGenerator.seed): \(base) \(theirs) \(ours) \(lines)"
      #expect(lines.count { $0 == "- [ ] Milk" } == ours.count { $0 == "- [ ] Milk" }, comment)
      for (number, line) in theirs.enumerated() where !base.contains(line) {
        let count = lines.count { $0 == line }
        #expect(count == 1 || count == 0 && merge.overlaps.contains { $0.theirs.contains(number) }, comment)
      }
      for line in base {
        let count = lines.count { $0 == line }
        #expect(count <= 1 && (count == 1 || !theirs.contains(line) || !ours.contains(line)), comment)
      }
    }
  }

  private static func edited(_ lines: [String], _ name: String, _ random: inout SeededGenerator) -> [String] {
    var lines = lines
    for number in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0...lines.count, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: lines.insert("\(name)\(number)", at: place)
      case 1 where place < lines.count: lines.remove(at: place)
      case 2 where place < lines.count: lines[place] = "\(lines[place])\(name)\(number)"
      default: break
      }
    }
    return lines
  }
}
