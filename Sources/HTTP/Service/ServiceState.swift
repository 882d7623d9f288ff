/// The state of one service, and its waiting calls. A pure value without a clock: the time is a parameter, and
/// `advance` returns the actions, so that every rule can be tested separately.
struct ServiceState {
  /// A call that waits for its turn.
  struct Ticket: Sendable {
    let id: Int
    /// The service's name in failures.
    let origin: String
    let priority: RequestPriority
    /// The latest start; a call that would begin later is refused now.
    let deadline: ContinuousClock.Instant
  }

  /// The changes for waiting calls.
  struct Step {
    /// The admitted calls in order; `isProbe` for the one that tests whether a failed service has recovered.
    var admitted: [(ticket: Ticket, isProbe: Bool)] = []
    var refused: [(ticket: Ticket, failure: HTTPFailure)] = []
    /// When the next one may begin, if only time has to pass.
    var wakeAt: ContinuousClock.Instant?
  }

  /// After this many interactive calls one background call is admitted, so that a refresh makes progress.
  static let personsInRow = 3

  var budget: RequestBudget
  var circuit = CircuitBreaker()
  private(set) var waiting: [Ticket] = []
  private(set) var running = 0
  private(set) var lastUse: ContinuousClock.Instant
  private var bucket: TokenBucket
  private var lastStart: ContinuousClock.Instant?
  private var heldUntil: ContinuousClock.Instant?
  private var closed: (until: ContinuousClock.Instant, reason: String)?
  /// Consecutive responses that reported too many requests.
  private var strikes = 0
  private var persons = 0

  init(_ budget: RequestBudget, at now: ContinuousClock.Instant) {
    self.budget = budget
    bucket = TokenBucket(now: now)
    lastUse = now
  }

  /// Whether the state can be dropped without an effect.
  func isIdle(at now: ContinuousClock.Instant) -> Bool {
    running == 0 && waiting.isEmpty && circuit.isClosed && (heldUntil ?? now) <= now && (closed?.until ?? now) <= now
  }

  mutating func enqueue(_ ticket: Ticket, at now: ContinuousClock.Instant) {
    lastUse = now
    waiting.append(ticket)
  }

  /// Removes a cancelled call; returns false if it no longer waits.
  mutating func withdraw(_ id: Int) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// Admits calls that may begin now, and refuses those that could not begin in time.
  mutating func advance(at now: ContinuousClock.Instant) -> Step {
    var step = Step()
    while !waiting.isEmpty {
      if let closed, closed.until > now {
        refuseAll(&step) { .closed(origin: $0, reason: closed.reason, retryAfter: closed.until - now) }
        break
      }
      let decision = circuit.decision(at: now)
      if case .resting(let rest) = decision {
        refuseAll(&step) { .resting(origin: $0, retryAfter: rest) }
        break
      }
      refuseLate(&step, at: now)
      guard !waiting.isEmpty, running < budget.atOnce, decision != .wait else { break }
      let start = earliestStart(of: 0, at: now)
      guard start <= now else {
        step.wakeAt = start
        break
      }
      let isProbe = decision == .probe
      if isProbe { circuit.beginProbe() }
      step.admitted.append((admitFirst(at: now), isProbe))
    }
    return step
  }

  /// A request has ended, with or without success.
  mutating func release(at now: ContinuousClock.Instant) {
    running -= 1
    lastUse = now
  }

  mutating func succeed() {
    circuit.succeed()
    strikes = 0
  }

  /// The service limits requests. Holds all calls, and returns for how long.
  mutating func limit(_ wait: Duration?, random: Double, at now: ContinuousClock.Instant) -> Duration {
    strikes += 1
    let time = min(RetryRule.longestWait, wait ?? RetryRule.hold(after: strikes, random: random))
    heldUntil = max(heldUntil ?? now, now + time)
    // The service responds, so it is available.
    circuit.succeed()
    return time
  }

  mutating func close(for time: Duration, reason: String, at now: ContinuousClock.Instant) {
    closed = (now + time, reason)
    circuit.succeed()
  }

  /// The earliest start of the call at this position of the queue, considering only the budget and holds.
  private func earliestStart(of place: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    var start = max(now, heldUntil ?? now)
    if let lastStart { start = max(start, lastStart + budget.gap) }
    return max(start + budget.gap * place, now + bucket.delay(for: place + 1, budget, at: now))
  }

  private mutating func refuseLate(_ step: inout Step, at now: ContinuousClock.Instant) {
    var remaining: [Ticket] = []
    remaining.reserveCapacity(waiting.count)
    for ticket in inOrder() {
      let start = earliestStart(of: remaining.count, at: now)
      if start > now, start > ticket.deadline {
        step.refused.append((ticket, .rateLimited(origin: ticket.origin, retryAfter: start - now)))
      } else {
        remaining.append(ticket)
      }
    }
    waiting = remaining
  }

  private mutating func refuseAll(_ step: inout Step, _ failure: (String) -> HTTPFailure) {
    step.refused += waiting.map { ($0, failure($0.origin)) }
    waiting = []
  }

  private mutating func admitFirst(at now: ContinuousClock.Instant) -> Ticket {
    let ticket = waiting.removeFirst()
    persons = ticket.priority.urgency == .interactive ? persons + 1 : 0
    bucket.take(budget, at: now)
    lastStart = now
    running += 1
    return ticket
  }

  /// Interactive calls first, each group in order of arrival. Reads the priority of each call once, and sorts only
  /// those that were raised since: the others are already in order.
  private func inOrder() -> [Ticket] {
    var (persons, others): ([Ticket], [Ticket]) = ([], [])
    for ticket in waiting {
      if ticket.priority.urgency == .interactive { persons.append(ticket) } else { others.append(ticket) }
    }
    for place in persons.indices.dropFirst() where persons[place - 1].id > persons[place].id {
      persons.sort { $0.id < $1.id }
      break
    }
    guard self.persons >= Self.personsInRow, let first = others.first else { return persons + others }
    return [first] + persons + others.dropFirst()
  }
}
