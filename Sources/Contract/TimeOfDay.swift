/// A time on a wall clock, written `17:30`.
package struct TimeOfDay: Equatable, Sendable {
  /// After midnight.
  package let minutes: Int

  package init(minutes: Int) { self.minutes = minutes }

  /// Nil for another form or a time that does not exist.
  package init?(_ text: String) {
    var digits = DigitReader(text)
    guard let hour = digits.number(2), digits.take(":"), let minute = digits.number(2), digits.isAtEnd, hour < 24,
      minute < 60
    else { return nil }
    minutes = hour * 60 + minute
  }
}
