import TestSupport
import Testing
import Wire

@Suite("Documents: text that annotations and form fields show")
struct ShownTextTests {
  @Test(
    "The appearances of a field, a stamp and a free text are text of the page",
    arguments: ["Widget", "Stamp", "FreeText"])
  func appearances(subtype: String) async throws {
    let appearance = "BT /F 12 Tf 2 5 Td (shown words) Tj ET"
    let field = subtype == "Widget" ? "/FT/Tx/T(field)/V(shown words)" : ""
    var page = SamplePDF.Page(["printed words"])
    page.entries = "/Annots[20 0 R]"
    var sample = SamplePDF(pages: [page])
    sample.objects = [
      "<</Type/Annot/Subtype/\(subtype)/Rect[72 400 272 420]/F 4/AP<</N 21 0 R>>\(field)>>",
      SamplePDF.stream(
        appearance,
        "/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 4 0 R>>>>"
      ),
    ]
    let bench = try await DocumentBench()
    let id = try await bench.client.call("documents/add", ["data": .string(sample.base64)])["id"]!
    let text = try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text
    #expect(text.contains("printed words") && text.contains("shown words"))
    let found = try await bench.client.call("documents/find", ["id": id, "text": "shown words"])
    #expect(found.items.count == 1)
    await bench.stop()
  }
}
