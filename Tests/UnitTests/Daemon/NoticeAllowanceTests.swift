import Testing

@testable import Daemon

/// How much of the daemon's time the notifications of one client get.
@Suite struct NoticeAllowanceTests {
  /// Time that passes as the test says.
  private struct Simulation {
    var allowance = NoticeAllowance()
    var now = ContinuousClock.now
    var (busy, resting) = (Duration.zero, Duration.zero)

    mutating func take(_ duration: Duration, othersWait: Bool) {
      let begun = now
      now += duration
      busy += duration
      guard let rest = allowance.rest(after: begun, until: now, othersWait: { othersWait }) else { return }
      resting += rest
      now += rest
    }
  }

  @Test("while others wait, notifications without a pause get a tenth of the time, in short pieces")
  func flood() {
    var flood = Simulation()
    for _ in 0..<10_000 {
      let before = flood.resting
      flood.take(.microseconds(40), othersWait: true)
      #expect(flood.resting - before < .milliseconds(4))
    }
    let share = flood.busy / (flood.busy + flood.resting)
    #expect(share > 0.08 && share < 0.11, "\(share)")
  }

  @Test("a user who types never rests, nor does anybody while nobody waits, of which nothing is owed later")
  func typing() {
    var typing = Simulation()
    for _ in 0..<1_000 {
      // A key, and what an editor inserts with it.
      for _ in 0..<4 { typing.take(.microseconds(200), othersWait: true) }
      typing.now += .milliseconds(30)
    }
    #expect(typing.resting == .zero)
    for _ in 0..<1_000 { typing.take(.milliseconds(1), othersWait: false) }
    #expect(typing.resting == .zero)
    typing.take(.microseconds(40), othersWait: true)
    #expect(typing.resting < .milliseconds(4))
  }

  @Test("the rest after one large text is no longer than a user notices")
  func large() {
    var text = Simulation()
    text.take(.seconds(2), othersWait: true)
    #expect(text.resting > .milliseconds(10) && text.resting < .milliseconds(15))
  }

  @Test("others wait until their last reply and a moment longer, and nobody is another one to itself")
  func waiting() {
    let clients = WaitingClients()
    let (one, two) = (Named(), Named())
    let start = ContinuousClock.now
    func othersWait(_ client: Named, isCounted: Bool = false, after duration: Duration = .zero) -> Bool {
      clients.includesOthers(than: ObjectIdentifier(client), isCounted: isCounted, at: start + duration)
    }
    #expect(!othersWait(one))
    clients.enter()
    #expect(othersWait(two) && !othersWait(one, isCounted: true))
    clients.leave(ObjectIdentifier(one), at: start)
    #expect(othersWait(two, after: .milliseconds(19)) && !othersWait(two, after: .milliseconds(20)))
    #expect(!othersWait(one))
    // What another one was given before counts too.
    clients.enter()
    clients.leave(ObjectIdentifier(two), at: start + .milliseconds(10))
    clients.enter()
    clients.leave(ObjectIdentifier(two), at: start + .milliseconds(11))
    #expect(othersWait(two, after: .milliseconds(12)) && !othersWait(two, after: .milliseconds(20)))
    #expect(othersWait(one, after: .milliseconds(30)))
  }

  private final class Named {}
}
