import Display

/// The sentences of the projects, ko and en.
enum ProjectTexts {
  static let entries: [Catalogue.Entry] = [
    .init("projects.todo", en: "TODO", ko: "할 일"),
    .init("projects.doing", en: "DOING", ko: "진행 중"),
    .init("projects.done", en: "DONE", ko: "완료"),
    .init("projects.collection", en: "Projects", ko: "프로젝트"),
    .init("item.projects", en: "card", ko: "카드"),
    .init("item.columns", en: "columns", ko: "열"),
    .init("projects.priority", en: "P{priority}", ko: "P{priority}"),
    .init("projects.daily", en: "daily", ko: "매일"),
    .init("projects.weekly", en: "weekly", ko: "매주"),
    .init("projects.monthly", en: "monthly", ko: "매월"),
    .init("projects.yearly", en: "yearly", ko: "매년"),
    .init("projects.recurs", en: "recurring", ko: "반복"),
    .init("projects.waits", en: "waits", ko: "대기"),
    .init("projects.comesAgain", en: "It comes again on {due}.", ko: "다음 마감은 {due}입니다."),
    .init("projects.moveTo", en: "Move To {column}", ko: "{column}(으)로 이동"),
    .init(
      "projects.confirmRemoveAll", en: "Do you really want to delete {count} {count|card|cards}?",
      ko: "카드 {count}개를 정말로 모두 삭제하시겠어요?"),
    .init("projects.exists", en: "There is another card with the id {id}.", ko: "id가 {id}인 다른 카드가 있습니다."),
    .init(
      "projects.exists.advice", en: "Change it with projects/update; the error carries it as it is now.",
      ko: "projects/update로 고치십시오. 오류에 현재 내용이 들어 있습니다."),
    .init(
      "projects.noColumn", en: "“{field}”: there is no column “{found}”. There are {choices}.",
      ko: "‘{field}’: ‘{found}’ 열이 없습니다. 있는 열은 {choices}입니다."),
    .init(
      "projects.columnTwice", en: "“{field}”: the column “{state}” is there twice.",
      ko: "‘{field}’: ‘{state}’ 열이 두 번 나옵니다."
    ),
    .init(
      "projects.columnTitle", en: "“{field}”: the column “{state}” needs a title.",
      ko: "‘{field}’: ‘{state}’ 열에는 제목이 있어야 합니다."),
    .init(
      "projects.columnsOpen", en: "“{field}”: one column at least must be open, for new cards.",
      ko: "‘{field}’: 새 카드가 놓일 열린 열이 하나는 있어야 합니다."),
    .init(
      "projects.columnHasCards", en: "The column “{title}” has {count} {count|card|cards} and cannot go.",
      ko: "‘{title}’ 열에 카드가 {count}개 있어 없앨 수 없습니다."),
    .init(
      "projects.columnHasCards.advice", en: "Move its cards to another column first.",
      ko: "먼저 카드를 다른 열로 옮기십시오."),
    .init(
      "projects.columnsMoved",
      en: "The columns are at revision {current}, not at {revision}; nothing was changed.",
      ko: "열의 현재 리비전은 {revision}이(가) 아니라 {current}이며, 아무것도 바꾸지 않았습니다."),
    .init(
      "projects.columnsMoved.advice",
      en: "Begin again from the columns in `current`, and give their `revision` as `ifRevision`.",
      ko: "`current`에 있는 열에서 다시 시작하고 그 `revision`을 `ifRevision`으로 주십시오."),
    .init("projects.oneLine", en: "“{field}” must be one line.", ko: "‘{field}’은(는) 한 줄이어야 합니다."),
    .init(
      "projects.noControl", en: "“{field}” must have no control characters, such as ESC.",
      ko: "‘{field}’에는 ESC 같은 제어 문자를 쓸 수 없습니다."),
    .init(
      "projects.timeWithoutDeadline", en: "“{field}”: a time needs a deadline.", ko: "‘{field}’: 시각에는 마감일이 있어야 합니다."),
    .init(
      "projects.noBlocker", en: "“{field}”: there is no card {id}.", ko: "‘{field}’: {id} 카드가 없습니다."),
    .init(
      "projects.cycle", en: "“{field}”: the cards would wait for each other: {cycle}.",
      ko: "‘{field}’: 카드들이 서로를 기다리게 됩니다: {cycle}."),
    .init(
      "projects.waitsForStranger",
      en:
        "It waits for {count} {count|task|tasks} that {count|is|are} not in the library: {names}. Nothing holds it up before they come.",
      ko: "서재에 없는 작업 {count}개를 기다립니다: {names}. 들어올 때까지는 막히지 않습니다."),
    .init(
      "projects.badRule",
      en:
        "“{field}”: “{part}” is unknown, or means nothing for whole days. Write a rule such as FREQ=WEEKLY or FREQ=MONTHLY;BYMONTHDAY=1.",
      ko: "‘{field}’: ‘{part}’은(는) 알 수 없거나 하루 단위에 쓸 수 없습니다. FREQ=WEEKLY나 FREQ=MONTHLY;BYMONTHDAY=1처럼 쓰십시오."),
    .init(
      "projects.ruleMissing",
      en: "“{field}”: {part} is missing. Write a rule such as FREQ=WEEKLY or FREQ=MONTHLY;BYMONTHDAY=1.",
      ko: "‘{field}’: {part} 부분이 없습니다. FREQ=WEEKLY나 FREQ=MONTHLY;BYMONTHDAY=1처럼 쓰십시오."),
    .init(
      "projects.ruleWord", en: "“{field}”: {found} is unknown here, {name} can be {choices}.",
      ko: "‘{field}’: {found}은(는) 알 수 없습니다. {name}에는 {choices}을(를) 쓸 수 있습니다."),
    .init(
      "projects.ruleNumber", en: "“{field}”: {name} cannot be {found}, only a number of {choices}.",
      ko: "‘{field}’: {name}에는 {found}을(를) 쓸 수 없고 {choices} 안의 수만 쓸 수 있습니다."),
    .init(
      "projects.ruleClash", en: "“{field}”: {part} cannot stand beside the rest of the rule (RFC 5545, 3.3.10).",
      ko: "‘{field}’: {part} 부분은 규칙의 나머지와 함께 쓸 수 없습니다(RFC 5545, 3.3.10)."),
    .init(
      "projects.ruleNever", en: "“{field}”: the rule names only days that no year has, such as February 30.",
      ko: "‘{field}’: 2월 30일처럼 어느 해에도 없는 날만 가리키는 규칙입니다."),
    .init(
      "projects.ruleWithoutDeadline", en: "“{field}”: a rule that counts from the deadline needs one.",
      ko: "‘{field}’: 마감일부터 세는 규칙에는 마감일이 있어야 합니다."),
    .init(
      "projects.neighbourElsewhere", en: "The card “{title}” stands in another column by now, {column}.",
      ko: "‘{title}’ 카드는 이제 다른 열({column})에 있습니다."),
    .init(
      "projects.neighbourElsewhere.advice", en: "Read the board again and choose another place.",
      ko: "보드를 다시 읽고 다른 자리를 고르십시오."),
    .init("projects.neighbourItself", en: "“{field}” names the card itself.", ko: "‘{field}’이(가) 카드 자신을 가리킵니다."),
  ]
}
