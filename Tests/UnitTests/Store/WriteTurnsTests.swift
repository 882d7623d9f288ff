import Testing

@testable import Store

@Suite("The turns of writes that yield to clients") struct WriteTurnsTests {
  private let start = ContinuousClock.now

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  /// When a write begins that arrives at `now`, in milliseconds.
  private func time(of turns: WriteTurns, at now: Int, isBusy: Bool = false) -> Double {
    (turns.time(of: after(now), isBusy: isBusy, at: after(now)) - start) / .milliseconds(1)
  }

  /// Turns of a client that sends each write a given time after the reply, and has the last reply at 1000.
  private func turns(pauses: [Int]) -> WriteTurns {
    var turns = WriteTurns()
    var now = 1_000 - pauses.reduce(0, +)
    turns.noteReply(at: after(now))
    for pause in pauses {
      now += pause
      turns.noteArrival(at: after(now))
      turns.noteReply(at: after(now))
    }
    return turns
  }

  @Test("a write begins at once where no client has written, or none for a while")
  func quiet() {
    #expect(time(of: WriteTurns(), at: 7) == 7)
    #expect(time(of: turns(pauses: []), at: 1_025) == 1_025)
    #expect(time(of: turns(pauses: [10, 10]), at: 1_025) == 1_025)
  }

  @Test("a turn has room without limit after a while without a write, and for a long step only at its beginning")
  func room() {
    #expect(WriteTurns().room(isBusy: false, at: start) == .unlimited)
    let turns = turns(pauses: [10, 10])
    #expect(turns.room(isBusy: false, at: after(1_000)) == .whole)
    #expect(turns.room(isBusy: true, at: after(1_000)) == .rest)
    #expect(turns.room(isBusy: false, at: after(1_001)) == .rest)
    #expect(turns.room(isBusy: false, at: after(1_024)) == .rest)
    #expect(turns.room(isBusy: false, at: after(1_025)) == .unlimited)
  }

  @Test("it begins soon after a client's reply, or else when that client has not written for a while")
  func turn() {
    let turns = turns(pauses: [300])
    #expect(time(of: turns, at: 1_000) == 1_000)
    #expect(time(of: turns, at: 1_004) == 1_004)
    #expect(time(of: turns, at: 1_005) == 1_025)
  }

  @Test("it begins in the first half of the shortest of the last pauses between a reply and a write")
  func shortest() {
    let turns = turns(pauses: [8, 4, 300])
    #expect(time(of: turns, at: 1_001) == 1_001)
    #expect(time(of: turns, at: 1_002) == 1_025)
    #expect(time(of: self.turns(pauses: [4] + Array(repeating: 300, count: 8)), at: 1_004) == 1_004)
  }

  @Test("it waits for writes of clients, and for those that are expected, but not for ever")
  func longest() {
    #expect(time(of: WriteTurns(), at: 7, isBusy: true) == 57)
    let turns = turns(pauses: Array(repeating: 0, count: 8))
    #expect(time(of: turns, at: 1_000) == 1_025)
    #expect((turns.time(of: after(960), isBusy: false, at: after(1_001)) - start) == .milliseconds(1_010))
  }
}
