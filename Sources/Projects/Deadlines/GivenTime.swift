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
    if let minutes = Self.moments[String(phrase)] ?? Self.inEnglishPart(phrase) {
      self.init(minutes: minutes)
      return
    }
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
    // 저녁 alone is a meal too, and 밤 a chestnut.
    "오전": 540, "아침에": 540, "오후": 900, "저녁에": 1_080, "오늘밤": 1_200, "밤에": 1_200,
    "今朝": 540, "朝": 540, "午前": 540, "午後": 900, "夕方": 1_080, "夜": 1_200, "晩": 1_200, "今晩": 1_200, "今夜": 1_200,
    "早上": 540, "上午": 540, "下午": 900, "傍晚": 1_080, "晚上": 1_200, "今晚": 1_200,
  ]

  /// Parts of any day: beside a day they are a time, and alone they are words of a title.
  private static let loose: Set = [
    "morning", "afternoon", "evening", "night", "in the morning", "in the afternoon", "in the evening", "오전", "오후",
    "朝", "午前", "午後", "夕方", "夜", "晩", "早上", "上午", "下午", "傍晚", "晚上",
  ]

  /// Whether a text is a part of the day that may be of any day: "evening", but not "this evening".
  static func isPartOfAnyDay(_ text: String) -> Bool { loose.contains(foldedText(text)) }

  /// The minutes of `tonight`, `this evening`, `tonight at 8`, `7:30 in the evening`; nil for other texts.
  ///
  /// An hour alone needs "at" or "in the": in "chapter 8 tonight" it is none.
  private static func inEnglishPart(_ phrase: Substring) -> Int? {
    guard let (word, part, minutes) = PartOfDay.english.first(where: { phrase.contains($0.word) }),
      let range = phrase.firstRange(of: word)
    else { return nil }
    var (before, after) = (phrase[..<range.lowerBound], phrase[range.upperBound...])
    let article = ["inthe", "this"].first(where: before.hasSuffix) ?? (before == "at" ? "at" : "")
    before.removeLast(article.utf8.count)
    if before.isEmpty, after.isEmpty { return minutes }
    guard before.isEmpty || after.isEmpty else { return nil }
    var clock = before.isEmpty ? after : before
    let particle = ["at", "by"].first(where: clock.hasPrefix)
    clock.removeFirst(particle?.utf8.count ?? 0)
    let figures = /(?<hour>[0-9]{1,2})(?::(?<minute>[0-9]{2}))?(?<meridiem>[ap](?:m|\.m\.))?/
    guard let match = clock.wholeMatch(of: figures),
      match.minute != nil || match.meridiem != nil || particle != nil || article == "inthe"
    else { return nil }
    let half = match.meridiem.map { $0.hasPrefix("p") ? PartOfDay.afternoon : .morning }
    let hour = Int(match.hour).flatMap { half == nil || (1...12).contains($0) ? $0 : nil }
    return TimeOfDay(hour: hour, minute: Int(match.minute ?? "0"), of: half ?? part)?.minutes
  }

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
