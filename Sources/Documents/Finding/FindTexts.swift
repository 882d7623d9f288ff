import Display

/// The sentences of finding.
enum FindTexts {
  static let entries: [Catalogue.Entry] = [
    .init(
      "documents.badExpression", en: "“{field}” is no regular expression: {reason}, at character {offset}.",
      ko: "“{field}”은(는) 올바른 정규식이 아닙니다: {offset}번째 글자에서 {reason}."),
    .init(
      "documents.badExpression.advice",
      en: "Write it as PCRE2 does (man 3 pcre2syntax), or look for the text as it is without `regex`.",
      ko: "PCRE2 문법(man 3 pcre2syntax)으로 쓰거나, `regex` 없이 글 그대로 찾으십시오."),
    .init(
      "documents.expressionTooHard", en: "“{field}” tries too many ways on page {page}.",
      ko: "“{field}”은(는) {page}쪽에서 시도하는 경우가 너무 많습니다."),
    .init(
      "documents.expressionTooHard.advice",
      en: "Repetitions within repetitions such as (a+)+ take for ever; write a+ or (?>a+).",
      ko: "(a+)+처럼 반복 안에 반복을 두면 끝나지 않습니다. a+나 (?>a+)로 쓰십시오."),
    .init(
      "documents.expressionTooSlow", en: "The regular expression takes too long on this document.",
      ko: "이 문서에서 정규식을 찾는 데 너무 오래 걸립니다."),
    .init(
      "documents.expressionTooSlow.advice", en: "Give a simpler one, or begin with a later page by `from`.",
      ko: "더 단순한 정규식을 쓰거나 `from`으로 뒤쪽부터 찾으십시오."),
    .init(
      "documents.noExpressions", en: "Regular expressions are not available: {reason}.", ko: "정규식을 쓸 수 없습니다: {reason}."),
    .init(
      "documents.noExpressions.advice", en: "Install libpcre2-8-0; scripts/install-dependencies does.",
      ko: "libpcre2-8-0을 설치하십시오. scripts/install-dependencies가 설치합니다."),
  ]
}
