/// A part of the day that precedes an hour in Korean, Japanese and Chinese, or stands beside it in English. It decides
/// which of the two hours of a 12-hour clock is meant.
struct PartOfDay {
  private let hours: ClosedRange<Int>

  static let morning = PartOfDay(hours: 0...11)
  static let afternoon = PartOfDay(hours: 12...23)

  /// Of two with the same beginning the longer first. A night ends at midnight here: later hours belong to the next
  /// day, while the name of the night means the day before.
  private static let all: [(word: String, part: PartOfDay)] = [
    ("오전", morning), ("午前", morning), ("上午", morning),
    ("오후", afternoon), ("午後", afternoon), ("下午", afternoon),
    ("새벽", PartOfDay(hours: 0...6)), ("未明", PartOfDay(hours: 0...5)), ("凌晨", PartOfDay(hours: 0...6)),
    ("아침", PartOfDay(hours: 4...11)), ("早朝", PartOfDay(hours: 3...8)), ("朝", PartOfDay(hours: 4...11)),
    ("早上", PartOfDay(hours: 4...11)), ("早晨", PartOfDay(hours: 4...11)), ("清晨", PartOfDay(hours: 4...8)),
    ("낮", PartOfDay(hours: 10...17)), ("昼", PartOfDay(hours: 10...16)), ("中午", PartOfDay(hours: 11...14)),
    ("저녁", PartOfDay(hours: 16...23)), ("夕方", PartOfDay(hours: 15...19)), ("傍晚", PartOfDay(hours: 16...20)),
    ("밤", PartOfDay(hours: 18...23)), ("夜", PartOfDay(hours: 18...23)), ("晩", PartOfDay(hours: 18...23)),
    ("晚上", PartOfDay(hours: 17...23)), ("今晚", PartOfDay(hours: 17...23)), ("今晩", PartOfDay(hours: 17...23)),
    ("今夜", PartOfDay(hours: 18...23)), ("今朝", PartOfDay(hours: 4...11)), ("夜里", PartOfDay(hours: 18...23)),
    ("夜裡", PartOfDay(hours: 18...23)),
  ]

  /// The English parts, which may also follow the hour, with the time that each means alone, in minutes.
  static let english: [(word: String, part: PartOfDay, minutes: Int)] = [
    ("morning", morning, 540), ("afternoon", PartOfDay(hours: 12...18), 900),
    ("evening", PartOfDay(hours: 16...23), 1_080), ("tonight", PartOfDay(hours: 16...23), 1_200),
    ("night", PartOfDay(hours: 18...23), 1_200),
  ]

  private init(hours: ClosedRange<Int>) { self.hours = hours }

  /// Removes the part of the day from the beginning of a text. Nil if the text begins with none.
  init?(removedFrom text: inout Substring) {
    // 夜里 before 夜.
    let found = Self.all.filter { text.hasPrefix($0.word) }.max { $0.word.count < $1.word.count }
    guard let (word, part) = found else { return nil }
    text.removeFirst(word.count)
    self = part
  }

  /// The hour of 0 to 23 with this name in this part of the day; nil if there is none.
  func hour(called hour: Int) -> Int? {
    let choices = hour > 12 ? [hour] : [hour % 12, hour % 12 + 12]
    return choices.first(where: hours.contains)
  }
}

/// Small numbers in times: digits, and Korean, Japanese and Chinese numerals.
enum TimeNumeral {
  static func value(of text: Substring) -> Int? {
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return text.utf8.count <= 2 ? Int(text) : nil
    }
    return words[String(text)]
  }

  private static let words: [String: Int] = {
    var words = ["零": 0, "〇": 0, "영": 0, "两": 2, "兩": 2]
    let hours = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두"]
    for (index, word) in hours.enumerated() { words[word] = index + 1 }
    for (ten, digits) in [("十", "一二三四五六七八九"), ("십", "일이삼사오육칠팔구")] {
      let digits = [""] + digits.map(String.init)
      for number in 1..<60 {
        let tens = number < 10 ? "" : (number < 20 ? "" : digits[number / 10]) + ten
        words[tens + digits[number % 10]] = number
        // 三点零五分
        if ten == "十", number < 10 { words["零" + digits[number]] = number }
      }
    }
    return words
  }()
}
