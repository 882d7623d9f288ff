import Contract

/// A time on a wall clock, written `17:30`.
struct TimeOfDay: Equatable {
  /// After midnight.
  let minutes: Int

  init(minutes: Int) { self.minutes = minutes }

  /// Nil for another form or a time that does not exist.
  init?(_ text: String) {
    // Read for each card of a board.
    var digits = DigitReader(text)
    guard let hour = digits.number(2), digits.take(":"), let minute = digits.number(2), digits.isAtEnd, hour < 24,
      minute < 60
    else { return nil }
    minutes = hour * 60 + minute
  }
}
