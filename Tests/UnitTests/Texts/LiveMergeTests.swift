import Kit
import TestSupport
import Testing
import Wire

@testable import Texts

@Suite("Changes of others in a text that is being edited") struct LiveMergeTests {
  /// Items of a line each, as `a`, `b`, …; the text of each may be another, and its revision.
  private func rendered(_ lines: [(id: String, text: String)], revision: Int64) -> RenderedText {
    let written = lines.map { "\($0.text) ^\($0.id)" }
    let items = lines.enumerated().map { number, line in
      TextItem(
        collection: "projects", id: line.id, anchor: line.id, title: line.text, revision: revision,
        lines: number..<number + 1, lane: "lane \(revision)", content: line.text)
    }
    return RenderedText(text: written.map { $0 + "\n" }.joined(), items: items)
  }

  private func base(_ rendered: RenderedText) throws -> TextBase {
    var base = try JSONDecoding.decode(
      TextBase.self,
      from: [
        "path": "projects/board.md", "clock": 1, "epoch": "e", "isReadOnly": false, "isWhole": true, "text": "",
        "items": "",
      ])
    (base.text, base.items) = (rendered.text, rendered.items)
    return base
  }

  private var first: RenderedText { rendered([("a", "A"), ("b", "B"), ("c", "C")], revision: 1) }

  @Test("changes of other lines come in, and the next save is compared with the library as it is then")
  func apart() throws {
    let theirs = rendered([("a", "A"), ("b", "B2"), ("c", "C")], revision: 2)
    let merge = LiveMerge(try base(first), "A1 ^a\nB ^b\nC ^c\n", theirs, clock: 7)
    #expect(merge.text == "A1 ^a\nB2 ^b\nC ^c\n" && merge.conflicts.isEmpty)
    #expect(merge.next.text == theirs.text && merge.next.items == theirs.items && merge.next.clock == 7)
    #expect(merge.next.disputed == nil && merge.next.arrived == [] && merge.next.isWhole && merge.next.shown == nil)
  }

  @Test("a line that both changed stays as the client wrote it, with the version from which it was written")
  func disputed() throws {
    let theirs = rendered([("a", "A2"), ("b", "B2"), ("c", "C")], revision: 2)
    let merge = LiveMerge(try base(first), "A ^a\nB1 ^b\nC ^c\n", theirs, clock: 7)
    #expect(merge.text == "A2 ^a\nB1 ^b\nC ^c\n")
    #expect(merge.conflicts.map(\.item.id) == ["b"] && merge.conflicts.map(\.line) == [1])
    #expect(merge.next.disputed == ["b"] && merge.next.items.map(\.revision) == [2, 1, 2])
    #expect(
      merge.next.items.map(\.content) == ["A2", "B", "C"]
        && merge.next.items.map(\.lane) == ["lane 2", "lane 1", "lane 2"])
    // It stays so until it is settled, whatever else others change.
    let later = rendered([("a", "A2"), ("b", "B3"), ("c", "C3")], revision: 3)
    let next = LiveMerge(merge.next, merge.text, later, clock: 8)
    #expect(next.next.disputed == ["b"] && next.next.items.map(\.revision) == [3, 1, 3])
    // Nor does it end if others move the item to another text, or remove it: the line is nowhere else.
    let gone = LiveMerge(next.next, next.text, rendered([("a", "A2"), ("c", "C3")], revision: 4), clock: 9)
    #expect(gone.next.disputed == ["b"] && gone.next.items.map(\.id) == ["a", "c", "b"])
    #expect(gone.text.contains("B1 ^b"))
  }

  @Test("the same change on both sides is none to decide about")
  func same() throws {
    let theirs = rendered([("a", "A"), ("b", "B2"), ("c", "C")], revision: 2)
    let merge = LiveMerge(try base(first), "A ^a\nB2 ^b\nC ^c\n", theirs, clock: 7)
    #expect(merge.text == theirs.text && merge.conflicts.isEmpty && merge.next.disputed == nil)
  }

  @Test("items that came are noted as long as the library has them")
  func arrived() throws {
    let more = rendered([("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")], revision: 2)
    let merge = LiveMerge(try base(first), first.text, more, clock: 7)
    #expect(merge.text == more.text && merge.next.arrived == ["d"])
    let again = LiveMerge(merge.next, merge.text, more, clock: 8)
    #expect(again.next.arrived == ["d"])
    #expect(LiveMerge(merge.next, merge.text, first, clock: 8).next.arrived == [])
  }

  @Test("an item that the client's text lacks and nobody has decided about stays out of it, and is not forgotten")
  func held() throws {
    var held = try base(rendered([("a", "A"), ("c", "C")], revision: 1))
    held.items.append(TextItem(collection: "projects", id: "b", anchor: "b", title: "B", lines: 0..<0, content: "B"))
    let theirs = rendered([("a", "A"), ("b", "B2"), ("c", "C2")], revision: 2)
    let merge = LiveMerge(held, "A ^a\nC ^c\n", theirs, clock: 7)
    #expect(merge.text == "A ^a\nC2 ^c\n" && merge.next.items.map(\.id) == ["a", "c", "b"])
    #expect(merge.next.items.map(\.firstLine) == [0, 1, 0] && merge.next.arrived == [])
    // One that a live edit brought was taken back with an undo of the client, and is brought again.
    held.arrived = ["b"]
    #expect(held.lacksArrived)
    let brought = LiveMerge(held, "A ^a\nC ^c\n", theirs, clock: 7)
    #expect(
      brought.text == theirs.text && brought.next.items.map(\.id) == ["a", "b", "c"] && brought.next.arrived == ["b"])
  }

  @Test("a line that others have moved between changed lines is there once, and so is one that both have moved")
  func moved() throws {
    let four = rendered([("aaaa", "A"), ("bbbb", "B"), ("cccc", "C"), ("dddd", "D")], revision: 1)
    let five = rendered([("aaaa", "A"), ("bbbb", "B"), ("cccc", "C"), ("dddd", "D"), ("eeee", "E")], revision: 1)
    let theirs = rendered([("aaaa", "A"), ("eeee", "E"), ("bbbb", "B2"), ("cccc", "C"), ("dddd", "D")], revision: 2)
    let between = LiveMerge(try base(five), five.text.replacing("B ^", with: "B1 ^"), theirs, clock: 7)
    #expect(between.text == "A ^aaaa\nE ^eeee\nB1 ^bbbb\nC ^cccc\nD ^dddd\n" && between.next.disputed == ["bbbb"])
    let away = LiveMerge(
      try base(four), "A1 ^aaaa\nB ^bbbb\nnew\nC1 ^cccc\nD ^dddd\n",
      rendered([("cccc", "C"), ("dddd", "D"), ("aaaa", "A"), ("bbbb", "B")], revision: 2), clock: 7)
    for anchor in ["aaaa", "bbbb", "cccc", "dddd"] { #expect(away.text.split(separator: "^" + anchor).count == 2) }
    let ticked = rendered([("cccc", "C2"), ("aaaa", "A"), ("bbbb", "B"), ("dddd", "D")], revision: 2)
    let both = LiveMerge(try base(four), "A ^aaaa\nB ^bbbb\nD ^dddd\nC ^cccc\n", ticked, clock: 7)
    #expect(both.text == "A ^aaaa\nB ^bbbb\nD ^dddd\nC ^cccc\n" && both.next.disputed == ["cccc"])
  }

  /// Moves, renames, removes and adds items, and sometimes replaces several neighbours.
  private func edited(
    _ lines: [(id: String, text: String)], _ name: String, _ random: inout SeededGenerator
  ) -> [(id: String, text: String)] {
    var lines = lines
    for step in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0..<lines.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: lines.insert(lines.remove(at: place), at: Int.random(in: 0..<lines.count, using: &random))
      case 1: lines[place].text += name
      case 2 where lines.count > 2: lines.remove(at: place)
      default: lines.insert(("\(name)\(name)\(name)\(step)", "new"), at: place)
      }
    }
    return lines
  }

  @Test("no item that the library has and the client has not taken away is missing, or there twice", arguments: 1...4)
  func complete(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let start = (0..<Int.random(in: 2...8, using: &random)).map { (id: "aaa\($0)", text: "item \($0)") }
      let (theirs, ours) = (edited(start, "b", &random), edited(start, "c", &random))
      let text = rendered(ours, revision: 1).text
      let merge = LiveMerge(try base(rendered(start, revision: 1)), text, rendered(theirs, revision: 2), clock: 7)
      let lines = merge.text.split(separator: "\n")
      for (id, _) in theirs where ours.contains(where: { $0.id == id }) || !start.contains(where: { $0.id == id }) {
        #expect(lines.count { $0.hasSuffix(" ^" + id) } == 1, "\(start)\n\(theirs)\n\(ours)\n\(merge.text)")
      }
    }
  }

  @Test("a draft comes into the version that a client has opened, with its conflicts")
  func draft() throws {
    let opened = try base(rendered([("a", "A2"), ("b", "B2"), ("c", "C")], revision: 2))
    let merge = LiveMerge(draft: "A ^a\nB1 ^b\nC1 ^c\n", of: try base(first), into: opened)
    #expect(merge.text == "A2 ^a\nB1 ^b\nC1 ^c\n" && merge.conflicts.map(\.item.id) == ["b"])
    #expect(
      merge.next.text == opened.text && merge.next.items.map(\.revision) == [2, 1, 2] && merge.next.arrived == [])
  }

  @Test("lines replaced by as many are merged one by one")
  func lineByLine() {
    let merge = LineMerge(base: "a\nb\nc\nd\n", theirs: "a\nB\nC\nd\n", ours: "a\nb\nx\nd\n")
    #expect(
      merge.text == "a\nB\nx\nd\n" && merge.overlaps.map(\.theirs) == [2..<3] && merge.overlaps.map(\.line) == [2])
    let whole = LineMerge(base: "a\nb\nc\nd\n", theirs: "a\nB\nC\nnew\nd\n", ours: "a\nb\nx\nd\n")
    #expect(whole.text == "a\nb\nx\nd\n" && whole.overlaps.map(\.theirs) == [1..<4])
    #expect(
      LineMerge(base: "a\n", theirs: "a\nb\n", ours: "a").text == "a\nb"
        && LineMerge(base: "", theirs: "", ours: "").text == "")
  }
}
