extension Catalogue {
  /// Why a parameter cannot be used. `field` is its path as the client wrote it, for example `lines[2].text`.
  static let parameterTexts: [Entry] = [
    Entry("param.unknown", en: "There is no parameter “{field}”.", ko: "‘{field}’ 매개변수는 없습니다."),
    Entry("param.unknown.advice", en: "Did you mean “{nearest}”?", ko: "혹시 ‘{nearest}’입니까?"),
    Entry("param.unknownAmong", en: "There is no parameter “{field}”.", ko: "‘{field}’ 매개변수는 없습니다."),
    Entry("param.unknownAmong.advice", en: "There are: {names}.", ko: "있는 것은 {names}입니다."),
    Entry(
      "param.takesNone", en: "There is no parameter “{field}”; none is taken here.",
      ko: "‘{field}’ 매개변수는 없으며, 여기에는 매개변수가 필요 없습니다."),
    Entry("param.missing", en: "“{field}” is missing.", ko: "‘{field}’이(가) 빠졌습니다."),
    Entry(
      "param.byName", en: "Parameters are taken by name, not by position.",
      ko: "매개변수는 순서가 아니라 이름으로 받습니다."),
    Entry(
      "param.byName.advice", en: "Send “params” as an object.",
      ko: "‘params’를 객체로 보내십시오."),
    Entry(
      "param.atMostOne", en: "At most one of these may be given: {fields}.",
      ko: "다음 가운데 많아야 하나만 줄 수 있습니다: {fields}."),
    Entry(
      "param.exactlyOne", en: "Exactly one of these must be given: {fields}.",
      ko: "다음 가운데 정확히 하나를 주어야 합니다: {fields}."),
    Entry(
      "param.invalid", en: "“{field}” cannot be read.",
      ko: "‘{field}’을(를) 읽을 수 없습니다."),
    Entry(
      "param.wrongType", en: "“{field}” takes “{type.expected}”, not “{type.found}”.",
      ko: "‘{field}’에는 ‘{type.found}’이(가) 아니라 ‘{type.expected}’을(를) 넣어야 합니다."),
    Entry(
      "param.integer", en: "“{field}” must be a whole number.",
      ko: "‘{field}’은(는) 정수여야 합니다."),
    Entry(
      "param.nul", en: "“{field}” holds a NUL character or half of a surrogate pair.",
      ko: "‘{field}’에 NUL 문자나 짝이 없는 서러게이트가 들어 있습니다."),
    Entry("param.nul.advice", en: "Remove it: no text can be kept with it.", ko: "이런 문자는 저장할 수 없으니 지우십시오."),
    Entry(
      "param.numberTooLarge", en: "“{field}” is a number that is too large.",
      ko: "‘{field}’의 숫자가 너무 큽니다."),
    Entry(
      "param.confirm", en: "“{field}” is missing or stands for something that has changed.",
      ko: "‘{field}’이(가) 없거나 그사이 내용이 바뀌었습니다."),
    Entry(
      "param.confirm.advice", en: "Ask with `dryRun` first, and give the `confirm` of the answer.",
      ko: "먼저 `dryRun`으로 요청하고 그 답의 `confirm`을 넣으십시오."),
    Entry("param.blank", en: "“{field}” is empty or only white space.", ko: "‘{field}’이(가) 비어 있거나 공백뿐입니다."),
    Entry("param.blank.advice", en: "Write something there.", ko: "내용을 넣으십시오."),
    Entry(
      "param.choice", en: "“{field}” cannot be “{found}”.",
      ko: "‘{field}’에는 ‘{found}’을(를) 쓸 수 없습니다."),
    Entry(
      "param.choice.advice", en: "Choose one of: {choices}.",
      ko: "다음 가운데 하나를 고르십시오: {choices}."),
    Entry(
      "param.range", en: "“{field}” must lie between {minimum} and {maximum}.",
      ko: "‘{field}’은(는) {minimum} 이상 {maximum} 이하여야 합니다."),
    Entry(
      "param.range.maximum", en: "“{field}” must be at most {maximum}.",
      ko: "‘{field}’은(는) {maximum} 이하여야 합니다."),
    Entry(
      "param.range.minimum", en: "“{field}” must be at least {minimum}.",
      ko: "‘{field}’은(는) {minimum} 이상이어야 합니다."),
    Entry(
      "param.length", en: "“{field}” must have between {minimum} and {maximum} characters.",
      ko: "‘{field}’은(는) {minimum}자 이상 {maximum}자 이하여야 합니다."),
    Entry(
      "param.length.maximum", en: "“{field}” must have at most {maximum} {maximum|character|characters}.",
      ko: "‘{field}’은(는) {maximum}자 이하여야 합니다."),
    Entry(
      "param.length.minimum", en: "“{field}” must have at least {minimum} {minimum|character|characters}.",
      ko: "‘{field}’은(는) {minimum}자 이상이어야 합니다."),
    Entry(
      "param.count", en: "“{field}” must have between {minimum} and {maximum} elements.",
      ko: "‘{field}’의 요소는 {minimum}개 이상 {maximum}개 이하여야 합니다."),
    Entry(
      "param.count.maximum", en: "“{field}” must have at most {maximum} {maximum|element|elements}.",
      ko: "‘{field}’의 요소는 {maximum}개 이하여야 합니다."),
    Entry(
      "param.count.minimum", en: "“{field}” must have at least {minimum} {minimum|element|elements}.",
      ko: "‘{field}’의 요소는 {minimum}개 이상이어야 합니다."),
  ]

  /// Texts that have not the form that their parameter wants.
  static let formTexts: [Entry] = [
    Entry(
      "param.id", en: "“{field}” is not an id.",
      ko: "‘{field}’이(가) 올바른 id가 아닙니다."),
    Entry(
      "param.id.advice",
      en: "Use one that the daemon gave, or make a UUID: 1 to 64 letters, digits, dots, dashes or underscores.",
      ko: "데몬이 알려 준 id를 쓰거나 UUID를 만드십시오. 영문자, 숫자, 점, 붙임표, 밑줄로 된 1~64자입니다."),
    Entry(
      "param.day", en: "“{field}” is not a day of the calendar.",
      ko: "‘{field}’이(가) 달력에 있는 날이 아닙니다."),
    Entry(
      "param.day.advice", en: "Write days as 2026-11-21.",
      ko: "날짜는 2026-11-21처럼 쓰십시오."),
    Entry(
      "param.givenDay",
      en: "“{field}” is no day: it is empty, longer than 64 characters, or holds a control character.",
      ko: "‘{field}’이(가) 날짜가 아닙니다. 비어 있거나 64자를 넘거나 제어 문자가 들어 있습니다."),
    Entry("param.givenDay.advice", en: "Write days as 2026-11-21.", ko: "날짜는 2026-11-21처럼 쓰십시오."),
    Entry(
      "param.unknownDay", en: "“{field}” is no day that is known here: {value}.",
      ko: "‘{field}’의 {value}은(는) 알 수 없거나 달력에 없는 날입니다."),
    Entry(
      "param.unknownDay.advice", en: "Write it as 2026-11-21, or in words such as: {examples}.",
      ko: "2026-11-21처럼 쓰거나 다음과 같이 쓰십시오: {examples}."),
    Entry(
      "param.noSuchDay", en: "“{field}” is a day that the calendar does not have: {value}.",
      ko: "‘{field}’의 {value}은(는) 달력에 없는 날입니다."),
    Entry(
      "param.noSuchDay.advice",
      en: "Days go from 0001-01-01 to 9999-12-31; there is no year 0, and no day beyond the end of its month.",
      ko: "0001-01-01부터 9999-12-31까지의 날을 쓰십시오. 0년은 없으며, 그 달에 없는 날도 쓸 수 없습니다."),
    Entry(
      "param.unknownDayNearest", en: "“{field}” is no day that is known here: {value}.",
      ko: "‘{field}’의 {value}은(는) 알 수 없거나 달력에 없는 날입니다."),
    Entry("param.unknownDayNearest.advice", en: "Did you mean “{nearest}”?", ko: "혹시 ‘{nearest}’입니까?"),
    Entry(
      "param.dayWithTime", en: "“{field}” is a day, and “{time}” in “{value}” is a time of day.",
      ko: "‘{field}’에는 날짜만 쓸 수 있는데 ‘{value}’의 ‘{time}’은(는) 시각입니다."),
    Entry(
      "param.dayWithTime.advice",
      en: "Give the day alone, such as: {examples}. Where there is a “time” beside it, the time goes there, as 17:30.",
      ko: "{examples}처럼 날짜만 쓰십시오. ‘time’ 매개변수가 있으면 시각은 거기에 17:30처럼 쓰십시오."),
    Entry(
      "param.month", en: "“{field}” is not a month of the calendar.",
      ko: "‘{field}’이(가) 달력에 있는 달이 아닙니다."),
    Entry(
      "param.month.advice", en: "Write months as 2026-11.",
      ko: "달은 2026-11처럼 쓰십시오."),
    Entry(
      "param.instant", en: "“{field}” is not a point in time.",
      ko: "‘{field}’이(가) 올바른 시각이 아닙니다."),
    Entry(
      "param.instant.advice", en: "Write it as 2026-11-21T03:04:05.678Z.",
      ko: "시각은 2026-11-21T03:04:05.678Z처럼 쓰십시오."),
    Entry(
      "param.timeOfDay", en: "“{field}” is not a time of day.",
      ko: "‘{field}’이(가) 올바른 시각이 아닙니다."),
    Entry(
      "param.timeOfDay.advice", en: "Write it as 04:00, from 00:00 to 23:59.",
      ko: "00:00부터 23:59까지 04:00처럼 쓰십시오."),
    Entry(
      "param.badZone", en: "“{field}” is not a time zone: {value}.", ko: "‘{field}’의 {value}은(는) 없는 시간대입니다."),
    Entry(
      "param.badZone.advice", en: "Use a name such as Asia/Seoul or Etc/UTC.",
      ko: "Asia/Seoul이나 Etc/UTC 같은 이름을 쓰십시오."),
    Entry(
      "param.badLocale", en: "“{field}” is not a locale: {value}.", ko: "‘{field}’의 {value}은(는) 없는 로캘입니다."),
    Entry("param.badLocale.advice", en: "Use a tag such as ko-KR or en-US.", ko: "ko-KR이나 en-US 같은 태그를 쓰십시오."),
    Entry(
      "param.language", en: "“{field}” is not a language tag.",
      ko: "‘{field}’이(가) 올바른 언어 태그가 아닙니다."),
    Entry(
      "param.language.advice", en: "Use a tag such as ko-KR or en-US.",
      ko: "ko-KR이나 en-US 같은 태그를 쓰십시오."),
    Entry(
      "param.color", en: "“{field}” is not a color.",
      ko: "‘{field}’이(가) 올바른 색이 아닙니다."),
    Entry(
      "param.color.advice", en: "Write colors as #ffd60a.",
      ko: "색은 #ffd60a처럼 쓰십시오."),
    Entry(
      "param.absolutePath", en: "“{field}” is not an absolute path.",
      ko: "‘{field}’이(가) 절대 경로가 아닙니다."),
    Entry(
      "param.absolutePath.advice", en: "Begin it with a slash: the daemon does not know your working folder.",
      ko: "데몬은 현재 작업 폴더를 모르므로 /로 시작하는 경로를 쓰십시오."),
    Entry(
      "param.base64", en: "“{field}” is not base64.",
      ko: "‘{field}’이(가) base64가 아닙니다."),
    Entry(
      "param.base64.advice", en: "Encode the bytes as RFC 4648 says, with the padding and without line ends.",
      ko: "바이트를 RFC 4648에 따라 채움 문자를 넣고 줄바꿈 없이 인코딩하십시오."),
    Entry(
      "param.badCursor", en: "“{field}” is not a place in a list: {value}.",
      ko: "‘{field}’의 {value}은(는) 목록의 위치가 아닙니다."),
    Entry(
      "param.badCursor.advice", en: "Give the “next” of the list's last reply.",
      ko: "목록의 지난 답에 있는 ‘next’를 넣으십시오."),
    Entry(
      "param.pageOutOfRange", en: "“{field}” is {page}, but the document has {count} {count|page|pages}.",
      ko: "‘{field}’이(가) {page}인데 문서는 {count}쪽입니다."),
    Entry("param.pageOutOfRange.advice", en: "Pages are counted from 0.", ko: "쪽은 0부터 셉니다."),
    Entry(
      "param.tagForm", en: "“{field}” has a line end or a control character, or more than {maximum} characters.",
      ko: "‘{field}’에 줄바꿈이나 제어 문자가 있거나 {maximum}자를 넘습니다."),
    Entry(
      "param.positionOutside", en: "“{field}” points behind the end of the text: {offset} of {length}.",
      ko: "‘{field}’이(가) 글의 끝을 넘습니다: {length} 중 {offset}."),
    Entry(
      "param.positionInsideCharacter", en: "“{field}” points into the middle of a character: {offset}.",
      ko: "‘{field}’이(가) 한 글자의 중간을 가리킵니다: {offset}."),
    Entry(
      "param.positionInsideCharacter.advice", en: "Offsets are counted in {encoding} units.",
      ko: "위치는 {encoding} 단위로 셉니다."),
  ]
}
