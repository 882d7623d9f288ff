import Testing

@testable import Texts

/// Where the text of a page has a passage that somebody has quoted.
@Suite("Texts: the place of a passage") struct PassagePlaceTests {
  private func place(_ passage: String, _ lines: [String]) -> String? {
    PassagePlace(of: passage, in: lines).map { "\($0.start.line):\($0.start.byte)-\($0.end.line):\($0.end.byte)" }
  }

  @Test("blanks, line ends and hyphens at them may be others")
  func joined() {
    #expect(place("the Ita-\nlian road", ["# A", "", "See the Italian road."]) == "2:4-2:20")
    #expect(place("the Italian\nroad", ["See the", "Italian  road"]) == "0:4-1:13")
    #expect(place("책을 읽다", ["", "나는 책을읽다가"]) == "1:7-1:19")
  }

  @Test("a passage that goes on elsewhere is there in part, but a few letters are none")
  func partly() {
    #expect(place("the spice must flow along all roads", ["then the spice must flow along"]) == "0:5-0:30")
    #expect(place("the spice must flow", ["then the spices"]) == nil)
    #expect(place("", ["then"]) == nil && place("word", []) == nil && place("…", ["a … b"]) == nil)
  }

  @Test("of several beginnings the one that goes on longest is it, and a page of one letter takes no time")
  func longest() {
    #expect(place("one two three", ["one two, one two three"]) == "0:9-0:22")
    let many = String(repeating: "a", count: 100_000)
    #expect(place(String(repeating: "a", count: 2_000) + "b", [many, many + "b"]) == "0:0-0:2000")
  }
}
