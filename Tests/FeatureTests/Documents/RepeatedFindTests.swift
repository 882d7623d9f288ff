import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: finding again") struct RepeatedFindTests {
  @Test("the second search answers from what the first left in memory, byte for byte the same")
  func repeated() async throws {
    let bench = try await DocumentBench()
    let long = (0..<6).map { "a \"quoted\" word and the word number \($0) \\ more" }
    let samples: [(SamplePDF, JSONObject)] = [
      (SamplePDF(long, ["no hit"], ["a wo-", "rd on two lines, word"]), ["text": "word"]),
      (SamplePDF(["one line of", "text, one line"]), ["text": "LINE OF TEXT"]),
      (SamplePDF(["some lines end", "  here  and", "there"]), ["text": #"\w+ (here|there)"#, "regex": true]),
      (.korean("한국어문서검색한국어문서검색한국어문서검색"), ["text": "문서"]),
      (
        SamplePDF(pages: [.init(content: "BT /Latin 24 Tf 72 700 Td (Caf\\351 Stra\\337e caf\\351, e\\351) Tj ET")]),
        ["text": "\u{E9}"]
      ),
    ]
    for (sample, params) in samples {
      let id = try await bench.id(of: sample)
      // The text is there, so that all that is asked for is answered at once.
      _ = try await bench.indexed(id)
      var params = params
      params["id"] = id
      let request = JSONValue.object(params)
      let first = try await bench.client.call("documents/find", request)
      #expect(!first.items.isEmpty && first.items.allSatisfy { !$0["quads"].list.isEmpty })
      let second = try await bench.client.call("documents/find", request)
      #expect(first == second, "\(request)")
      params["partialResultToken"] = "all"
      _ = try await bench.client.call("documents/find", .object(params))
      let parts = bench.client.heard("$/progress").filter { $0["token"] == "all" }.flatMap { $0["value"]?.items ?? [] }
      #expect(parts.suffix(first.items.count) == first.items[...], "\(request)")
    }
    await bench.stop()
  }

  @Test("what stands around a hit is at most 48 characters on each side, and whole ones")
  func context() async throws {
    let bench = try await DocumentBench()
    let text = String(repeating: "가", count: 60) + "끝" + String(repeating: "나", count: 60)
    var page = SamplePDF.Page(korean: [text])
    page.width = 4_000
    let id = try await bench.id(of: SamplePDF(pages: [page]))
    _ = try await bench.indexed(id)
    for _ in 0..<2 {
      let found = try await bench.client.call("documents/find", ["id": id, "text": "끝"])
      let hit = try #require(found.items.first)
      #expect(hit["before"] == .string(String(repeating: "가", count: 48)))
      #expect(hit["after"] == .string(String(repeating: "나", count: 48)))
    }
    await bench.stop()
  }
}
