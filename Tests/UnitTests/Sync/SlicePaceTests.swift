import Testing

@testable import Sync

@Suite("Sync: the pace of a run's transactions") struct SlicePaceTests {
  /// Transactions that take a microsecond for an item, beside a write by somebody else before some of them.
  private static func durations(of pace: inout SlicePace, _ count: Int, othersWriteBefore: Set<Int> = [])
    -> [Duration]
  {
    var clock: Int64 = 10
    return (0..<count).map { number in
      if othersWriteBefore.contains(number) { clock += 1 }
      let duration = pace.duration
      pace.note(.init(time: .microseconds(pace.count), clock: clock + 1, hasShown: true))
      clock += 1
      return duration
    }
  }

  @Test("a transaction takes as many items as take a few milliseconds, and fewer once they take longer")
  func count() {
    var pace = SlicePace()
    for _ in 0..<20 { pace.note(.init(time: .milliseconds(1), clock: 5, hasShown: false)) }
    #expect(pace.count == 500)
    pace.note(.init(time: .milliseconds(40), clock: 5, hasShown: false))
    #expect(pace.count == 250)
    for _ in 0..<20 { pace.note(.init(time: .milliseconds(40), clock: 5, hasShown: false)) }
    #expect(pace.count == 4)
  }

  @Test("after a write by somebody else the transactions are shorter for a while, and then as before")
  func shared() {
    var pace = SlicePace()
    let durations = Self.durations(of: &pace, 60, othersWriteBefore: [3])
    #expect(Set(durations[0...3]) == [.milliseconds(5)])
    #expect(Set(durations[4..<54]) == [.milliseconds(2)])
    #expect(Set(durations[54...]) == [.milliseconds(5)])
  }

  @Test("a transaction that ended for others says nothing of how many items are done in its time")
  func cut() {
    var pace = SlicePace()
    for _ in 0..<20 { pace.note(.init(time: .microseconds(10), clock: 5, hasShown: false), isCut: true) }
    #expect(pace.count == 8)
    #expect(!SliceEnd(after: .seconds(60), othersWait: { false }).isReached)
    #expect(SliceEnd(after: .zero, othersWait: { false }).isReached)
  }

  @Test("a transaction ends for others, but not before it has worked for a moment, however many wait")
  func progress() {
    let start = ThreadTime.now
    let end = SliceEnd(after: .seconds(60), othersWait: { true })
    while !end.isReached {}
    let time = ThreadTime.now - start
    #expect(time >= SliceEnd.least && time < .seconds(30))
  }

  @Test("a write by somebody else is noticed beside transactions that show nothing")
  func silent() {
    var pace = SlicePace()
    for _ in 0..<3 { pace.note(.init(time: .milliseconds(1), clock: 5, hasShown: false)) }
    #expect(pace.duration == .milliseconds(5))
    pace.note(.init(time: .milliseconds(1), clock: 6, hasShown: false))
    #expect(pace.duration == .milliseconds(2))
  }
}
