import TestSupport
import Testing
import Wire

@testable import Features

@Suite("Documents: the text of a long document") struct PageLanesTests {
  @Test("two lanes go through all pages once, and the one that is done first takes half of what is left")
  func shared() {
    let lanes = PageLanes(10..<210, least: 20)
    #expect(lanes.lanes == 0..<2)
    #expect(lanes.range(of: 0) == 10..<110 && lanes.range(of: 1) == 110..<210)
    var seen: [Int] = []
    // The second lane is four times as fast.
    var turn = 0
    var isDone = [false, false]
    while isDone != [true, true] {
      let lane = turn % 5 == 0 ? 0 : 1
      turn += 1
      guard let range = lanes.range(of: lane) else {
        isDone[lane] = true
        continue
      }
      seen += lanes.begin(range.lowerBound..<min(range.upperBound, range.lowerBound + 7), in: lane)
    }
    #expect(seen.sorted() == Array(10..<210))
  }

  @Test("a short document is not worth two workers; what was halted or is hopeless is begun no more")
  func ends() {
    let short = PageLanes(0..<39, least: 20)
    #expect(short.lanes == 0..<1 && short.range(of: 0) == 0..<39)
    // Pages before the first that is missing are there.
    #expect(short.begin(5..<10, in: 0) == 5..<10 && short.range(of: 0) == 10..<39)
    #expect(!short.fail(most: 2) && short.fail(most: 2) && !short.fail(most: 2))
    #expect(short.isOver && !short.isHalted && short.range(of: 0) == nil && short.begin(10..<12, in: 0).isEmpty)
    let halted = PageLanes(0..<100, least: 20)
    halted.halt()
    #expect(halted.isOver && halted.isHalted && halted.range(of: 1) == nil)
  }

  @Test("every page of a long document is found when its text has been taken out, and it is read meanwhile")
  func whole() async throws {
    let bench = try await DocumentBench()
    let count = 400
    let id = try await bench.id(of: .numbered(count))
    for page in [399, 200, 7] {
      let text = try await bench.client.call("documents/text", ["id": id, "page": json(page)])
      #expect(text["text"].text.hasPrefix("page number \(page + 1)"))
    }
    #expect(try await bench.indexed(id)["state"] == "ready")
    let hits = try await bench.client.call("documents/find", ["id": id, "text": "page number", "limit": 1_000])
    #expect(hits.items.map { $0["page"]?.integerValue } == (0..<count).map { Int64($0) })
    await bench.stop()
  }
}
