import PDF
import TestSupport
import Testing
import Wire

@testable import Documents

@Suite("Documents: the text of a long document") struct PageLanesTests {
  @Test("two lanes go through all pages once, and the one that is done first takes half of what is left")
  func shared() {
    let lanes = PageLanes(10..<210, least: 20)
    #expect(lanes.lanes == 0..<2)
    #expect(lanes.next(of: 0)?.range == 10..<110 && lanes.next(of: 1)?.range == 110..<210)
    var seen: [Int] = []
    // The second lane is four times as fast.
    var turn = 0
    var isDone = [false, false]
    while isDone != [true, true] {
      let lane = turn % 5 == 0 ? 0 : 1
      turn += 1
      guard let range = lanes.next(of: lane)?.range else {
        isDone[lane] = true
        continue
      }
      seen += lanes.begin(range.lowerBound..<min(range.upperBound, range.lowerBound + 7), in: lane)
    }
    #expect(seen.sorted() == Array(10..<210))
  }

  @Test("towards their end lanes go on in smaller steps, and what is left of one is shared while it is worth a request")
  func end() {
    let lanes = PageLanes(0..<120)
    #expect(PageLanes.beginnings(of: 0..<120) == [0..<24, 60..<84, 24..<42, 84..<102])
    #expect(PageLanes.beginnings(of: 12..<60) == [12..<36, 36..<60] && PageLanes.beginnings(of: 55..<60) == [55..<60])
    _ = lanes.begin(60..<120, in: 1)
    _ = lanes.begin(0..<24, in: 0)
    #expect(lanes.next(of: 0)?.limit == 18)
    _ = lanes.begin(24..<42, in: 0)
    #expect(lanes.next(of: 1)?.range == 51..<60 && lanes.next(of: 1)?.limit == PageLanes.leastStep)
    #expect(lanes.next(of: 0)?.range == 42..<51)
    _ = lanes.begin(51..<60, in: 1)
    _ = lanes.begin(42..<44, in: 0)
    #expect(lanes.next(of: 1) == nil, "seven pages are one request")
  }

  @Test("a short document is not worth two workers; what was halted, or has failed too often, is begun no more")
  func ends() {
    let short = PageLanes(0..<39, least: 20)
    #expect(short.lanes == 0..<1 && short.next(of: 0)?.range == 0..<39)
    // Pages before the first that is missing are there.
    #expect(short.begin(5..<10, in: 0) == 5..<10 && short.next(of: 0)?.range == 10..<39)
    for _ in 1..<PageLanes.mostFailures { short.failAside(because: .timedOut) }
    #expect(!short.isOver && short.hopeless == nil)
    short.failAside(because: .outOfMemory)
    #expect(short.isOver && !short.isHalted && short.hopeless == .outOfMemory)
    #expect(short.next(of: 0) == nil && short.begin(10..<12, in: 0).isEmpty)
    let slow = PageLanes(0..<39, least: 20)
    slow.spend(PageLanes.mostSpent)
    #expect(!slow.isOver, "a run of pages that fails together tells of none of them")
    slow.failAside(because: .timedOut)
    #expect(slow.isOver && slow.hopeless == .timedOut)
    let halted = PageLanes(0..<100, least: 20)
    halted.halt()
    #expect(halted.isOver && halted.isHalted && halted.hopeless == nil && halted.next(of: 1) == nil)
  }

  @Test("behind two pages that failed a lane leaps, twice as far each time; what lies before a good page comes first")
  func leaps() {
    let lanes = PageLanes(0..<95, least: 48)
    _ = lanes.begin(0..<10, in: 0)
    lanes.fail(at: 3, in: 0, because: .timedOut)
    #expect(!lanes.hasLeapt(0) && lanes.next(of: 0)?.limit == PageLanes.step)
    lanes.fail(at: 4, in: 0, because: .timedOut)
    #expect(lanes.hasLeapt(0) && lanes.next(of: 0)?.range == 29..<95 && lanes.next(of: 0)?.limit == 1)
    #expect(lanes.begin(29..<30, in: 0) == 29..<30)
    lanes.fail(at: 29, in: 0, because: .timedOut)
    #expect(lanes.next(of: 0)?.range == 78..<95)
    #expect(lanes.begin(78..<79, in: 0) == 78..<79)
    lanes.read(in: 0)
    #expect(!lanes.hasLeapt(0) && lanes.next(of: 0)?.range == 79..<95 && lanes.next(of: 0)?.limit == PageLanes.step)
    lanes.setAside(6..<7)
    #expect(lanes.takeAside() == 30..<78 && lanes.takeAside() == 5..<29 && lanes.takeAside() == 6..<7)
    #expect(lanes.takeAside() == nil)
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
