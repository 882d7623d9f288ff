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

  @Test("a change of case counts one half for every letter of every script, and no sign has a case") func cases() {
    for value in UInt8(ascii: "A")...UInt8(ascii: "Z") {
      let letter = Character(Unicode.Scalar(value))
      #expect(distance("\(letter)", letter.lowercased()) == 1, "\(letter)")
    }
    #expect(distance("É", "é") == 1 && distance("Ж", "ж") == 1)
    for (one, other) in [("@", "`"), ("[", "{"), ("\\", "|"), ("]", "}"), ("^", "~")] {
      #expect(distance(one, other) == 2, "\(one)")
    }
  }

  @Test("a word is likely a name when no more than a third of its letters are others") func likely() {
    let names = ["changes/log", "documents/add", "session/ping"]
    #expect(likelyName(for: "document/ad", among: names) == "documents/add")
    #expect(likelyName(for: "session/pong", among: names) == "session/ping")
    #expect(likelyName(for: "DOCUMENTS/ADD", among: names) == "documents/add")
    #expect(likelyName(for: "none/such", among: names) == nil)
    #expect(likelyName(for: "projects/move", among: ["documents/remove"]) == nil)
    #expect(likelyName(for: "projects/foo", among: ["projects/add", "projects/move"]) == nil)
    #expect(likelyName(for: "projects/mvoe", among: ["projects/add", "projects/move"]) == "projects/move")
    #expect(likelyName(for: "nope", among: ["shutdown", "exit"]) == nil)
    #expect(likelyName(for: "x", among: names) == nil)
    #expect(likelyName(for: "x", among: ["책", "y"]) == nil)
    #expect(likelyName(for: String(repeating: "x", count: 100_000), among: names) == nil)
  }

  @Test("where fewer letters may be others than a third, a word that has more of them is not the name") func fewer() {
    #expect(likelyName(for: "bevor", among: ["before"]) == "before")
    #expect(likelyName(for: "bevor", among: ["before"], most: 1) == nil)
    #expect(likelyName(for: "befor", among: ["before"], most: 1) == "before")
    #expect(likelyName(for: "x", among: ["y"], most: 1) == nil)
  }

  @Test("without names there is none") func none() { #expect(nearestName(to: "x", among: []) == nil) }

  @Test(
    "a word that other programs have for a field means that field, where there is such a one",
    arguments: [
      ("due", ["title", "deadline", "time"], "deadline"), ("dueDate", ["title", "deadline"], "deadline"),
      ("due_date", ["title", "deadline"], "deadline"), ("name", ["title", "time"], "title"),
      ("content", ["title", "body"], "body"), ("content", ["title", "text", "id"], "text"),
      ("note", ["body", "title"], "body"), ("status", ["sort", "state"], "state"), ("labels", ["tags"], "tags"),
      ("date", ["day", "deadline"], "day"), ("due", ["title", "time"], nil), ("titel", ["title"], nil),
    ] as [(String, [String], String?)])
  func synonyms(word: String, names: [String], meant: String?) {
    #expect(FieldSynonyms.field(meantBy: word, among: names) == meant)
    #expect(FieldSynonyms.field(meantBy: String(repeating: word, count: 100_000), among: names) == nil)
  }
}
