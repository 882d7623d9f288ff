import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What the list of the corpus says that each of its files exercises, as far as it lies beside the pages.
@Suite("Documents: the corpus' contents", .enabled(if: !CorpusFiles.all.isEmpty), .serialized)
struct CorpusContentsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var method: String
    var params: JSONObject = [:]
    var holds: @Sendable (JSONValue) -> Bool
    var testDescription: String { "\(file) \(method)" }
  }

  private static func count(_ kind: String, _ result: JSONValue) -> Int {
    result.items.count { $0["target"]?["kind"]?.stringValue == kind }
  }

  private static let cases: [Case] = [
    Case(file: "outline-max-depth.pdf", method: "outline") { $0["truncated"] == true && $0.items.count >= 64 },
    Case(file: "outline-nested.pdf", method: "outline") { $0.items.contains { $0["depth"] == 1 } },
    Case(file: "outline-cyclic-dest.pdf", method: "outline") { count("broken", $0) > 0 },
    Case(file: "text-tables-outline.pdf", method: "outline") { $0.items.count == 55 },
    Case(file: "cjk-korean-book.pdf", method: "outline") { result in
      result.items.count > 50 && count("page", result) == result.items.count
    },
    Case(file: "links-annots-4p.pdf", method: "links", params: ["page": 0]) { count("page", $0) > 0 },
    Case(file: "links-external-internal.pdf", method: "links", params: ["page": 0]) { $0.items.count == 28 },
    Case(file: "text-manual-30p.pdf", method: "links", params: ["page": 2]) { count("page", $0) > 10 },
    Case(file: "linearized.pdf", method: "metadata") { $0["linearized"] == true },
    Case(file: "enc-owner-nocopy.pdf", method: "metadata") { result in
      result["encrypted"] == true && !result["permissions"].list.contains("copy")
    },
    Case(file: "enc-user-aes256.pdf", method: "metadata") { $0["encrypted"] == true },
    Case(file: "sig-two.pdf", method: "metadata") { $0["signatures"] == 2 },
    Case(file: "sig-verified.pdf", method: "metadata") { ($0["signatures"]?.integerValue ?? 0) > 0 },
    Case(file: "attach-embedded.pdf", method: "attachments") { $0.items.count == 2 },
    Case(file: "attach-annotation.pdf", method: "attachments") { $0.items.contains { $0["page"] == 0 } },
    Case(file: "annot-highlight-real.pdf", method: "importMarks") { $0["added"] == 3 },
    Case(file: "annot-highlight-multi.pdf", method: "importMarks") { $0["added"] == 4 },
    Case(file: "annot-highlight-text-ink.pdf", method: "importMarks") { ($0["added"]?.integerValue ?? 0) >= 3 },
    Case(file: "annot-ink.pdf", method: "importMarks") { ($0["added"]?.integerValue ?? 0) > 0 },
    Case(file: "annot-freetext.pdf", method: "importMarks") { ($0["added"]?.integerValue ?? 0) > 0 },
    Case(file: "annot-popup.pdf", method: "importMarks") { ($0["added"]?.integerValue ?? 0) > 0 },
    Case(file: "annot-rich-note.pdf", method: "importMarks") { ($0["added"]?.integerValue ?? 0) > 0 },
    Case(file: "form-f1040-real.pdf", method: "importMarks") { $0["added"] == 0 },
  ]

  @Test("a file of the corpus has what its list says", arguments: cases)
  func contents(of test: Case) async throws {
    let file = try #require(CorpusFiles.file(test.file))
    let bench = try await DocumentBench()
    var added: JSONObject = ["path": .string(file.path)]
    if let password = CorpusFiles.passwords[test.file] { added["password"] = .string(password) }
    let id = try await bench.client.call("documents/add", .object(added))["id"]!
    var params = test.params
    params["id"] = id
    let result = try await bench.client.call("documents/\(test.method)", .object(params))
    #expect(test.holds(result), "\(result)")
    await bench.stop()
  }

  @Test(
    "a copy of a signed, forbidden or repaired file of the corpus is refused",
    arguments: [
      ("sig-docmdp.pdf", "signed"), ("sig-two.pdf", "signed"), ("sig-verified.pdf", "signed"),
      ("enc-user-unicode.pdf", "notAllowed"),
      ("broken-byte-missing.pdf", "corrupt"), ("broken-xref-missing.pdf", "corrupt"),
    ])
  func refused(name: String, kind: String) async throws {
    let file = try #require(CorpusFiles.file(name))
    let bench = try await DocumentBench()
    var added: JSONObject = ["path": .string(file.path)]
    if let password = CorpusFiles.passwords[name] { added["password"] = .string(password) }
    let id = try await bench.client.call("documents/add", .object(added))["id"]!
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 0, "text": "A memo"])
    let path = bench.daemon.folder.file("copy.pdf")
    let failure = try await bench.client.failure(
      "documents/export", ["id": id, "format": "pdf", "path": .string(path)])
    #expect(failure?.kind == kind)
    #expect(!FileManager.default.fileExists(atPath: path))
    await bench.stop()
  }
}
