import Contract
import Display
import Kit
import Store
import Wire

/// The start of a card in a client's request: a day as for a deadline, or its distance from the deadline, `-3d` or
/// `-2w`. The stored value is always a day, which does not move with a deadline that changes later.
struct GivenStart: ShapedValue, Sendable, Hashable {
  private let day: GivenDay

  init(from decoder: any Decoder) throws { day = try GivenDay(from: decoder) }
  func encode(to encoder: any Encoder) throws { try day.encode(to: encoder) }

  static var shape: Shape { GivenDay.shape }
  static var sample: GivenStart { GivenStart(day: .sample) }

  private init(day: GivenDay) { self.day = day }

  /// - Throws: `invalidParams` of `start` for a text that is no day, and for a distance without a deadline.
  func start(deadline: CalendarDay?, in snapshot: Snapshot) throws -> CalendarDay {
    guard let match = day.text.wholeMatch(of: /-([0-9]{1,4})([dw])/), let count = Int(match.output.1) else {
      return try day.day("start", leaning: .ahead, in: snapshot)
    }
    guard let deadline else {
      throw RPCError.invalidParams(field: "start", reason: Text("projects.startWithoutDeadline"))
    }
    return deadline.adding(days: -count * (match.output.2 == "w" ? 7 : 1))
  }
}
