import Contract
import Testing
import Wire

@testable import commonplace

@Suite("Two edits of one item") struct EditMergeTests {
  private func file(_ fields: JSONObject, _ text: String? = nil) -> EditedFile {
    EditedFile(fields: fields, text: text)
  }

  @Test("a field that one side changed is that side's, and one that both changed differently is mine and a conflict")
  func fields() {
    let base = file(["title": "A", "priority": 1, "day": .null, "same": "x"])
    let mine = file(["title": "B", "priority": 1, "day": "2026-11-21", "same": "y"])
    let theirs = file(["title": "A", "priority": 2, "day": "2026-11-22", "same": "y"])
    let merge = EditMerge(base: base, mine: mine, theirs: theirs)
    #expect(merge.file.fields == ["title": "B", "priority": 2, "day": "2026-11-21", "same": "y"])
    #expect(merge.conflicts == [.init(field: "day", mine: "2026-11-21", theirs: "2026-11-22")])
    #expect(EditMerge(base: base, mine: base, theirs: theirs).file.fields == theirs.fields)
    #expect(EditMerge(base: base, mine: mine, theirs: base).file.fields == mine.fields)
    #expect(EditMerge(base: base, mine: mine, theirs: base).conflicts == [])
  }

  @Test("of lists the additions and the removals of both sides count")
  func lists() {
    func merged(_ base: JSONValue, _ mine: JSONValue, _ theirs: JSONValue) -> JSONValue? {
      let merge = EditMerge(base: file(["tags": base]), mine: file(["tags": mine]), theirs: file(["tags": theirs]))
      return merge.conflicts.isEmpty ? merge.file.fields["tags"] : nil
    }
    #expect(merged(["a", "b"], ["a", "b", "c"], ["a", "b", "d"]) == ["a", "b", "d", "c"])
    #expect(merged(["a", "b"], ["a"], ["b", "d"]) == ["d"])
    #expect(merged(["a"], ["a", "c"], ["a", "c"]) == ["a", "c"])
    #expect(merged(.null, ["a"], ["b"]) == ["b", "a"] && merged(["a"], [], ["a", "b"]) == ["b"])
    // Lists of other values, and a list against none, have no common form.
    #expect(merged([1], [1, 2], [1, 3]) == nil && merged(["a"], .null, ["b"]) == nil)
  }

  @Test("texts are merged by their lines, and lines that both changed are a conflict")
  func texts() {
    let base = file([:], "one\ntwo\nthree\n")
    let apart = EditMerge(base: base, mine: file([:], "ONE\ntwo\nthree\n"), theirs: file([:], "one\ntwo\nTHREE\n"))
    #expect(apart.file.text == "ONE\ntwo\nTHREE\n" && apart.conflicts.isEmpty)
    let same = EditMerge(base: base, mine: file([:], "one\nmine\nthree\n"), theirs: file([:], "one\ntheirs\nthree\n"))
    #expect(same.conflicts == [.init(field: nil, mine: "one\nmine\nthree\n", theirs: "one\ntheirs\nthree\n")])
    #expect(same.file.text?.contains("mine") == true && same.file.text?.contains("theirs") == true)
    #expect(EditMerge(base: file([:]), mine: file([:], "a"), theirs: file([:])).file.text == "a")
  }

  private let screen = Screen(width: 60, ink: Ink(isOn: false), zone: .utc, say: { $0.key })

  private func table(_ objects: JSONObject..., width: Int = 60) -> [String]? {
    ObjectTable(objects, shape: nil, on: screen, width: width)?.lines(Ink(isOn: false))
  }

  @Test("objects without a title are rows with a column for each member, and the id last")
  func objects() throws {
    let rows = try #require(table(["id": "x1", "one": "a", "two": 7], ["one": "bbbb", "three": "c", "id": "x2"]))
    #expect(rows.count == 3)
    #expect(rows[1...].map { $0.split(separator: " ").map(String.init) } == [["a", "7", "x1"], ["bbbb", "c", "x2"]])
    // Columns stand below each other, and no line ends in a blank.
    let ends = rows.dropFirst().map { row in row.distance(from: row.startIndex, to: row.firstRange(of: "x")!.lowerBound)
    }
    #expect(Set(ends).count == 1 && rows.allSatisfy { $0.last != " " })
    // An id without room stands below its row.
    let narrow = try #require(table(["id": "0192f0c1-6a00", "one": "aaaaaaaaaaaa"], width: 20))
    #expect(narrow.count == 3 && narrow[1] == "aaaaaaaaaaaa" && narrow[2] == "  0192f0c1-6a00")
    // A list is broken between its elements, another text is not cut.
    let list = try #require(table(["one": "aaaa", "list": ["bbbbbb", "cccccc", "dddddd", "eeeeee"]], width: 24))
    #expect(list.allSatisfy { TextWidth.columns(of: $0) <= 24 } && list.joined().contains("eeeeee"))
    #expect(table(["one": .string(String(repeating: "a", count: 41))]) == nil)
    #expect(table(["one": .string(String(repeating: "a", count: 40))]) != nil)
    #expect(table(["one": "a\nb"]) == nil && table([:]) == nil && table(["one": "aaaaaaaaaa"], width: 5) == nil)
  }
}
