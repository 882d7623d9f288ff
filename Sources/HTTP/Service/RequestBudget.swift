/// How often a service may be asked: a bucket of tokens that fills again, a least gap between two requests, and how
/// many may be under way.
///
/// Counted by `service`, so that all boards of one site and both hosts of one catalogue share their budget; the budget
/// of the latest request is the one that holds.
package struct RequestBudget: Sendable, Hashable {
  /// The name under which requests are counted; nil for the origin of the request's URL.
  package var service: String?
  /// Requests that may be sent in a row when there were none for long.
  package var tokens: Int
  /// In how much time one token comes back; zero for no limit but the gap and `atOnce`.
  package var refill: Duration
  /// Between the starts of two requests.
  package var gap: Duration
  /// Requests under way.
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

  /// For a service of which nothing is known: one after the other over two connections, as fast as it answers.
  package static let usual = RequestBudget()
}
