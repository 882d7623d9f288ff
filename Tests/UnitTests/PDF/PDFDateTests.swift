import PDF
import Testing

@Suite("Dates of PDFs")
struct PDFDateTests {
  @Test(
    "A date is read as far as it is written, with its offset",
    arguments: [
      ("D:19700101000000Z", 0), ("D:20261121194500+09'00'", 1_795_257_900), ("D:20261121194500+09'00", 1_795_257_900),
      ("D:20261121104500", 1_795_257_900), ("20261121104500-00'00'", 1_795_257_900), ("D:2000", 946_684_800),
      ("D:200002", 949_363_200), ("D:20000301", 951_868_800), ("D:19691231235959Z", -1),
      ("D:20261121054500-0500", 1_795_257_900),
    ] as [(String, Int64)])
  func dates(text: String, seconds: Int64) {
    #expect(PDFDate.seconds(of: text) == seconds)
  }

  @Test(
    "What is no date is none", arguments: ["", "D:", "yesterday", "D:20261321", "D:20260132", "D:0000", "D:2026112125"])
  func none(text: String) {
    #expect(PDFDate.seconds(of: text) == nil)
  }
}
