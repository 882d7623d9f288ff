import Testing

@testable import Contract

@Suite("The nearest name")
struct NearestNameTests {
  @Test(
    "a letter too much, too few, another or swapped is found",
    arguments: [
      ["titel", "title"], ["tile", "title"], ["titlee", "title"], ["TITLE", "title"], ["ifrevision", "ifRevision"],
      ["dealine", "deadline"],
    ]) func misspelled(_ pair: [String])
  {
    #expect(nearestName(to: pair[0], among: ["id", "deadline", "ifRevision", "title"]) == pair[1])
  }

  @Test("two swapped letters count once, a change of case one half") func distances() {
    #expect(distance("ab", "ba") == 2)
    #expect(distance("abc", "abc") == 0)
    #expect(distance("Ab", "ab") == 1)
    #expect(distance("", "abc") == 6)
    #expect(distance("kitten", "sitting") == 6)
  }

  @Test("without names there is none") func none() { #expect(nearestName(to: "x", among: []) == nil) }
}
