import Contract
import Display
import Store

extension Patch where Value == GivenDay {
  /// The deadline that was meant, said of days to come: a Friday without its week is the next one. What is not understood
  /// is refused; it is never today.
  func deadline(in snapshot: Snapshot) throws -> Patch<CalendarDay> {
    switch self {
    case .absent: .absent
    case .null: .null
    case .value(let day): .value(try day.day("deadline", leaning: .ahead, in: snapshot))
    }
  }
}

extension Services {
  /// When a card is due of which nobody said it: today for the client that writes it; for one west of the library, where
  /// the library's day has turned already, the library's today.
  ///
  /// Overdue is what the library's day says, in the same moment for everybody (`libraryToday`). So the earlier of the two
  /// days would be overdue at once, for a card that was to be done today. What a client says itself, in words too, is kept
  /// as it is said: who gives a day that has gone by where the library is, means that day.
  func usualDeadline(for reader: Reader) -> CalendarDay { max(today(for: reader), libraryToday) }
}
