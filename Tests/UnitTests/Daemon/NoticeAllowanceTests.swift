import Testing

@testable import Daemon

/// How much of the daemon's time the notifications of one client get.
@Suite struct NoticeAllowanceTests {
  /// A clock that only the test advances.
  private struct Simulation {
    var allowance = NoticeAllowance()
    var now = ContinuousClock.now
    var (busy, resting) = (Duration.zero, Duration.zero)

    mutating func take(_ duration: Duration, othersAsk: Bool) {
      let begun = now
      now += duration
      busy += duration
      guard let rest = allowance.rest(after: begun, until: now, othersAsk: { othersAsk }) else { return }
      resting += rest
      now += rest
    }
  }

  @Test("while others ask, notifications without a pause get a tenth of the time, in short pieces")
  func flood() {
    var flood = Simulation()
    for _ in 0..<10_000 {
      let before = flood.resting
      flood.take(.microseconds(40), othersAsk: true)
      #expect(flood.resting - before < .milliseconds(4))
    }
    let share = flood.busy / (flood.busy + flood.resting)
    #expect(share > 0.08 && share < 0.11, "\(share)")
  }

  @Test("a user who types never rests, nor does any client while no other asks, of which nothing is owed later")
  func typing() {
    var typing = Simulation()
    for _ in 0..<1_000 {
      // A key, and what an editor inserts with it.
      for _ in 0..<4 { typing.take(.microseconds(200), othersAsk: true) }
      typing.now += .milliseconds(30)
    }
    #expect(typing.resting == .zero)
    for _ in 0..<1_000 { typing.take(.milliseconds(1), othersAsk: false) }
    #expect(typing.resting == .zero)
    typing.take(.microseconds(40), othersAsk: true)
    #expect(typing.resting < .milliseconds(4))
  }

  @Test("the rest after one large text is no longer than a user notices")
  func large() {
    var text = Simulation()
    text.take(.seconds(2), othersAsk: true)
    #expect(text.resting > .milliseconds(10) && text.resting < .milliseconds(15))
  }

  @Test("others ask for a tenth of a second after each request, and no client is another one to itself")
  func recent() {
    let requests = RecentRequests()
    let (one, two) = (Named(), Named())
    let start = ContinuousClock.now
    func othersAsk(_ client: Named, after milliseconds: Int) -> Bool {
      requests.includesOthers(than: ObjectIdentifier(client), at: start + .milliseconds(milliseconds))
    }
    #expect(!othersAsk(one, after: 0))
    requests.add(of: ObjectIdentifier(one), at: start)
    #expect(othersAsk(two, after: 99) && !othersAsk(two, after: 100) && !othersAsk(one, after: 1))
    // The earlier request of another client still counts after one's own.
    requests.add(of: ObjectIdentifier(two), at: start + .milliseconds(50))
    requests.add(of: ObjectIdentifier(two), at: start + .milliseconds(60))
    #expect(othersAsk(two, after: 99) && !othersAsk(two, after: 100))
    #expect(othersAsk(one, after: 159) && !othersAsk(one, after: 160))
  }

  private final class Named {}
}
