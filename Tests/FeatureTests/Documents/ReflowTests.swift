import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: reflow") struct ReflowTests {
  /// A page of texts at places, with their sizes.
  private static func page(_ texts: [(x: Int, y: Int, size: Int, text: String)]) -> SamplePDF {
    let lines = texts.map { "BT /Latin \($0.size) Tf \($0.x) \($0.y) Td (\($0.text)) Tj ET" }
    return SamplePDF(pages: [.init(content: lines.joined(separator: "\n"))])
  }

  private static func blocks(_ sample: SamplePDF) async throws -> (text: String, blocks: [JSONValue]) {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: sample)
    let reply = try await bench.client.call("documents/text", ["id": id, "page": 0, "detail": "reflow"])
    await bench.stop()
    return (reply["text"].text, reply["blocks"].list)
  }

  @Test("headings stand apart, lines of a paragraph are joined, broken words put together, items kept apart")
  func paragraphs() async throws {
    let (text, blocks) = try await Self.blocks(
      Self.page([
        (72, 740, 24, "A Large Heading"),
        (72, 700, 12, "The first paragraph of this page is set in lines of which one ends"),
        (72, 686, 12, "within a word, for exam-"), (72, 672, 12, "ple here, and then it ends early."),
        (72, 640, 12, "The second one is parted from the first by a gap that is wider than usual."),
        (72, 610, 12, "1. The first item of a list"), (72, 596, 12, "2. The second item of a list"),
        (72, 566, 12, "And something behind the list, which goes on for a whole line until its end"),
        (72, 552, 12, "and one more."),
      ]))
    #expect(blocks.map { $0["kind"].text } == ["heading", "paragraph", "paragraph", "item", "item", "paragraph"])
    #expect(blocks[0]["level"] == 1 && blocks[0]["text"] == "A Large Heading")
    #expect(blocks[1]["text"].text.hasSuffix("ends within a word, for example here, and then it ends early."))
    #expect(blocks[1]["quads"].list.count == 3)
    #expect(blocks[3]["text"] == "1. The first item of a list")
    #expect(blocks[5]["text"].text.hasSuffix("until its end and one more."))
    #expect(text.hasPrefix("A Large Heading\n\nThe first paragraph") && text.contains("list\n2. The second"))
    #expect(text.hasSuffix("and one more.\n"))
  }

  @Test("two columns are read one after the other, and a sentence goes on from one to the next")
  func columns() async throws {
    let left = [
      "The left column is a narrow one and it", "has several lines of text which are",
      "all of about the same length and which",
    ]
    let right = [
      "go on at the top of the right column,", "where the sentence ends at last. Then",
      "another one follows it to the end.",
    ]
    var texts: [(x: Int, y: Int, size: Int, text: String)] = []
    for (index, line) in left.enumerated() { texts.append((60, 700 - 14 * index, 11, line)) }
    for (index, line) in right.enumerated() { texts.append((330, 700 - 14 * index, 11, line)) }
    let (_, blocks) = try await Self.blocks(Self.page(texts))
    #expect(blocks.map { $0["text"].text } == [(left + right).joined(separator: " ")])
  }

  @Test("a compound keeps its hyphen where the page has it elsewhere, and a broken word does not")
  func compounds() async throws {
    let (_, blocks) = try await Self.blocks(
      Self.page([
        (72, 700, 12, "This well-known thing is again a well-"), (72, 686, 12, "known one, but never a remark-"),
        (72, 672, 12, "able thing at all in these lines."),
      ]))
    #expect(
      blocks[0]["text"]
        == "This well-known thing is again a well-known one, but never a remarkable thing at all in these lines.")
  }

  @Test("a page without text has no blocks")
  func empty() async throws {
    let (text, blocks) = try await Self.blocks(SamplePDF([]))
    #expect(text == "" && blocks.isEmpty)
  }
}
