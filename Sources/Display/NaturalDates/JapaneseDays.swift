extension DayLanguage {
  static let japanese: DayLanguage = {
    var language = DayLanguage()
    language.code = "ja"
    language.examples = ["明日", "来週の月曜日", "3日後"]
    language.numerals = .han
    language.units = ["日間|日": 1, "週間|週": 7, "ヶ月|か月|カ月|ヵ月|ケ月|箇月": 30, "年間|年": 365]
    language.weekdays = [
      "月曜日|月曜": 1, "火曜日|火曜": 2, "水曜日|水曜": 3, "木曜日|木曜": 4, "金曜日|金曜": 5, "土曜日|土曜": 6, "日曜日|日曜": 7,
    ]
    language.weekdayMarks = ["月": 1, "火": 2, "水": 3, "木": 4, "金": 5, "土": 6, "日": 7]
    language.weekTurns = ["先々週|先先週": -2, "先週": -1, "今週": 0, "来週": 1, "再来週": 2]
    language.monthTurns = ["先々月|先先月": -2, "先月": -1, "今月": 0, "来月": 1, "再来月": 2]
    language.yearTurns = ["一昨年|おととし": -2, "去年|昨年": -1, "今年|本年": 0, "来年": 1, "再来年": 2]
    language.eras = ["明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019]
    language.phrases = [
      ("今日|本日|きょう", .away(0)), ("明日|あした|あす", .away(1)), ("明後日|あさって", .away(2)),
      ("明々後日|明明後日|しあさって", .away(3)), ("昨日|きのう", .away(-1)), ("一昨日|おととい", .away(-2)),
      ("一昨々日|一昨昨日|さきおととい", .away(-3)),
      ("<n><u>(後|あと)", .distance(1)), ("<n><u>前(に)?", .distance(-1)),
      ("<w>", .weekday), ("(今度|次)(の)? <w>", .comingWeekday(weeks: 0)), ("(この前|前)(の)? <w>", .lastWeekday),
      ("<tw>(の)? <w>", .weekdayOfWeek), ("<tw>|<tm>|<ty>", .sameDay),
      ("(この)?週末|<tw>末|<tw>(の)? 週末", .weekend), ("(今度|次)(の)? 週末", .comingWeekend),
      ("月末|<tm>(の)?末", .end(.month)), ("年末|<ty>(の)?末", .end(.year)), ("<m>月(の)?末", .endOfMonth),
      ("((<y>|<yy>)年|<ty>(の)?)? <m>月<d>日 (<wd>)? (に)?", .date),
      ("(<y>年(の)?|<ty>(の)?)? クリスマス", .yearly(month: 12, day: 25)),
      ("(<y>年(の)?|<ty>(の)?)? クリスマス(・)?イ(ブ|ヴ)", .yearly(month: 12, day: 24)),
      ("(<y>年(の)?|<ty>(の)?)? (元日|元旦)", .yearly(month: 1, day: 1)),
      ("(<y>年(の)?|<ty>(の)?)? 大晦日", .yearly(month: 12, day: 31)),
      ("(<y>年(の)?|<ty>(の)?)? 中秋の名月", .feast(.koreanHarvest)),
      ("(<tm>(の)?)? <d>日 (<wd>)? (に)?", .dayOfMonth),
    ]
    language.limitEnds = [
      ("までに", .until), ("まで", .until), ("の前までに", .before), ("の前まで", .before), ("の前に", .before), ("の前", .before),
      ("前までに", .before), ("前まで", .before), ("前に", .before), ("前", .before),
      ("中に", .until), ("中", .until), ("内に", .until), ("内", .until),
    ]
    language.spanEnds = [("以内に", "後"), ("以内", "後")]
    language.periods = "(<y>年|<ty>(の)?)? <m>月|<y>年|<tm>|<ty>"
    return language
  }()
}
