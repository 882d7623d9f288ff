import Foundation
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

  enum Field: String, CaseIterable {
    case text, choice, signature
    /// Whose appearance the viewer must make from its value.
    case bare

    private static let appearance = SamplePDF.stream(
      "/Tx BMC BT /F 12 Tf 2 5 Td (shown words here) Tj ET EMC",
      "/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 4 0 R>>>>")

    var sample: SamplePDF {
      let value =
        switch self {
        case .text, .bare: "/FT/Tx/V(shown words here)/DA(/F 12 Tf 0 g)"
        case .choice: "/FT/Ch/Ff 131072/Opt[(other)(shown words here)]/V(shown words here)/DA(/F 12 Tf 0 g)"
        case .signature: "/FT/Sig"
        }
      var page = SamplePDF.Page(["printed words"])
      page.entries = "/Annots[20 0 R]"
      var sample = SamplePDF(pages: [page])
      sample.objects = [
        "<</Type/Annot/Subtype/Widget/T(field)/Rect[72 400 272 420]/F 4\(value)\(self == .bare ? "" : "/AP<</N 21 0 R>>")>>",
        Self.appearance,
      ]
      sample.catalog =
        "/AcroForm<</Fields[20 0 R]\(self == .bare ? "/NeedAppearances true" : "")/DR<</Font<</F 4 0 R>>>>/DA(/F 12 Tf 0 g)>>"
      return sample
    }
  }

  @Test("What a field shows is found, selected, highlighted and exported", arguments: Field.allCases)
  func endToEnd(field: Field) async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: field.sample)
    _ = try await bench.indexed(id)
    #expect(try await bench.client.call("search/query", ["text": "\"shown words\""]).items.count == 1)
    let hits = try await bench.client.call("documents/find", ["id": id, "text": "words here"]).items
    try #require(hits.count == 1)
    let quad = try #require(hits[0]["quads"].list.first).numbers
    // Within the field, which is 372 to 392 points below the upper edge.
    #expect(quad[0] > 72 && quad[2] < 272 && quad[1] > 368 && quad[5] < 396, "\(quad)")
    let from: JSONValue = ["x": .number(quad[0] + 1), "y": .number((quad[1] + quad[5]) / 2)]
    let to: JSONValue = ["x": .number(quad[2] - 1), "y": .number((quad[1] + quad[5]) / 2)]
    let selected = try await bench.client.call(
      "documents/select", ["id": id, "page": 0, "from": from, "to": to, "granularity": "word"])
    #expect(selected["text"] == "words here")
    let added = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "quads": [selected["lines"]![0]!["quad"]!]])
    #expect(added["added"]?[0]?["text"] == "words here")
    let exported = try await bench.client.call(
      "documents/export", ["id": id, "format": "markdown", "inline": true])
    let markdown = String(decoding: Data(base64Encoded: exported["data"].text) ?? Data(), as: UTF8.self)
    #expect(markdown.contains("> words here"))

    // In a copy it lies on the field, and comes back with the words.
    let path = bench.daemon.folder.file("field.pdf")
    var params: JSONObject = ["id": id, "format": "pdf", "path": .string(path)]
    if let asked = try await bench.client.failure("documents/export", .object(params)) {
      params["confirm"] = try #require(asked.data?["confirm"])
      _ = try await bench.client.call("documents/export", .object(params))
    }
    let other = try await DocumentBench()
    let copy = try await other.client.call("documents/add", ["path": .string(path)])["id"]!
    _ = try await other.client.call("documents/importMarks", ["id": copy])
    let marks = try await other.client.call("documents/highlights", ["id": copy]).items
    #expect(marks.contains { $0["text"] == "words here" && $0["imported"] == nil })
    await other.stop()
    await bench.stop()
  }
}
