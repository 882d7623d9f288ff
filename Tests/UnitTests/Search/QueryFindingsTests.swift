import Testing

@testable import Search
@testable import SearchEngine
@testable import Store

@Suite("Search: what a question finds") struct QueryFindingsTests {
  @Test(
    "a list is cut where more were found than are kept; of a guessed total only a full one is",
    arguments: [
      (400, 400, false, false), (400, 405, false, true), (400, 405, true, true), (399, 405, true, false),
      (399, 405, false, true), (20, 30, false, false), (20, 1_000, true, false), (0, 0, false, false),
    ])
  func cut(_ hits: Int, _ total: Int, _ isEstimate: Bool, _ isCut: Bool) {
    let hit = RankedText(
      row: 1, rank: 1, at: 0, collection: CollectionNumber("posts"), isPage: false, mayFold: false, mark: 1)
    var findings = QueryFindings(
      hits: Array(repeating: hit, count: hits), total: total, totalIsEstimate: isEstimate, counts: [])
    #expect(findings.isCut == isCut)
    // A list that goes on to the end of what matches is never cut.
    findings.hasFurther = true
    #expect(!findings.isCut)
  }
}
