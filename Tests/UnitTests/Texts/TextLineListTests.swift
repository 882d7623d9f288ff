import TestSupport
import Testing

@testable import Texts

@Suite struct TextLineListTests {
  @Test("lines in parts are those of an array, whatever is replaced")
  func replacements() {
    var random = SeededGenerator(seed: 19)
    var model = (0..<1_000).map { "\($0)" }
    var lines = TextLineList(model)
    for round in 0..<2_000 {
      let ends = [0, 0].map { _ in Int.random(in: 0..<model.count, using: &random) }.sorted()
      // Most edits are of a line or two, and the text goes on being long.
      let last = round % 50 == 0 ? ends[1] : min(ends[0] + round % 3, model.count - 1)
      let count = round % 50 == 1 ? 400 : Int.random(in: 0...3, using: &random)
      let new = (0..<max(count, model.count == last - ends[0] + 1 ? 1 : 0)).map { "\(round) \($0)" }
      let before = lines
      model.replaceSubrange(ends[0]...last, with: new)
      lines.replaceSubrange(ends[0]...last, with: new)
      guard lines.count == model.count, lines.elementsEqual(model), lines.indices.allSatisfy({ lines[$0] == model[$0] })
      else {
        Issue.record("after replacement \(round) the lines are others")
        return
      }
      #expect(lines.count - before.count == new.count - (last - ends[0] + 1))
    }
    #expect(TextLineList([]).isEmpty)
  }
}
