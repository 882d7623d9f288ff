import TestSupport
import Testing
import Wire

/// poppler's own text of these pages is `EDTExpiration` and `서울은행205`.
@Suite("Documents: words with a gap between them that poppler glues")
struct GluedWordsTests {
  @Test("Each is found by itself and selected by itself, and the glued word is not there", arguments: [12, 40])
  func pairs(gap: Int) async throws {
    let bench = try await DocumentBench()
    let content = """
      BT /Latin 12 Tf 72 700 Td (EDT) Tj ET BT /Latin 12 Tf \(96 + gap) 700 Td (Expiration) Tj ET \
      BT /Korean 12 Tf 72 600 Td <C11CC6B8C740D589> Tj ET BT /Latin 12 Tf \(120 + gap) 600 Td (205) Tj ET
      """
    let id = try await bench.id(of: SamplePDF(pages: [.init(content: content)]))
    let text = try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text
    #expect(text.split { $0.isWhitespace }.sorted() == ["205", "EDT", "Expiration", "서울은행"], "\(text)")
    for glued in ["EDTExpiration", "서울은행205"] {
      #expect(try await bench.client.call("documents/find", ["id": id, "text": .string(glued)]).items.isEmpty)
    }
    for word in ["EDT", "Expiration", "서울은행", "205"] {
      let hits = try await bench.client.call(
        "documents/find", ["id": id, "text": .string(word), "wholeWord": true]
      ).items
      try #require(hits.count == 1, "\(word)")
      let quad = try #require(hits[0]["quads"].list.first).numbers
      #expect(hits[0]["quads"].list.count == 1)
      let middle: JSONValue = ["x": .number((quad[0] + quad[2]) / 2), "y": .number((quad[1] + quad[5]) / 2)]
      let selected = try await bench.client.call(
        "documents/select", ["id": id, "page": 0, "from": middle, "to": middle, "granularity": "word"])
      #expect(selected["text"] == .string(word) && selected["lines"]?[0]?["quad"] == hits[0]["quads"]?[0])
    }
    await bench.stop()
  }
}
