import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Documents

@Suite("Documents: marks for other programs") struct MarkExportTests {
  /// A document with two highlights on one page that were made against the reading order, a memo and a bookmark.
  private struct Marked {
    let bench: DocumentBench
    let id: JSONValue
    let ids: [JSONValue]

    init(locale: String = "en-US") async throws {
      let bench = try await DocumentBench(locale: locale)
      let sample = SamplePDF(
        pages: [
          .init(["*a* heading", "some words that go on be-", "hind the line's end", "the last line"]),
          .init(["page two"]),
        ], labelPrefix: "x-")
      let id = try await bench.id(of: sample, title: "A [title] with *stars*")
      func highlight(_ lines: [String], _ note: String?) async throws -> JSONValue {
        var params: JSONObject = ["id": id, "page": 0, "lines": .array(lines.map(JSONValue.string))]
        params["note"] = note.map(JSONValue.string)
        return try await bench.client.call("documents/addHighlight", .object(params))["id"] ?? .null
      }
      let last = try await highlight(["the last line"], nil)
      let first = try await highlight(["some words that go on be-", "hind the line's end"], "look *this* up")
      _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 1, "text": "a memo\nof two lines"])
      _ = try await bench.client.call("documents/setBookmark", ["id": id, "page": 1, "bookmarked": true])
      (self.bench, self.id, ids) = (bench, id, [first, last])
    }

    func export(_ format: String) async throws -> String {
      let reply = try await bench.client.call(
        "documents/export", ["id": id, "format": .string(format), "inline": true])
      return String(decoding: Data(base64Encoded: reply["data"].text) ?? Data(), as: UTF8.self)
    }
  }

  @Test("as Markdown quotes stand by page in reading order, with notes, memos, bookmarks and stable links")
  func markdown() async throws {
    let marked = try await Marked()
    let link = "commonplace:/documents/\(marked.id.stringValue ?? "")"
    #expect(
      try await marked.export("markdown") == """
        # A \\[title\\] with \\*stars\\*

        [\(link)](\(link))

        ## [Page 1 (x-i)](\(link)#page=0)

        > some words that go on behind the line's end [↗](\(link)#highlight=\(marked.ids[0].stringValue ?? ""))

        look *this* up

        > the last line [↗](\(link)#highlight=\(marked.ids[1].stringValue ?? ""))

        ## [Page 2 (x-ii)](\(link)#page=1)

        Bookmarked.

        a memo
        of two lines

        """)
    await marked.bench.stop()
    let korean = try await Marked(locale: "ko-KR")
    #expect(try await korean.export("markdown").contains("\n\n책갈피.\n\n"))
    await korean.bench.stop()
  }

  @Test("as Web Annotations each mark says its page, its text with what stands around it, and its place")
  func annotations() async throws {
    let marked = try await Marked()
    let collection = try JSONParser.parse(try await marked.export("w3c"))
    #expect(collection["@context"] == "http://www.w3.org/ns/anno.jsonld")
    #expect(collection["type"] == "AnnotationCollection")
    #expect(collection["total"] == 4 && collection["first"]?["type"] == "AnnotationPage")
    let items = collection["first"]?["items"].list ?? []
    #expect(items.map { $0["motivation"] } == ["commenting", "highlighting", "commenting", "bookmarking"])
    let first = try #require(items.first)
    #expect(first["body"]?["value"] == "look *this* up" && first["body"]?["type"] == "TextualBody")
    #expect(first["created"].text.hasSuffix("Z") && first["modified"] == first["created"])
    #expect(first["id"].text.hasSuffix("#highlight=\(marked.ids[0].stringValue ?? "")"))
    #expect(first["stylesheet"]?["value"] == ".color-ffd60a { background-color: #ffd60a; }")
    #expect(first["target"]?["styleClass"] == "color-ffd60a")
    let selectors = first["target"]?["selector"].list ?? []
    #expect(selectors.map { $0["type"] } == ["FragmentSelector", "TextQuoteSelector", "TextPositionSelector"])
    #expect(selectors[0]["value"] == "page=1" && selectors[0]["conformsTo"] == "http://tools.ietf.org/rfc/rfc8118")
    #expect(selectors[1]["exact"] == "some words that go on be-\nhind the line's end")
    #expect(selectors[1]["prefix"] == "*a* heading\n" && selectors[1]["suffix"].text.hasPrefix("\nthe last line"))
    #expect(selectors[2]["start"] == 12 && selectors[2]["end"] == json(12 + 45))
    #expect(items[2]["target"]?["selector"]?[0]?["value"] == "page=2")
    await marked.bench.stop()
  }

  @Test("what is not in the present file is exported too, and says so")
  func orphans() async throws {
    let marked = try await Marked()
    _ = try await marked.bench.client.call(
      "documents/refresh", ["id": marked.id, "data": .string(SamplePDF(["something else"]).base64)])
    let text = try await marked.export("markdown")
    #expect(text.contains("## Not in the present file\n\nIt was on page 1.\n\n> some words that go on behind"))
    #expect(text.contains("It was on page 2.\n\na memo"))
    let items = try JSONParser.parse(try await marked.export("w3c"))["first"]?["items"].list ?? []
    #expect(items.count == 4)
    #expect(items[0]["target"]?["selector"].list.map { $0["type"] } == ["TextQuoteSelector"])
    await marked.bench.stop()
  }

  @Test("a highlight with a gap is two targets, each with its own quote")
  func gap() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one line", "the middle", "three lines"]))
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["one line", "three lines"]])
    let reply = try await bench.client.call("documents/export", ["id": id, "format": "w3c", "inline": true])
    let json = try JSONParser.parse(String(decoding: Data(base64Encoded: reply["data"].text) ?? Data(), as: UTF8.self))
    let targets = json["first"]?["items"]?[0]?["target"].list ?? []
    #expect(targets.map { $0["selector"]?[1]?["exact"] } == ["one line", "three lines"])
    #expect(targets.map { $0["selector"]?[2]?["start"] } == [0, 20])
    await bench.stop()
  }

  @Test("an export takes a file's place only when asked to, never a folder's, and is never written through a link")
  func places() async throws {
    let marked = try await Marked()
    let folder = marked.bench.daemon.folder
    let path = folder.file("notes.md")
    func export(_ path: String, overwrite: Bool?) async throws -> String? {
      var params: JSONObject = ["id": marked.id, "format": "markdown", "path": .string(path)]
      params["overwrite"] = overwrite.map(JSONValue.bool)
      return try await marked.bench.client.failure("documents/export", .object(params))?.kind
    }
    #expect(try await export(path, overwrite: nil) == nil)
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    #expect(whole == (try await marked.export("markdown")))
    #expect(try await export(path, overwrite: false) == "exists")
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(try await export(path, overwrite: nil) == "exists")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    #expect(try await export(path, overwrite: true) == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == whole)
    // A link is not followed: what it names stays.
    let target = folder.file("target")
    let linked = folder.file("linked.md")
    try Data("kept".utf8).write(to: URL(filePath: target))
    try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: target)
    #expect(try await export(linked, overwrite: true) != nil)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    #expect(try await export(folder.path, overwrite: true) != nil)
    #expect(try await export(folder.file("no/such/folder/a.md"), overwrite: true) == "notFound")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".part") }
    #expect(left.isEmpty, "\(left)")
    await marked.bench.stop()
  }

  @Test("lines flow into one text: hyphens joined, Han without a blank, Korean and the rest with one")
  func flowing() {
    #expect(FlowingText.joined(["exam-", "ple of", "text"]) == "example of text")
    #expect(FlowingText.joined(["well-", "Known"]) == "well-Known")
    #expect(FlowingText.joined(["漢字", "仮名"]) == "漢字仮名")
    #expect(FlowingText.joined(["책을 두 번", "읽는다"]) == "책을 두 번 읽는다")
    #expect(FlowingText.joined([]) == "")
  }
}
