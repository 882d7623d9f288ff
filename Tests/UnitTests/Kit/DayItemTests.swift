import Kit
import Testing
import Wire

@Suite("The items of a day") struct DayItemTests {
  @Test("an act has the beginning of its text, in whole characters, whatever its script", arguments: ["a", "강", "😀"])
  func beginning(letter: String) {
    func text(_ count: Int) -> String? {
      DayItem.Act(
        collection: "memos", id: "m", at: DayItem.Act.example.at, text: String(repeating: letter, count: count), page: 0
      ).text
    }
    #expect(text(200) == String(repeating: letter, count: 200))
    #expect(text(201) == text(200))
  }
}
