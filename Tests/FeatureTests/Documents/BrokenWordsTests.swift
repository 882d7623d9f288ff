import TestSupport
import Testing
import Wire

@Suite("Documents: words that a hyphen breaks at a line end")
struct BrokenWordsTests {
  private static func plain(_ lines: [String]) async throws -> String {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(pages: [.init(lines)]))
    let text = try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text
    await bench.stop()
    return text
  }

  @Test("In plain text such a word is whole, and the line ends after it")
  func broken() async throws {
    let text = try await Self.plain(["this is an exam-", "ple of it, and of ex-", "traor-", "dinary words"])
    #expect(text.contains("this is an example\nof it, and of extraordinary\nwords"), "\(text)")
  }

  @Test("A hyphen stays that the page shows within a line, or that a word of several has, or before a capital")
  func real() async throws {
    let text = try await Self.plain([
      "a well-known rule is well-", "known, a state-of-the-", "art thing of Anglo-", "Saxons, 3-", "fold",
    ])
    #expect(text.contains("is well-known,\na state-of-the-art\nthing of Anglo-\nSaxons, 3-\nfold"), "\(text)")
  }

  @Test("Places count in the text as it stands, and the selection of both lines has a quad in each")
  func places() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(pages: [.init(["this is an exam-", "ple of it"])]))
    let reply = try await bench.client.call("documents/text", ["id": id, "page": 0, "detail": "words"])
    #expect(reply["text"].text.contains("exam-\nple of it"))
    let text = Array(reply["text"].text.utf16)
    let words = reply["words"].list.map { word in
      let start = Int(word["offset"]!.integerValue!)
      return String(decoding: text[start..<start + Int(word["length"]!.integerValue!)], as: UTF16.self)
    }
    #expect(words == ["this", "is", "an", "exam-", "ple", "of", "it"])
    let hit = try await bench.client.call("documents/find", ["id": id, "text": "example"]).items[0]
    #expect(hit["quads"].list.count == 2)
    #expect(hit["quads"].list[0] == reply["words"].list[3]["quad"])
    #expect(hit["quads"].list[1] == reply["words"].list[4]["quad"])
    await bench.stop()
  }
}
