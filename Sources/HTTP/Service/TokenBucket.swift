/// A bucket of tokens that are spent by requests and restored over time. A pure value: the time is a parameter.
struct TokenBucket {
  /// Spent tokens that are not restored yet; never more than the budget has.
  private var spent = 0.0
  private var asOf: ContinuousClock.Instant

  init(now: ContinuousClock.Instant) {
    asOf = now
  }

  /// The tokens available at this moment.
  func available(_ budget: RequestBudget, at now: ContinuousClock.Instant) -> Double {
    Double(budget.tokens) - spentAfter(budget, at: now)
  }

  /// The time until this many tokens are available, assuming none are spent meanwhile.
  func delay(for count: Int, _ budget: RequestBudget, at now: ContinuousClock.Instant) -> Duration {
    let missing = Double(count) - available(budget, at: now)
    return missing > 0 ? budget.refill * missing : .zero
  }

  mutating func take(_ budget: RequestBudget, at now: ContinuousClock.Instant) {
    spent = min(Double(budget.tokens), spentAfter(budget, at: now) + 1)
    asOf = max(asOf, now)
  }

  private func spentAfter(_ budget: RequestBudget, at now: ContinuousClock.Instant) -> Double {
    guard budget.refill > .zero else { return 0 }
    return max(0, min(spent, Double(budget.tokens)) - max(0, (now - asOf) / budget.refill))
  }
}
