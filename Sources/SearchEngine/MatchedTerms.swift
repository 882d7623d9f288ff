/// A set of query terms that occur at a position, one bit for each, by their index in `MatchQuery.wantedTerms`; a query
/// has at most `MatchQuery.maximumTerms` terms.
package struct MatchedTerms: OptionSet, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package init(_ number: Int) {
    self.init(rawValue: 1 << UInt64(min(number, UInt64.bitWidth - 1)))
  }

  /// Calls `body` with each index, ascending.
  func eachNumber(_ body: (Int) -> Void) {
    var rest = rawValue
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// Whether all of these terms precede all of the others in the query.
  func comesBefore(_ others: MatchedTerms) -> Bool {
    UInt64.bitWidth - rawValue.leadingZeroBitCount <= others.rawValue.trailingZeroBitCount
  }
}
