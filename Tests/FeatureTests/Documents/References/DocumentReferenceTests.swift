import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Documents

@Suite("Documents: references in the text") struct DocumentReferenceTests {
  /// A reference as `kind number`, with the cited names.
  private func told(_ text: String, at place: String? = nil) -> String? {
    let scalars = Array(text.unicodeScalars)
    let place = place.flatMap { text.range(of: $0) }
      .map { text.unicodeScalars.distance(from: text.startIndex, to: $0.lowerBound) }
    return TextReference(in: scalars, at: place).map { reference in
      let names = reference.isByYear ? reference.words.map { " " + $0 }.joined() : ""
      return "\(reference.kind.rawValue) \(reference.number)\(names)"
    }
  }

  @Test(
    "a reference is read in the forms of papers, in four languages",
    arguments: [
      ("as shown in [12]", "citation 12"), ("see Fig. 3 for this", "figure 3"), ("Figures 3a and 4", "figure 3a"),
      ("by Theorem 2.1,", "theorem 2.1"), ("(Eq. (3.4))", "equation 3.4"), ("from (3.4) it follows", "equation 3.4"),
      ("in Section 2.1", "section 2.1"), ("see Appendix A.", "section A"), ("Table\n2 lists", "table 2"),
      ("그림 3에서", "figure 3"), ("보조정리 2.1을", "theorem 2.1"), ("図3に示す", "figure 3"), ("如图 3 所示", "figure 3"),
      ("Smith et al. (2019) say", "citation 2019 smith"), ("(Smith and Doe, 2019a)", "citation 2019a smith doe"),
    ])
  func forms(text: String, expected: String) {
    #expect(told(text) == expected)
  }

  @Test("where several are near, the one at the place is read; a text without any has none")
  func places() {
    #expect(told("as in [3, 12–15] and [7]", at: "12") == "citation 12")
    #expect(told("as in [3, 12–15] and [7]", at: "7") == "citation 7")
    #expect(told("by Lemma 1 and Lemma 2", at: "Lemma 2") == "theorem 2")
    #expect(told("by Lemma 1 and Lemma 2", at: "and") == nil)
    for text in ["", "nothing", "the 3 rivers", "in 2019", "[abc]"] { #expect(told(text) == nil, "\(text)") }
  }

  private static let paper: [[String]] = [
    [
      "1 Introduction", "Figure 1 shows what Theorem 2.1 states, see [2] and [1].",
      "Doe (2018) proves (2.2) in Section 2.",
    ],
    ["2 Rivers", "Theorem 2.1. Rivers are wet.", "Figure 1: A river", "seen from above.", "a + b = c (2.2)"],
    [
      "References", "Doe, J.: On proofs.", "Oxford 2018.", "[1] A. Author: On lakes. 2011.",
      "[2] B. Author: On rivers,", "and on seas. 2012.",
    ],
  ]

  private func bench() async throws -> (bench: DocumentBench, id: JSONValue) {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(pages: Self.paper.map { .init($0) }))
    _ = try await bench.indexed(id)
    return (bench, id)
  }

  @Test(
    "the target is the entry, the caption, the theorem, the heading or the equation, and not the text that refers to it",
    arguments: [
      ("[2]", 2, "[2] B. Author: On rivers,\nand on seas. 2012."), ("[1]", 2, "[1] A. Author: On lakes. 2011."),
      ("Doe (2018)", 2, "Doe, J.: On proofs.\nOxford 2018."), ("Fig. 1", 1, "Figure 1: A river\nseen from above."),
      ("Theorem 2.1", 1, "Theorem 2.1. Rivers are wet."), ("Section 2", 1, "2 Rivers"), ("(2.2)", 1, "a + b = c (2.2)"),
    ])
  func targets(reference: String, page: Int, text: String) async throws {
    let (bench, id) = try await bench()
    let reply = try await bench.client.call(
      "documents/reference", ["id": id, "page": 0, "text": .string(reference), "limit": 1])
    #expect(reply.items.map { $0["page"] } == [json(page)] && reply.items.map { $0["text"].text } == [text], "\(reply)")
    #expect(reply.items.first?["quads"].list.count == text.split(separator: "\n").count)
    #expect(reply["text"] == .string(reference))
    await bench.stop()
  }

  @Test("a point on a reference leads to its target, and a point beside it to none")
  func point() async throws {
    let (bench, id) = try await bench()
    let hits = try await bench.client.call("documents/find", ["id": id, "text": "[2]"]).items
    let quad = try #require(hits.first { $0["page"] == 0 }?["quads"]?[0]?.numbers)
    func follow(_ x: Double, _ y: Double) async throws -> JSONValue {
      try await bench.client.call(
        "documents/reference", ["id": id, "page": 0, "point": ["x": .number(x), "y": .number(y)]])
    }
    let found = try await follow((quad[0] + quad[2]) / 2, (quad[1] + quad[5]) / 2)
    #expect(found["kind"] == "citation" && found["text"] == "[2]" && found.items.first?["page"] == 2)
    let nothing = try await follow((quad[0] + quad[2]) / 2, 700)
    #expect(nothing["kind"] == nil && nothing.items == [])
    await bench.stop()
  }

  @Test("a reference whose target the document does not have, and a text without one, are no errors")
  func missing() async throws {
    let (bench, id) = try await bench()
    let unknown = try await bench.client.call("documents/reference", ["id": id, "page": 0, "text": "Fig. 9"])
    #expect(unknown["kind"] == "figure" && unknown.items == [])
    let none = try await bench.client.call("documents/reference", ["id": id, "page": 0, "text": "a river"])
    #expect(none["kind"] == nil && none["text"] == nil && none.items == [])
    let beyond = try await bench.client.failure("documents/reference", ["id": id, "page": 9, "text": "[1]"])
    #expect(beyond?.data?["field"] == "page")
    await bench.stop()
  }
}
