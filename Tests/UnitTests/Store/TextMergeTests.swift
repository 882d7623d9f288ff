import Foundation
import Store
import TestSupport
import Testing

@Suite struct TextMergeTests {
  @Test(
    "a text that two sides changed has what either changed",
    arguments: [
      // Only one side, both the same, or neither.
      (base: "a\nb\n", older: "a\nb\n", newer: "a\nc\n", merged: "a\nc\n"),
      ("a\nb\n", "a\nc\n", "a\nb\n", "a\nc\n"),
      ("a\nb\n", "a\nc\n", "a\nc\n", "a\nc\n"),
      ("a", "a", "a", "a"),
      // Different lines, one of them at the end.
      ("1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n", "0\n1\n2\n3\n4\n5\n6\n"),
      ("1\n2\n3\n4\n5\n", "1\n3\n4\n5\n", "1\n2\n3\n4\nfive\n", "1\n3\n4\nfive\n"),
      // Different words of one line.
      ("The quick brown fox\n", "The slow brown fox\n", "The quick brown dog\n", "The slow brown dog\n"),
      ("我今天去图书馆\n", "我明天去图书馆\n", "我今天去书店\n", "我明天去书店\n"),
      ("읽은 책을 돌려준다", "읽은 책을 내일 돌려준다", "빌린 책을 돌려준다", "빌린 책을 내일 돌려준다"),
      ("café au lait", "café au lait!", "thé au lait", "thé au lait!"),
      // The same change of a line or a word, and another one of each side elsewhere.
      ("1\n2\n3\n4\n5\n", "1\ntwo\n3\n4\n5\n6\n", "0\n1\ntwo\n3\n4\n5\n", "0\n1\ntwo\n3\n4\n5\n6\n"),
      ("1\n2\n3\n4\n5\n", "1\n3\n4\n5\n6\n", "0\n1\n3\n4\n5\n", "0\n1\n3\n4\n5\n6\n"),
      ("The quick brown fox\n", "A quick red fox\n", "A quick brown dog\n", "A quick red dog\n"),
      // Line ends are kept as they are, and one that is missing comes where a line follows.
      ("1\r\n2\r\n3\r\n", "1\r\n2\r\n3\r\n4\r\n", "0\r\n1\r\n2\r\n3\r\n", "0\r\n1\r\n2\r\n3\r\n4\r\n"),
      ("1\n2", "0\n1\n2", "1\n2\n3", "0\n1\n2\n3"),
    ])
  func either(base: String, older: String, newer: String, merged: String) {
    let merge = TextMerge(base: base, older: older, newer: newer)
    #expect(merge.text.utf8.elementsEqual(merged.utf8), "\(merge.text)")
    #expect(!merge.overlaps)
  }

  @Test(
    "what both changed to different things stays twice, the older first, what they share once, and is told",
    arguments: [
      (base: "a\nb\nc\n", older: "a\nold\nc\n", newer: "a\nnew\nc\n", merged: "a\nold\nnew\nc\n"),
      // Both wrote on at the end, where no line end was.
      ("a", "a\nold", "a\nnew", "a\nold\nnew"),
      ("a\r\n", "a\r\nold", "a\r\nnew", "a\r\nold\r\nnew"),
      ("", "same\nold\n", "same\nnew\n", "same\nold\nnew\n"),
      // A letter that is composed in another way is another.
      ("e", "\u{E9}", "e\u{301}", "\u{E9}\ne\u{301}"),
      // One took away what the other changed.
      ("a\nb\nc\n", "a\nc\n", "a\nB!\nc\n", "a\nB!\nc\n"),
    ])
  func both(base: String, older: String, newer: String, merged: String) {
    let merge = TextMerge(base: base, older: older, newer: newer)
    #expect(merge.text.utf8.elementsEqual(merged.utf8), "\(merge.text)")
    #expect(merge.overlaps)
  }

  @Test("where diff3 sees no conflict, the merge is that of diff3")
  func diff3() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "merge-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var generator = SeededGenerator(seed: 23)
    var compared = 0
    for round in 0..<60 {
      let base = (0..<30).map { "line \($0) of \(round)\n" }
      let sides = [edited(base, "older", &generator), edited(base, "newer", &generator)]
      let texts = [sides[0], base, sides[1]].map { $0.joined() }
      for (name, text) in zip(["older", "base", "newer"], texts) {
        try Data(text.utf8).write(to: folder.appending(path: name))
      }
      let diff3 = try ChildProcess(
        "/usr/bin/diff3", ["-m", "older", "base", "newer"], environment: [:], folder: folder.path)
      let reference = await diff3.end()
      let merge = TextMerge(base: texts[1], older: texts[0], newer: texts[2])
      guard reference.status == 0 else { continue }
      compared += 1
      #expect(!merge.overlaps && merge.text == reference.output)
    }
    #expect(compared > 10)
  }

  @Test("no line that a side wrote is lost, whatever both did", arguments: 0..<40)
  func lines(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let base = (0..<40).map { _ in "\(Int.random(in: 0..<12, using: &generator))\n" }
    let (older, newer) = (edited(base, "older", &generator), edited(base, "newer", &generator))
    let merge = TextMerge(base: base.joined(), older: older.joined(), newer: newer.joined())
    let merged = Set(merge.text.split(separator: "\n").map { "\($0)\n" })
    for line in older + newer where line.count > 3 {
      // Within a line that both changed words of both may stand.
      #expect(merged.contains(line) || merge.text.contains(line.dropLast()), "\(line)")
    }
  }

  @Test("texts in which everything differs, or in which every part hides another, are merged all the same")
  func hostile() {
    let many = 20_000
    let (older, newer) = (1...2).map { side in (0..<many).map { "\(side) \($0)\n" }.joined() }.pair
    let merge = TextMerge(base: "", older: older, newer: newer)
    #expect(merge.overlaps && merge.text.utf8.count == older.utf8.count + newer.utf8.count)
    // Each line stands twice but in the part behind the second one.
    let nested = (0..<many).map { "a\($0)\nb\($0)\nb\($0 - 1)\n" }.joined()
    #expect(TextMerge(base: nested, older: "x\n" + nested, newer: nested + "y\n").text == "x\n" + nested + "y\n")
    #expect(!SamePieces(TextPieces.lines(of: nested)[...], TextPieces.lines(of: "x\n" + nested)[...]).pairs.isEmpty)
  }

  /// Some lines removed, changed and added, all of which name the side.
  private func edited(_ base: [String], _ side: String, _ generator: inout SeededGenerator) -> [String] {
    var lines = base
    for number in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0..<lines.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: lines.remove(at: place)
      case 1: lines[place] = "\(side) changed \(number)\n"
      default: lines.insert("\(side) added \(number)\n", at: place)
      }
    }
    return lines
  }
}

extension Array {
  fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
