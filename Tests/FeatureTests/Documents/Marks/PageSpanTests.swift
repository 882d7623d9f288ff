import Testing

@testable import Documents

@Suite("Documents: pages that a worker is asked for") struct PageSpanTests {
  @Test("pages near each other are asked for at once, those far apart by themselves, and no more than 500 at a time")
  func spans() {
    #expect(PageSpan.covering([], skippingOver: 8) == [])
    #expect(PageSpan.covering([7], skippingOver: 0) == [7..<8])
    #expect(PageSpan.covering([1, 2, 4], skippingOver: 0) == [1..<3, 4..<5])
    #expect(PageSpan.covering([1, 2, 4], skippingOver: 1) == [1..<5])
    #expect(PageSpan.covering([0, 9, 19], skippingOver: 8) == [0..<10, 19..<20])
    #expect(PageSpan.covering(Array(0..<1_200), skippingOver: 8) == [0..<500, 500..<1_000, 1_000..<1_200])
    // Nothing that is asked for is left out, nothing is read twice.
    let pages = Array(stride(from: 3, to: 2_000, by: 7))
    let spans = PageSpan.covering(pages, skippingOver: 8)
    #expect(pages.allSatisfy { page in spans.count { $0.contains(page) } == 1 })
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    #expect(spans.allSatisfy { $0.count <= 500 })
  }
}
