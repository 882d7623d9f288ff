extension DayLanguage {
  static let korean: DayLanguage = {
    var language = DayLanguage()
    language.code = "ko"
    language.examples = ["내일", "다음 주 월요일", "3일 후"]
    language.numerals.digits = [
      "영": 0, "공": 0, "일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9,
    ]
    language.numerals.powers = ["십": 10, "백": 100, "천": 1_000]
    language.numerals.words = [
      "한": 1, "두": 2, "세|석": 3, "네|넉": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10,
      "열한": 11, "열두": 12,
    ]
    language.units = ["일": 1, "주일|주": 7, "개월|달": 30, "년|해": 365]
    language.spans = [
      "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
      "보름": 15,
    ]
    language.weekdays = [
      "월요일|월욜": 1, "화요일|화욜": 2, "수요일|수욜": 3, "목요일|목욜": 4, "금요일|금욜": 5, "토요일|토욜": 6, "일요일|일욜": 7,
    ]
    language.weekdayMarks = ["월": 1, "화": 2, "수": 3, "목": 4, "금": 5, "토": 6, "일": 7]
    language.turns = ["이번|요번": 0, "다음|담": 1]
    language.weekTurns = [
      "지지난주|저저번주": -2, "지난주|저번주|전주": -1, "이번주|요번주|금주": 0, "다음주|담주|내주|차주": 1, "다다음주|다담주": 2,
    ]
    language.monthTurns = [
      "지지난달|저저번달": -2, "지난달|저번달|전달": -1, "이번달|이달|요번달|금월": 0, "다음달|담달|내달|익월": 1, "다다음달|다담달": 2,
    ]
    language.yearTurns = [
      "재작년": -2, "작년|지난해": -1, "올해|금년|이번해": 0, "내년|다음해|명년": 1, "내후년|후년": 2,
    ]
    language.phrases = [
      ("오늘|금일", .away(0)), ("내일|낼|명일|익일", .away(1)), ("모레|내일모레|낼모레", .away(2)), ("글피", .away(3)), ("그글피", .away(4)),
      ("어제|어저께|작일", .away(-1)), ("그제|그저께", .away(-2)), ("그끄제|그끄저께", .away(-3)),
      ("<n><u> (후|뒤|이후)(에)?|<s> (후|뒤|이후)(에)?", .distance(1)), ("<n><u> 전(에)?|<s> 전(에)?", .distance(-1)),
      ("<w>(에)?", .weekday), ("(오는|돌아오는) <w>(에)?", .comingWeekday(weeks: 0)), ("(지난|저번) <w>(에)?", .lastWeekday),
      ("<tw>(의)? <w>(에)?|<t> <w>(에)?", .weekdayOfWeek), ("<tw>(에)?|<tm>(에)?|<ty>(에)?", .sameDay),
      ("(주말|<tw>말|<tw>(의)? 주말)(에)?", .weekend), ("(오는|돌아오는) 주말(에)?", .comingWeekend),
      ("(월말|말일|<tm>(의)? (말일|말))(에)?", .end(.month)), ("(연말|년말|<ty>(의)? 말)(에)?", .end(.year)),
      ("<m>월 (말일|말)(에)?", .endOfMonth),
      ("((<y>|<yy>)년|<ty>)? <m>월 <d>일 (<wd>)? (에)?", .date),
      ("(<y>(년)?|<ty>(의)?|<t>)? (크리스마스|성탄절|성탄일)(에)?", .yearly(month: 12, day: 25)),
      ("(<y>(년)?|<ty>(의)?|<t>)? (크리스마스|성탄절) (이브|전야|전날)(에)?", .yearly(month: 12, day: 24)),
      ("(<y>(년)?|<ty>(의)?|<t>)? (신정|새해 첫날)(에)?", .yearly(month: 1, day: 1)),
      ("(<y>(년)?|<ty>(의)?|<t>)? (설날|설|구정)(에)?", .feast(.koreanNewYear)),
      ("(<y>(년)?|<ty>(의)?|<t>)? (추석|한가위)(에)?", .feast(.koreanHarvest)),
      ("(<y>(년)?|<ty>(의)?|<t>)? (설날|설|구정) 전날(에)?", .eve(.koreanNewYear)),
      ("(<y>(년)?|<ty>(의)?|<t>)? (추석|한가위) 전날(에)?", .eve(.koreanHarvest)),
      ("(<tm>(의)?)? <d>일 (<wd>)? (에)?", .dayOfMonth),
    ]
    language.limitEnds = [
      ("까지는", .until), ("까지", .until), ("전까지는", .before), ("전까지", .before), ("전에", .before), ("전", .before),
      ("안에", .until), ("안으로", .until), ("내에", .until), ("내로", .until), ("내", .until),
    ]
    language.spanEnds = [("이내에", "후"), ("이내로", "후"), ("이내", "후"), ("안에", "후"), ("내에", "후"), ("내로", "후"), ("내", "후")]
    language.periods = "(<y>년|<ty>(의)?)? <m>월|<y>년(도)?|<tm>|<ty>"
    return language
  }()
}
