extension Catalogue {
  /// Why a parameter cannot be used. `field` is its path as the client wrote it, for example `lines[2].text`.
  static let parameterTexts: [Entry] = [
    Entry("param.unknown", en: "There is no parameter “{field}”.", ko: "‘{field}’ 매개변수는 없습니다."),
    Entry("param.unknown.advice", en: "Did you mean “{nearest}”?", ko: "혹시 ‘{nearest}’입니까?"),
    Entry("param.unknownNoNearest", en: "There is no parameter “{field}”.", ko: "‘{field}’ 매개변수는 없습니다."),
    Entry("param.missing", en: "“{field}” is missing.", ko: "‘{field}’이(가) 빠졌습니다."),
    Entry(
      "param.wrongType", en: "“{field}” must be of type {expected}, not {found}.",
      ko: "‘{field}’은(는) {found}이(가) 아니라 {expected} 형식이어야 합니다."),
    Entry(
      "param.nul", en: "“{field}” holds a NUL character or half of a surrogate pair.",
      ko: "‘{field}’에 NUL 문자나 짝이 없는 서러게이트가 들어 있습니다."),
    Entry("param.nul.advice", en: "Remove it: no text can be kept with it.", ko: "이런 문자는 저장할 수 없으니 지우십시오."),
    Entry("param.blank", en: "“{field}” is empty or only white space.", ko: "‘{field}’이(가) 비어 있거나 공백뿐입니다."),
    Entry("param.blank.advice", en: "Write something there.", ko: "내용을 넣으십시오."),
    Entry(
      "param.tooLong", en: "“{field}” is too long; the limit is {limit}.",
      ko: "‘{field}’이(가) 너무 깁니다. 최대 {limit}까지 넣을 수 있습니다."),
    Entry(
      "param.tooShort", en: "“{field}” is too short; it must have at least {limit}.",
      ko: "‘{field}’이(가) 너무 짧습니다. 적어도 {limit}이(가) 필요합니다."),
    Entry(
      "param.tooSmall", en: "“{field}” is too small; it must be at least {limit}.",
      ko: "‘{field}’이(가) 너무 작습니다. {limit} 이상이어야 합니다."),
    Entry(
      "param.tooLarge", en: "“{field}” is too large; it must be at most {limit}.",
      ko: "‘{field}’이(가) 너무 큽니다. {limit} 이하여야 합니다."),
    Entry(
      "param.notOneOf", en: "“{field}” must be one of: {choices}.", ko: "‘{field}’은(는) 다음 중 하나여야 합니다: {choices}."),
    Entry(
      "param.exactlyOne", en: "Exactly one of these must be given: {fields}.",
      ko: "다음 가운데 정확히 하나를 주어야 합니다: {fields}."),
    Entry(
      "param.atMostOne", en: "At most one of these may be given: {fields}.",
      ko: "다음 가운데 많아야 하나만 줄 수 있습니다: {fields}."),
    Entry(
      "param.byNameOnly", en: "Parameters are taken by name, not by position.",
      ko: "매개변수는 순서가 아니라 이름으로 받습니다."),
    Entry(
      "param.byNameOnly.advice", en: "Send “params” as an object.", ko: "‘params’를 객체로 보내십시오."),
    Entry(
      "param.badDay", en: "“{field}” is not a day of the calendar: {value}.",
      ko: "‘{field}’의 {value}은(는) 달력에 없는 날입니다."),
    Entry("param.badDay.advice", en: "Write days as 2026-11-21.", ko: "날짜는 2026-11-21처럼 쓰십시오."),
    Entry(
      "param.badInstant", en: "“{field}” is not a point in time: {value}.",
      ko: "‘{field}’의 {value}은(는) 올바른 시각이 아닙니다."),
    Entry(
      "param.badInstant.advice", en: "Write it as 2026-11-21T03:29:29.000Z.",
      ko: "시각은 2026-11-21T03:29:29.000Z처럼 쓰십시오."),
    Entry("param.badID", en: "“{field}” is not an id: {value}.", ko: "‘{field}’의 {value}은(는) 올바른 id가 아닙니다."),
    Entry(
      "param.badID.advice", en: "Ids are UUIDs, as the daemon gives them.", ko: "id는 데몬이 알려 준 것과 같은 UUID입니다."),
    Entry(
      "param.badZone", en: "“{field}” is not a time zone: {value}.", ko: "‘{field}’의 {value}은(는) 없는 시간대입니다."),
    Entry(
      "param.badZone.advice", en: "Use a name such as Asia/Seoul or Etc/UTC.",
      ko: "Asia/Seoul이나 Etc/UTC 같은 이름을 쓰십시오."),
    Entry(
      "param.badLocale", en: "“{field}” is not a locale: {value}.", ko: "‘{field}’의 {value}은(는) 없는 로캘입니다."),
    Entry("param.badLocale.advice", en: "Use a tag such as ko-KR or en-US.", ko: "ko-KR이나 en-US 같은 태그를 쓰십시오."),
    Entry(
      "param.pathNotAbsolute", en: "“{field}” is not an absolute path.", ko: "‘{field}’이(가) 절대 경로가 아닙니다."),
    Entry(
      "param.pathNotAbsolute.advice", en: "Begin it with a slash; the daemon has a working folder of its own.",
      ko: "데몬은 작업 폴더가 다르므로 /로 시작하는 경로를 쓰십시오."),
    Entry(
      "param.pageOutOfRange", en: "“{field}” is {page}, but the document has {count} {count|page|pages}.",
      ko: "‘{field}’이(가) {page}인데 문서는 {count}쪽입니다."),
    Entry("param.pageOutOfRange.advice", en: "Pages are counted from 0.", ko: "쪽은 0부터 셉니다."),
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
