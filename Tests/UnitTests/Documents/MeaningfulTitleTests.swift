import Testing

@testable import Documents

@Suite("Documents: their files' own titles")
struct MeaningfulTitleTests {
  @Test(
    "a title that a program put in says less than the file's name",
    arguments: [
      "untitled", "Untitled Document", "Microsoft Word - calistoMT.doc", "Microsoft PowerPoint - My talk.pptx",
      "Microsoft Excel - sums.xls", "paper.dvi", "main.tex", "Brochure_final.indd",
    ])
  func isPutInByProgram(_ title: String) { #expect(DocumentRecord.meaningful(title) == nil) }

  @Test(
    "any other title is the document's",
    arguments: [
      "A Title Worth Having", "Microsoft Excel for beginners", "The .doc format", "Untitled: a novel", "문서",
      "Microsoft Azure - A Guide", "Microsoft Excel - Tips and tricks", "Files that end in .ps", "How I read main.tex",
    ])
  func isTheAuthors(_ title: String) { #expect(DocumentRecord.meaningful(title) == title) }
}
