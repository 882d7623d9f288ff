import Contract
import SearchEngine
import Store
import Wire

extension TimeOfDay {
  /// Parses a time of day in any of the supported languages: `18:30`, `9am`, `6:30 pm`, `noon`, `오후 6시 30분`,
  /// `저녁 일곱 시 반`, `午後3時半`, `下午三点一刻`. Nil for other texts: a number alone, an hour outside its part of the day,
  /// and twelve at night (`밤 12시`), which belongs to the next day.
  ///
  /// Midnight is the beginning of its day, 00:00, as in CLDR and in calendars, and as `12am` and `자정` mean it.
  init?(parsing text: String) {
    var phrase = foldedText(text).filter { !$0.isWhitespace }[...]
    if let end = Self.endings.first(where: phrase.hasSuffix) { phrase.removeLast(end.count) }
    if let minutes = Self.moments[String(phrase)] {
      self.init(minutes: minutes)
      return
    }
    let part = PartOfDay(removedFrom: &phrase)
    let figures = /(?<hour>[0-9]{1,2})(?::(?<minute>[0-9]{2}))?(?<meridiem>[ap](?:m|\.m\.))?/
    let words = /(?<hour>[0-9]+|[^0-9]+?)(?:시|時|时|[点點][钟鐘]?)(?<rest>.*)/
    if let match = phrase.wholeMatch(of: figures), part == nil || match.meridiem == nil,
      match.minute != nil || match.meridiem != nil
    {
      let half = match.meridiem.map { $0.hasPrefix("p") ? PartOfDay.afternoon : .morning }
      let hour = Int(match.hour).flatMap { half == nil || (1...12).contains($0) ? $0 : nil }
      self.init(hour: hour, minute: Int(match.minute ?? "0"), of: half ?? part)
    } else if let match = phrase.wholeMatch(of: words) {
      self.init(hour: TimeNumeral.value(of: match.hour), minute: Self.minute(match.rest), of: part)
    } else {
      return nil
    }
  }

  private init?(hour: Int?, minute: Int?, of part: PartOfDay?) {
    guard let hour, let minute, minute < 60, let hour = part == nil ? hour : part?.hour(called: hour),
      (0...23).contains(hour)
    else { return nil }
    self.init(minutes: hour * 60 + minute)
  }

  /// Particles that may follow a time: until, at.
  private static let endings = ["까지", "에", "まで", "に"]

  private static let moments = [
    "noon": 720, "midday": 720, "정오": 720, "正午": 720, "中午": 720,
    "midnight": 0, "자정": 0, "真夜中": 0, "午夜": 0,
  ]

  /// The minutes in the text after the hour; an empty text is 0.
  private static func minute(_ text: Substring) -> Int? {
    switch text {
    case "", "整": 0
    case "반", "半": 30
    case "一刻": 15
    case "三刻": 45
    default:
      // `三点二十` and `18시 30` need no unit after the number, which then has two digits or is written in characters.
      if ["분", "分"].contains(text.suffix(1)) {
        TimeNumeral.value(of: text.dropLast())
      } else {
        text.utf8.count > 1 ? TimeNumeral.value(of: text) : nil
      }
    }
  }

  /// The stored form: `09:00`.
  private var text: String {
    let (hour, minute) = (String(minutes / 60), String(minutes % 60))
    return (hour.count < 2 ? "0" : "") + hour + ":" + (minute.count < 2 ? "0" : "") + minute
  }

  /// The maximal length of the text, in Unicode scalars.
  static let longestText = 32

  /// Parses a time into its stored form.
  ///
  /// - Throws: `invalidParams` for the field `time` if the text is no time.
  static func stored(_ given: String) throws(RPCError) -> String {
    guard let time = TimeOfDay(parsing: given) else {
      throw .invalidParams(field: "time", reason: Text(TextForm.timeOfDay.textKey))
    }
    return time.text
  }
}
