import Contract
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
