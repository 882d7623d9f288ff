import Contract
import Display
import Kit
import Store

/// How the date of a post is written.
enum PostDateStyle: String, Choice {
  /// The locale's time for today, its medium date for other days.
  case `default`
  /// `h:m` for today, else `yy-MM-dd`, and `00:00` without a date: independent of the locale.
  case seed
}

/// Writes the dates of posts for one client at one moment.
struct PostDates {
  private let reader: Reader
  private let services: Services
  private let style: PostDateStyle
  /// The client's day.
  let today: Range<Int64>

  init(_ style: PostDateStyle, in snapshot: Snapshot) {
    reader = snapshot.reader
    services = snapshot.services
    self.style = style
    today = services.instants(of: services.today(for: reader), for: reader)
  }

  /// Whether it is on the client's present day.
  func isToday(_ instant: Instant?) -> Bool { instant.map { today.contains($0.milliseconds) } ?? false }

  /// `text` is the source's own form of the date, which is shown if it could not be parsed.
  func string(_ instant: Instant?, text: String?) -> String {
    guard let instant else { return style == .seed ? "00:00" : text ?? "" }
    switch style {
    case .seed: return seed(instant)
    case .default:
      return services.dates.string(isToday(instant) ? .time : .mediumDate, at: instant.milliseconds, for: reader)
    }
  }

  private func seed(_ instant: Instant) -> String {
    let seconds = Instant.seconds(instant)
    let wall = seconds + Int64(reader.zone.offset(at: seconds))
    let (number, second) = Self.divided(wall, by: 86_400)
    if isToday(instant) {
      let hour = second / 3_600 % 12
      return "\(hour == 0 ? 12 : hour):\(second / 60 % 60)"
    }
    let day = CivilDate.day(Int(number))
    return [day.year % 100, day.month, day.day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }

  /// Rounded down, also before 1970.
  fileprivate static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Instant {
  /// Since 1970, rounded down.
  fileprivate static func seconds(_ instant: Instant) -> Int64 {
    PostDates.divided(instant.milliseconds, by: 1_000).0
  }
}
