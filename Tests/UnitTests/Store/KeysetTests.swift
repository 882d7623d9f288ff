import Store
import Testing
import Wire

@Suite("Places in lists") struct KeysetTests {
  private let mixed = Keyset(.text("item").descending, .integer("at"), .text("field"))

  @Test("rows of one direction are compared at once, and those of two key by key")
  func conditions() {
    let same = Keyset(.integer("at"), .text("id"))
    #expect(same.order == "at, id" && same.descending.order == "at DESC, id DESC")
    #expect(same.condition(after: [.integer(1), .text("a")]).sql == "(at, id) > (?, ?)")
    #expect(same.descending.condition(after: [.integer(1), .text("a")]).sql == "(at, id) < (?, ?)")
    let condition = mixed.condition(after: [.text("b"), .integer(2), .text("c")])
    #expect(condition.sql == "(item < ? OR item = ? AND (at > ? OR at = ? AND field > ?))")
    #expect(condition.values.count == 5)
  }

  @Test(
    "a cursor says its place again, whatever stands in it",
    arguments: ["", "a", "/", "%", "%2F/%25", "\u{0600}", "\u{0301}", "\u{110BD}/\u{0301}", "a\r\nb"])
  func cursors(text: String) throws {
    let cursor = mixed.cursor([.text(text), .integer(-7), .text(text)])
    let place = try mixed.place(cursor)
    guard case .text(let first) = place[0], case .integer(-7) = place[1], case .text(let last) = place[2] else {
      Issue.record("\(place)")
      return
    }
    #expect(sameBytes(first, text) && sameBytes(last, text))
  }

  @Test(
    "what is no place is refused",
    arguments: ["", "a", "a/b", "a/b/c", "a/1/b/c", "a/1.5/b", "a/9223372036854775808/b"])
  func refused(cursor: String) {
    #expect(throws: RPCError.self) { try mixed.place(cursor) }
    #expect(throws: RPCError.self) { try Keyset(.day("day"), .text("id")).place("2026-13-01/a") }
  }
}

@Suite("Properties in place") struct PropertyPlaceTests {
  private struct Part: Sendable, Equatable {
    var flag = true
    var name = ""
  }

  private struct Whole: Sendable, Equatable {
    var number = 1
    var part = Part()
    var list: [String] = []
    var twice: Int {
      get { 2 * number }
      set { number = newValue / 2 }
    }
  }

  @Test("a stored property, one of a part, and a computed one are read and written as by their key paths")
  func places() {
    var whole = Whole()
    let (list, name) = (PropertyPlace(\Whole.list), PropertyPlace(\Whole.part.name))
    let twice = PropertyPlace(\Whole.twice)
    list.set(["a", "b"], in: &whole)
    name.set("a text that is longer than what a string holds by itself", in: &whole)
    twice.set(8, in: &whole)
    #expect(whole.list == ["a", "b"] && whole.part.name.hasPrefix("a text") && whole.number == 4 && whole.part.flag)
    let copy = whole
    list.set([], in: &whole)
    #expect(list.value(in: copy) == ["a", "b"] && list.value(in: whole) == [])
    #expect(name.value(in: whole) == whole.part.name && twice.value(in: whole) == 8)
  }
}
