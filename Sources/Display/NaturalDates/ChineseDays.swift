extension DayLanguage {
  /// In both scripts.
  static let chinese: DayLanguage = {
    var language = DayLanguage()
    language.code = "zh"
    language.examples = ["明天", "下周一", "三天后"]
    language.numerals = .han
    language.units = [
      "天": 1, "周|週|星期|个星期|個星期|礼拜|禮拜|个礼拜|個禮拜": 7, "个月|個月": 30, "年": 365,
    ]
    language.weekdays = [
      "周一|週一|星期一|礼拜一|禮拜一": 1, "周二|週二|星期二|礼拜二|禮拜二": 2, "周三|週三|星期三|礼拜三|禮拜三": 3,
      "周四|週四|星期四|礼拜四|禮拜四": 4, "周五|週五|星期五|礼拜五|禮拜五": 5, "周六|週六|星期六|礼拜六|禮拜六": 6,
      "周日|週日|周天|週天|星期日|星期天|礼拜日|禮拜日|礼拜天|禮拜天": 7,
    ]
    language.weekdayMarks = ["一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日|天": 7]
    language.weekTurns = [
      "上上周|上上週|上上星期|上上个星期|上上個星期": -2,
      "上周|上週|上个周|上個週|上星期|上个星期|上個星期|上礼拜|上禮拜|上个礼拜|上個禮拜": -1,
      "本周|本週|这周|這週|这个周|這個週|这星期|這星期|这个星期|這個星期|这礼拜|這禮拜": 0,
      "下周|下週|下个周|下個週|下星期|下个星期|下個星期|下礼拜|下禮拜|下个礼拜|下個禮拜": 1, "下下周|下下週|下下星期|下下个星期|下下個星期": 2,
    ]
    language.monthTurns = [
      "上上个月|上上個月": -2, "上个月|上個月|上月": -1, "本月|这个月|這個月": 0, "下个月|下個月|下月": 1, "下下个月|下下個月": 2,
    ]
    language.yearTurns = ["前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年|後年": 2]
    language.eras = ["民國|民国": 1912]
    language.phrases = [
      ("今天|今日", .away(0)), ("明天|明日|聽日|听日", .away(1)), ("后天|後天", .away(2)), ("大后天|大後天", .away(3)),
      ("昨天|昨日|尋日|寻日|琴日", .away(-1)), ("前天", .away(-2)), ("大前天", .away(-3)),
      // Five 日 with 前 could also be "before the 5th".
      ("<n>(<u>|日)(之|以)?(后|後)", .distance(1)), ("<n><u>(之|以)?前", .distance(-1)),
      ("<w>", .weekday), ("<tw>(的)?<wd>", .weekdayOfWeek), ("<tw>|<tm>|<ty>", .sameDay),
      ("(周|週)末|<tw>末|<tw>(的)?(周|週)末", .weekend),
      ("(月|<tm>)(底|末)", .end(.month)), ("(年|<ty>)(底|末)", .end(.year)), ("<m>月(底|末)", .endOfMonth),
      (
        "<m>月<d>(日|号|號) (<wd>)?|(<y>|<yy>)年<m>月<d>(日|号|號) (<wd>)?|<ty>(的)?<m>月<d>(日|号|號) (<wd>)?", .date
      ),
      ("(<y>(年(的)?)?|<ty>(的)?)? (圣诞|聖誕)(节|節)?", .yearly(month: 12, day: 25)),
      ("(<y>(年(的)?)?|<ty>(的)?)? (平安夜|圣诞夜|聖誕夜)", .yearly(month: 12, day: 24)),
      ("(<y>(年(的)?)?|<ty>(的)?)? 元旦", .yearly(month: 1, day: 1)),
      ("(<y>(年(的)?)?|<ty>(的)?)? (春节|春節)", .feast(.chineseNewYear)),
      ("(<y>(年(的)?)?|<ty>(的)?)? 除夕(夜)?", .eve(.chineseNewYear)),
      ("(<y>(年(的)?)?|<ty>(的)?)? 中秋(节|節)?", .feast(.chineseHarvest)),
      // 國慶 is another day in Taipei.
      ("(<y>(年(的)?)?|<ty>(的)?)? 国庆(节)?", .yearly(month: 10, day: 1)),
      ("<d>(日|号|號) (<wd>)?|<tm>(的)?<d>(日|号|號) (<wd>)?", .dayOfMonth),
    ]
    language.limitEnds = [
      ("为止", .until), ("為止", .until), ("截止", .until), ("之前", .before), ("前", .before),
      ("之内", .until), ("之內", .until), ("以内", .until), ("以內", .until), ("内", .until), ("內", .until),
    ]
    language.spanEnds = ["之内", "之內", "以内", "以內", "内", "內"].map { ($0, "后") }
    language.periods = "(<y>年|<ty>(的)?)? <m>月|<y>年|<tm>|<ty>"
    return language
  }()
}
