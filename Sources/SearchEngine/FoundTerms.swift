/// Which terms of a question stand at a place, by their numbers in `MatchQuery.wantedTerms`: one bit for each, of which a
/// question has no more than there are (`MatchQuery.maximumTerms`).
package struct FoundTerms: OptionSet, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package init(_ number: Int) {
    self.init(rawValue: 1 << UInt64(min(number, UInt64.bitWidth - 1)))
  }

  /// Gives each of the numbers, ascending.
  func eachNumber(_ body: (Int) -> Void) {
    var rest = rawValue
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// Whether all of these were asked for before any of the others.
  func comesBefore(_ others: FoundTerms) -> Bool {
    UInt64.bitWidth - rawValue.leadingZeroBitCount <= others.rawValue.trailingZeroBitCount
  }
}
