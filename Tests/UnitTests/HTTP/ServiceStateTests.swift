import Testing

@testable import HTTP

@Suite("the queue of a service")
struct ServiceStateTests {
  private let start = ContinuousClock.now

  private func ticket(
    _ id: Int, _ urgency: RequestPriority.Urgency = .interactive, patience: Duration = .seconds(1000)
  ) -> ServiceState.Ticket {
    ServiceState.Ticket(
      id: id, origin: "https://a.example", priority: RequestPriority(urgency), deadline: start + patience)
  }

  private func state(_ budget: RequestBudget, _ tickets: [ServiceState.Ticket]) -> ServiceState {
    var state = ServiceState(budget, at: start)
    for ticket in tickets { state.enqueue(ticket, at: start) }
    return state
  }

  @Test("only so many requests run at once, and one that ends lets the next one in")
  func atOnce() {
    var state = state(RequestBudget(atOnce: 2), (0..<4).map { ticket($0) })
    let first = state.advance(at: start)
    #expect(first.admitted.map(\.ticket.id) == [0, 1])
    #expect(first.wakeAt == nil && first.refused.isEmpty)
    state.release(at: start)
    #expect(state.advance(at: start).admitted.map(\.ticket.id) == [2])
    #expect(state.advance(at: start).admitted.isEmpty)
    #expect(state.running == 2 && state.waiting.map(\.id) == [3])
  }

  @Test("the gap between two requests is kept, and the queue says when it is over")
  func gap() {
    var state = state(RequestBudget(gap: .seconds(3), atOnce: 9), (0..<3).map { ticket($0) })
    var starts: [(Int, Duration)] = []
    var now = start
    while !state.waiting.isEmpty {
      let step = state.advance(at: now)
      starts += step.admitted.map { ($0.ticket.id, now - start) }
      guard let wakeAt = step.wakeAt else { break }
      #expect(state.advance(at: wakeAt - .milliseconds(1)).admitted.isEmpty)
      now = wakeAt
    }
    #expect(starts.map(\.0) == [0, 1, 2])
    #expect(starts.map(\.1) == [.zero, .seconds(3), .seconds(6)])
  }

  @Test("a burst spends the tokens, and then one comes back at a time, never more than there were")
  func tokens() {
    let budget = RequestBudget(tokens: 3, refill: .seconds(2), atOnce: 99)
    var state = state(budget, (0..<5).map { ticket($0) })
    let burst = state.advance(at: start)
    #expect(burst.admitted.count == 3)
    #expect(burst.wakeAt == start + .seconds(2))
    #expect(state.advance(at: start + .seconds(2)).admitted.map(\.ticket.id) == [3])
    #expect(state.advance(at: start + .seconds(3)).admitted.isEmpty)
    #expect(state.advance(at: start + .seconds(4)).admitted.map(\.ticket.id) == [4])
    // After an hour the bucket is full, not fuller.
    for id in 10..<20 { state.enqueue(ticket(id, patience: .seconds(9999)), at: start) }
    #expect(state.advance(at: start + .seconds(3600)).admitted.count == 3)
  }

  @Test("a token that comes back in no time is no limit")
  func noRefill() {
    var state = state(RequestBudget(tokens: 1, refill: .zero, atOnce: 99), (0..<50).map { ticket($0) })
    #expect(state.advance(at: start).admitted.count == 50)
  }

  @Test("persons go before nobody, and after three of them nobody has a turn, too")
  func fairness() {
    let background = (0..<2).map { ticket($0, .background) }
    let persons = (2..<10).map { ticket($0) }
    var state = state(RequestBudget(atOnce: 1), background + persons)
    var order: [Int] = []
    while let admitted = state.advance(at: start).admitted.first {
      order.append(admitted.ticket.id)
      state.release(at: start)
    }
    #expect(order == [2, 3, 4, 0, 5, 6, 7, 1, 8, 9])
  }

  @Test("whoever a person has joined goes with the persons")
  func raised() {
    let late = ticket(1, .background)
    var state = state(RequestBudget(atOnce: 1), [ticket(0, .background), late])
    late.priority.raise(to: .interactive)
    late.priority.raise(to: .background)
    #expect(state.advance(at: start).admitted.map(\.ticket.id) == [1])
  }

  @Test("who could begin only after its patience is refused at once and told when")
  func patience() throws {
    var state = state(
      RequestBudget(gap: .seconds(3), atOnce: 9), (0..<5).map { ticket($0, patience: .seconds(6)) })
    let step = state.advance(at: start)
    #expect(step.admitted.map(\.ticket.id) == [0])
    #expect(step.refused.map(\.ticket.id) == [3, 4])
    // Counted from the queue as it is without them.
    #expect(
      step.refused.map(\.failure) == [9, 9].map { .rateLimited(origin: "https://a.example", retryAfter: .seconds($0)) })
  }

  @Test("waiting for another request to end is no reason to be refused")
  func slowOthers() {
    var state = state(RequestBudget(atOnce: 1), (0..<2).map { ticket($0, patience: .seconds(1)) })
    _ = state.advance(at: start)
    #expect(state.advance(at: start + .seconds(60)).refused.isEmpty)
    state.release(at: start + .seconds(60))
    #expect(state.advance(at: start + .seconds(60)).admitted.map(\.ticket.id) == [1])
  }

  @Test("a limit holds all that wait, not only the one that met it")
  func limit() {
    var state = state(RequestBudget(atOnce: 1), [ticket(0), ticket(1, patience: .seconds(5)), ticket(2)])
    _ = state.advance(at: start)
    state.release(at: start)
    #expect(state.limit(.seconds(30), random: 0, at: start) == .seconds(30))
    let step = state.advance(at: start)
    #expect(step.admitted.isEmpty && step.wakeAt == start + .seconds(30))
    #expect(step.refused.map(\.failure) == [.rateLimited(origin: "https://a.example", retryAfter: .seconds(30))])
    #expect(state.advance(at: start + .seconds(30)).admitted.map(\.ticket.id) == [2])
    // A shorter one does not end a longer one.
    state.release(at: start)
    _ = state.limit(.seconds(60), random: 0, at: start)
    _ = state.limit(.seconds(1), random: 0, at: start)
    state.enqueue(ticket(3), at: start)
    #expect(state.advance(at: start + .seconds(31)).wakeAt == start + .seconds(60))
  }

  @Test("a limit without a time is a second and a pause that grows, and no limit is longer than 15 minutes")
  func strikes() {
    var state = state(.usual, [])
    let held = (0..<8).map { _ in state.limit(nil, random: 1, at: start) }
    #expect(held == [2, 3, 5, 9, 17, 31, 31, 31].map { .seconds($0) })
    #expect(state.limit(.seconds(86_400), random: 0, at: start) == .seconds(900))
    state.succeed()
    #expect(state.limit(nil, random: 0, at: start) == .seconds(1))
  }

  @Test("a service that is closed answers nobody until its time, with its reason")
  func closed() {
    var state = state(.usual, [ticket(0)])
    state.close(for: .seconds(7200), reason: "dailyQuota", at: start)
    #expect(
      state.advance(at: start + .seconds(200)).refused.map(\.failure)
        == [.closed(origin: "https://a.example", reason: "dailyQuota", retryAfter: .seconds(7000))])
    state.enqueue(ticket(1), at: start)
    #expect(state.advance(at: start + .seconds(7200)).admitted.count == 1)
  }

  @Test("five failures open the circuit for a minute, then one probe decides, and rests double up to an hour")
  func circuit() {
    var state = state(RequestBudget(atOnce: 9), [])
    for _ in 0..<4 { state.circuit.fail(probe: false, at: start) }
    state.enqueue(ticket(0), at: start)
    #expect(state.advance(at: start).admitted.count == 1)
    state.release(at: start)
    state.circuit.fail(probe: false, at: start)
    var now = start
    for rest in [60, 120, 240, 480, 960, 1920, 3600, 3600] {
      state.enqueue(ticket(1, patience: .seconds(99_999)), at: now)
      #expect(
        state.advance(at: now).refused.map(\.failure)
          == [.resting(origin: "https://a.example", retryAfter: .seconds(rest))])
      now += .seconds(rest)
      for id in 2..<4 { state.enqueue(ticket(id, patience: .seconds(99_999)), at: now) }
      let step = state.advance(at: now)
      #expect(step.admitted.map(\.isProbe) == [true], "one probe, the others wait for it")
      // A call that began before the circuit opened says nothing new.
      state.circuit.fail(probe: false, at: now)
      state.release(at: now)
      state.circuit.fail(probe: true, at: now)
      _ = state.advance(at: now)
    }
    now += .seconds(3600)
    for id in 8..<11 { state.enqueue(ticket(id, patience: .seconds(99_999)), at: now) }
    #expect(state.advance(at: now).admitted.map(\.ticket.id) == [8])
    state.release(at: now)
    state.succeed()
    #expect(state.advance(at: now).admitted.map(\.isProbe) == [false, false])
  }

  @Test("a probe that was cancelled leaves its place to the next one")
  func cancelledProbe() {
    var state = state(.usual, [])
    for _ in 0..<5 { state.circuit.fail(probe: false, at: start) }
    let now = start + .seconds(60)
    state.enqueue(ticket(0), at: now)
    state.enqueue(ticket(1), at: now)
    #expect(state.advance(at: now).admitted.map(\.isProbe) == [true])
    state.release(at: now)
    state.circuit.giveUp(probe: true)
    #expect(state.advance(at: now).admitted.map(\.isProbe) == [true])
  }

  @Test("a service is idle once nothing waits or runs, nothing has failed, and no limit or closing lasts")
  func idle() {
    var state = state(.usual, [])
    #expect(state.isIdle(at: start))
    state.enqueue(ticket(0), at: start)
    #expect(!state.isIdle(at: start))
    _ = state.advance(at: start)
    #expect(!state.isIdle(at: start) && state.running == 1)
    state.release(at: start)
    #expect(state.isIdle(at: start))
    state.circuit.fail(probe: false, at: start)
    #expect(!state.isIdle(at: start))
    state.succeed()
    #expect(state.isIdle(at: start))
    _ = state.limit(.seconds(5), random: 0, at: start)
    #expect(!state.isIdle(at: start + .seconds(4)) && state.isIdle(at: start + .seconds(5)))
    state.close(for: .seconds(9), reason: "dailyQuota", at: start)
    #expect(!state.isIdle(at: start + .seconds(8)) && state.isIdle(at: start + .seconds(9)))
    // A call that is withdrawn waits no more, and one that is not there is none.
    state.enqueue(ticket(1), at: start)
    #expect(!state.withdraw(2) && state.withdraw(1) && state.isIdle(at: start + .seconds(9)))
  }
}
