import Contract
import Store
import Wire

extension TimeOfDay {
  /// A time as a person says it: `18:30`, `9:00`, `9am`, `6:30 pm`, `오후 6시 30분`, `18시 반`, `noon`, `정오`. Nil for what is none,
  /// as for a number alone, or midnight, of which nobody knows which of a day's two it is.
  init?(said text: String) {
    let said = foldedText(text).filter { !$0.isWhitespace }
    if ["noon", "정오"].contains(said) {
      self.init(minutes: 12 * 60)
      return
    }
    let figures = /(?<half>오전|오후)?(?<hour>[0-9]{1,2})(?::(?<minute>[0-9]{2}))?(?<meridiem>[ap](?:m|\.m\.))?/
    let words = /(?<half>오전|오후)?(?<hour>[0-9]{1,2})시(?:(?<minute>[0-9]{1,2})분|(?<isHalf>반))?/
    if let match = said.wholeMatch(of: figures), match.half == nil || match.meridiem == nil,
      match.minute != nil || match.meridiem != nil
    {
      let isLate = match.half.map { $0 == "오후" } ?? match.meridiem.map { $0.hasPrefix("p") }
      self.init(hour: match.hour, minute: match.minute, isLate: isLate, from: match.half == nil ? 1 : 0)
    } else if let match = said.wholeMatch(of: words) {
      let minute = match.isHalf == nil ? match.minute : "30"
      self.init(hour: match.hour, minute: minute, isLate: match.half.map { $0 == "오후" }, from: 0)
    } else {
      return nil
    }
  }

  /// `isLate` where a half of the day is named, of which the hours are 12, 1, 2 … 11; in Korean the first is also 0, and
  /// `오후 0시 30분` is half past noon.
  private init?(hour: Substring, minute: Substring?, isLate: Bool?, from first: Int) {
    guard let hour = Int(hour), let minute = Int(minute ?? "0"), minute < 60 else { return nil }
    guard (isLate == nil ? 0...23 : first...12).contains(hour) else { return nil }
    self.init(minutes: (isLate.map { hour % 12 + ($0 ? 12 : 0) } ?? hour) * 60 + minute)
  }

  /// As it is kept: `09:00`.
  private var text: String {
    let (hour, minute) = (String(minutes / 60), String(minutes % 60))
    return (hour.count < 2 ? "0" : "") + hour + ":" + (minute.count < 2 ? "0" : "") + minute
  }

  /// How long the words for a time may be.
  static let longestSaid = 32

  /// What was given, as it is kept; what is not understood is refused, by the name of its field.
  static func kept(_ given: String) throws(RPCError) -> String {
    guard let time = TimeOfDay(said: given) else {
      throw .invalidParams(field: "time", reason: Text(TextForm.timeOfDay.textKey))
    }
    return time.text
  }
}

extension Patch where Value == String {
  /// The time that was meant.
  func time() throws -> Patch<String> {
    switch self {
    case .absent: .absent
    case .null: .null
    case .value(let time): .value(try TimeOfDay.kept(time))
    }
  }
}
