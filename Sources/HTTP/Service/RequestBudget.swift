/// The rate limit of a service: a token bucket, a minimum interval between two requests, and the most concurrent
/// requests.
///
/// Counted by `service`, so that all boards of one site and both hosts of one catalogue share their budget; the budget
/// of the latest request applies.
package struct RequestBudget: Sendable, Hashable {
  /// The name under which requests are counted; nil for the origin of the request's URL.
  package var service: String?
  /// The capacity of the bucket: requests in a row after a long idle time.
  package var tokens: Int
  /// The time in which one token is added; zero for no limit except `gap` and `atOnce`.
  package var refill: Duration
  /// The minimum time between the starts of two requests.
  package var gap: Duration
  /// The most concurrent requests.
  package var atOnce: Int

  package init(
    service: String? = nil, tokens: Int = 10, refill: Duration = .zero, gap: Duration = .zero,
    atOnce: Int = 2
  ) {
    self.service = service
    self.tokens = max(1, tokens)
    self.refill = refill
    self.gap = gap
    self.atOnce = max(1, atOnce)
  }

  /// The default for a service without known limits: two connections, without delays.
  package static let usual = RequestBudget()
}
