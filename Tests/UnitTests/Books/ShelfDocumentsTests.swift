import Testing

@testable import Books

@Suite("Books: links to documents") struct ShelfDocumentsTests {
  @Test("documents of an import are linked once each, and no more than a book has room for")
  func room() {
    var content = ShelfContent()
    content.documents = ["a"]
    #expect(content.unlinked(["a", "b"]) == ["b"])
    content.documents = (1..<ShelfContent.most).map { "d\($0)" }
    #expect(content.unlinked(["d1", "a", "b"]) == ["a"])
    content.documents += ["x", "y"]
    #expect(content.unlinked(["a"]) == [])
  }
}
