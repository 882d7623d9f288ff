import Testing

@testable import Documents

@Suite("Documents: the beginning of a PDF") struct PDFBeginningTests {
  private static let mark = Array("%PDF-".utf8)

  @Test(
    "the mark is found anywhere in the first 1,024 bytes, at their very end too, and not beyond",
    arguments: [(0, true), (1, true), (1_018, true), (1_019, true), (1_020, false), (1_024, false)])
  func place(before: Int, isPDF: Bool) {
    let bytes = [UInt8](repeating: 0x20, count: before) + Self.mark
    #expect(ReceivedFile.isPDF(bytes) == isPDF)
    #expect(ReceivedFile.isPDF(bytes + [UInt8](repeating: 0x20, count: 2_000)) == isPDF)
  }

  @Test("nothing, and a part of the mark, are no PDF", arguments: 0..<5)
  func part(count: Int) {
    #expect(!ReceivedFile.isPDF(Self.mark.prefix(count)))
  }
}
