import Testing

@testable import PDF

@Suite("What cost workers")
struct StrikeTests {
  @Test("Three strikes are ten minutes of rest, then one more try, and the next rest if that fails too")
  func rest() {
    var strikes = Strikes()
    let attempt = Attempt.opening("a")
    let start = ContinuousClock.now
    let early = [strikes.add(attempt, at: start), strikes.add(attempt, at: start)]
    #expect(early == [false, false])
    #expect(strikes.rest(of: attempt, at: start) == nil)
    let third = strikes.add(attempt, at: start)
    #expect(third)
    #expect(strikes.rest(of: attempt, at: start + .seconds(590)) == .seconds(10))
    #expect(strikes.dangerous(at: start) == ["a"])
    #expect(strikes.nextTry(after: start) == start + .seconds(600))
    let later = start + .seconds(600)
    #expect(strikes.rest(of: attempt, at: later) == nil)
    #expect(strikes.dangerous(at: later) == [] && strikes.nextTry(after: later) == nil)
    let fourth = strikes.add(attempt, at: later)
    #expect(fourth)
    #expect(strikes.rest(of: attempt, at: later + .seconds(1)) == .seconds(599))
    strikes.forget("a")
    #expect(strikes.rest(of: attempt, at: later) == nil)
  }
}
