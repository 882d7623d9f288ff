import Contract

/// A time on a wall clock, written `17:30`.
struct TimeOfDay: Equatable {
  /// After midnight.
  let minutes: Int

  init(minutes: Int) { self.minutes = minutes }

  /// Nil for another form or a time that does not exist.
  init?(_ text: String) {
    guard TextForm.timeOfDay.accepts(text) else { return nil }
    let parts = text.split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2 else { return nil }
    minutes = parts[0] * 60 + parts[1]
  }
}
