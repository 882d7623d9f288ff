extension DayLanguage {
  static let english: DayLanguage = {
    var language = DayLanguage()
    language.code = "en"
    language.examples = ["tomorrow", "next friday", "in 3 days"]
    language.numerals.words = [
      "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
      "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    ]
    language.ordinals = [
      "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
      "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
      "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty first|twenty-first": 21,
      "twenty second|twenty-second": 22, "twenty third|twenty-third": 23, "twenty fourth|twenty-fourth": 24,
      "twenty fifth|twenty-fifth": 25, "twenty sixth|twenty-sixth": 26, "twenty seventh|twenty-seventh": 27,
      "twenty eighth|twenty-eighth": 28, "twenty ninth|twenty-ninth": 29, "thirtieth": 30,
      "thirty first|thirty-first": 31,
    ]
    language.articles = ["a|an": 1]
    language.units = [
      "days|day|d": 1, "weeks|week|wks|wk|w": 7, "months|month|m": 30, "years|year|yrs|yr|y": 365,
    ]
    language.spans = ["fortnight": 14]
    language.weekdays = [
      "monday|mon": 1, "tuesday|tues|tue": 2, "wednesday|wed": 3, "thursday|thurs|thur|thu": 4,
      "friday|fri": 5, "saturday|sat": 6, "sunday|sun": 7,
    ]
    language.months = [
      "january|jan": 1, "february|feb": 2, "march|mar": 3, "april|apr": 4, "may": 5, "june|jun": 6,
      "july|jul": 7, "august|aug": 8, "september|sept|sep": 9, "october|oct": 10, "november|nov": 11,
      "december|dec": 12,
    ]
    language.turns = ["last|past|previous": -1, "this": 0, "next": 1]
    language.weekTurns = ["last week": -1, "this week": 0, "next week": 1, "the week after next": 2]
    language.monthTurns = ["last month": -1, "this month": 0, "next month": 1, "the month after next": 2]
    language.yearTurns = ["last year": -1, "this year": 0, "next year": 1]
    language.phrases = [
      ("today", .away(0)), ("eod|(the)? end of (the)? (day|today)", .end(.day)), ("tomorrow|tmrw", .away(1)),
      ("(the)? day after tomorrow", .away(2)),
      ("yesterday", .away(-1)), ("(the)? day before yesterday", .away(-2)),
      ("in <n> <u>|<n> <u> (from (now|today)|later|hence)|+<n> <u>|in a <s>|a <s> from (now|today)", .distance(1)),
      ("<n> <u> ago|-<n> <u>|a <s> ago", .distance(-1)),
      ("(on)? <w>", .weekday), ("(this)? coming <w>", .comingWeekday(weeks: 0)),
      ("<w> week|(a|one) week (from|on) <w>", .comingWeekday(weeks: 1)),
      ("<n> <u> (from|after) <w>", .distanceFromWeekday), ("(last|past) <w>", .lastWeekday),
      ("<t> <w>|(on)? <w> (of)? <tw>|<tw> (on)? <w>", .weekdayOfWeek),
      ("(on|at|over)? (the|<t>)? weekend", .weekend), ("(on|at|over)? (this|the)? coming weekend", .comingWeekend),
      ("<tw>|<tm>|<ty>", .sameDay),
      ("eow|(the)? end of (the)? week|(the)? end of <tw>", .end(.week)),
      (
        "eom|(the)? end of (the)? month|(the)? end of <tm>|(on)? (the)? last day of (the)? month|(on)? (the)? last day of <tm>",
        .end(.month)
      ),
      ("eoy|(the)? end of (the)? year|(the)? end of <ty>", .end(.year)),
      ("(the)? end of <m>|(on)? (the)? last day of <m>", .endOfMonth),
      (
        """
        (<w>)? <m> (the)? <d>(st|nd|rd|th)? (<y>|<yy>|<ty>)?|(<w>)? (the)? <d>(st|nd|rd|th)? (of)? <m> (<y>|<yy>|<ty>)?
        """, .date
      ),
      // As in German: 1. Sept 2000.
      ("(<w>)? <d>. <mn> (<y>|<yy>|<ty>)?", .date),
      ("(<w>)? <mn> (the)? <o> (<y>|<ty>)?|(<w>)? (the)? <o> of <mn> (<y>|<yy>|<ty>)?", .date),
      ("(on|at)? (<t>)? (christmas|xmas|x-mas) (day)? (<y>|<ty>)?", .yearly(month: 12, day: 25)),
      ("(on)? (<t>)? (christmas|xmas|x-mas) eve (<y>|<ty>)?", .yearly(month: 12, day: 24)),
      ("(on|at)? (the|<t>)? new year ((s)? day|s)? (<y>|<ty>)?", .yearly(month: 1, day: 1)),
      ("(on)? (<t>)? new year (s)? eve (<y>|<ty>)?", .yearly(month: 12, day: 31)),
      ("(on)? (the)? <d>(st|nd|rd|th) (of)? (<tm>)?|<tm> (on)? the <d>(st|nd|rd|th)", .dayOfMonth),
      // "The first" alone is seldom a day.
      ("on the <o>|(on)? the <o> of <tm>|<tm> (on)? the <o>", .dayOfMonth),
    ]
    language.limitFronts = [
      ("due by", .until), ("due", .until), ("by", .until), ("until", .until), ("till", .until),
      ("no later than", .until), ("within", .until), ("due before", .before), ("before", .before),
    ]
    language.spanFronts = [("within the next", "in"), ("within", "in")]
    language.periods = "<mn> ((of)? (<y>|<ty>))?|<y> <mn>|<tm>|<ty>"
    return language
  }()
}
