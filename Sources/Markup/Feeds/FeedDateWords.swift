/// The words of dates, in the languages of common feeds.
enum FeedDateWords {
  /// 1 to 12.
  static func month(_ word: String) -> Int? {
    if let month = months[word] { return month }
    // `sept`, `septem`: any abbreviation of an English name.
    guard word.utf8.count > 3, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return english.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  /// Minutes ahead of UTC (RFC 822, RFC 2822 section 4.3, and zones that our users need).
  static func zone(_ word: String) -> Int? { zones[word] }

  /// True for a word that means after noon, false for before noon, else nil.
  static func half(_ word: String) -> Bool? {
    switch word {
    case "pm", "오후", "下午", "午後": true
    case "am", "오전", "上午", "午前": false
    default: nil
    }
  }

  /// A year of two digits is in 1950 to 2049, one of three digits counts from 1900 (RFC 2822, section 4.3).
  static func year(_ value: Int, digits: Int) -> Int? {
    switch digits {
    case 4: value
    case 3: value + 1900
    case 1, 2: value < 50 ? value + 2000 : value + 1900
    default: nil
    }
  }

  private static let english = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  private static let months: [String: Int] = {
    // One line per month; a word that languages share means the same month in all of them.
    let lines = [
      "jan january ene enero janv janvier januar janeiro gennaio gen ιαν jän янв января 1월 januari janúar",
      "feb february febrero fév févr février februar fev fevereiro febbraio φεβ febr февр фев февраля 2월 februari",
      "mar march marzo mars märz mär março μαρ μάρ márc мар марта 3월 maart mrt",
      "apr april abr abril avr avril aprile απρ ápr апр апреля 4월",
      "may mayo mai maio maggio mag μαι μαϊ μάι máj мая май 5월 mei maj",
      "jun june junio juin juni junho giugno giu ιουν jún июн июня 6월",
      "jul july julio juil juillet juli julho luglio lug ιουλ júl июл июля 7월",
      "aug august ago agosto août aout αυγ αύγ авг августа 8월 augustus",
      "sep sept september septiembre septembre setembro set settembre σεπ szept сен сент сентября 9월",
      "oct october octubre octobre oktober okt outubro out ottobre ott οκτ окт октября 10월",
      "nov november noviembre novembre novembro νοε νοέ ноя нояб ноября 11월",
      "dec december dic diciembre déc décembre dezember dez dezembro dicembre δεκ дек декабря 12월",
    ]
    var months: [String: Int] = [:]
    for (index, line) in lines.enumerated() {
      for word in line.split(separator: " ") { months[String(word)] = index + 1 }
    }
    return months
  }()

  private static let zones: [String: Int] = [
    "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60, "cest": 120,
    "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "ist": 330, "hkt": 480, "sgt": 480, "awst": 480, "kst": 540,
    "jst": 540, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "akst": -540, "akdt": -480, "hst": -600,
    "한국시간": 540,
  ]
}
