import Testing
import Wire

@testable import Store

@Suite("Where links occur") struct LinkOccurrencesTests {
  private func link(_ name: String, of id: String = "n1", in field: String = "text") -> StoredLink {
    StoredLink(source: ItemKey(collection: "notes", id: id), field: field, name: name)
  }

  @Test("the texts of a field are read once for all of its links, and again for another field or item")
  func readsOnce() throws {
    let text = (0..<1_000).map { "[[title \($0)]]" }.joined(separator: " ")
    var occurrences = LinkOccurrences()
    var reads = 0
    func find(_ link: StoredLink) -> LinkOccurrences.Occurrence? {
      occurrences.first(of: link, places: [:]) {
        reads += 1
        return [text]
      }
    }
    for number in 0..<1_000 {
      let found = try #require(find(link("[[title \(number)")))
      let written = String(decoding: Array(found.text.utf8)[found.range], as: UTF8.self)
      #expect(written == "[[title \(number)]]")
    }
    #expect(reads == 1)
    #expect(find(link("[[title 1000")) == nil && reads == 1)
    #expect(find(link("[[title 7", in: "more")) != nil && reads == 2)
    #expect(find(link("[[title 7", of: "n2", in: "more")) != nil && reads == 3)
  }

  @Test("of a link that occurs several times in the texts of a field, the first occurrence is found")
  func first() throws {
    var occurrences = LinkOccurrences()
    let texts = ["nothing", "a [[Dune]] and [[dune]]", "[[DUNE]] commonplace:/documents/d#highlight=h"]
    let places = ["highlight": "highlights"]
    let dune = try #require(occurrences.first(of: link("[[dune"), places: places) { texts })
    #expect(dune == (texts[1], 2..<10))
    let mark = try #require(
      occurrences.first(of: link("commonplace:/documents/d#highlight=h"), places: places) { texts })
    #expect(mark == (texts[2], 9..<45))
  }
}
