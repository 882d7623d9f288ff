import TestSupport
import Testing
import Wire

@Suite("Documents: text that extends beyond the page's edge")
struct TextBeyondEdgeTests {
  @Test("All letters of an oblique mark are text of the page, also those before the one that crosses its edge")
  func oblique() async throws {
    let content = "BT /Latin 60 Tf .6428 .766 -.766 .6428 20 20 Tm (DRAFT) Tj ET"
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(pages: [.init(width: 300, height: 400, content: content)]))
    let text = try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text
    #expect(text.filter(\.isLetter).sorted() == "DRAFT".sorted(), "\(text)")
    await bench.stop()
  }
}
