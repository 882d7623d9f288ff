extension Catalogue {
  /// What imports say of a file, and of single items in it.
  static let importTexts: [Entry] = [
    Entry(
      "import.wrongFormat", en: "The data could not be loaded: {source} is not what {format} means: {reason.reason}.",
      ko: "데이터 로드에 실패했습니다. {source}은(는) {format} 형식이 아닙니다: {reason.reason}."),
    Entry(
      "import.wrongFormat.advice", en: "Name the format of the program that wrote the file. Nothing was taken over.",
      ko: "파일을 만든 프로그램의 형식을 지정하십시오. 가져온 것은 없습니다."),
    Entry(
      "import.wrongLine",
      en: "The data could not be loaded: line {line} of {source} is not what {format} means: {reason.reason}.",
      ko: "데이터 로드에 실패했습니다. {source}의 {line}행은 {format} 형식이 아닙니다: {reason.reason}."),
    Entry(
      "import.wrongLine.advice", en: "Name the format of the program that wrote the file. Nothing was taken over.",
      ko: "파일을 만든 프로그램의 형식을 지정하십시오. 가져온 것은 없습니다."),
    Entry(
      "import.otherFormat",
      en: "The data could not be loaded: {source} was given as {format}, but what is in it looks like {found}.",
      ko: "데이터 로드에 실패했습니다. {source}을(를) {format} 형식으로 지정했지만 내용은 {found} 형식으로 보입니다."),
    Entry(
      "import.otherFormat.advice", en: "Give what it looks like as the format. Nothing was taken over.",
      ko: "내용에 맞는 형식을 지정하십시오. 가져온 것은 없습니다."),
    Entry(
      "import.otherJSON",
      en: "The data could not be loaded: {source} was given as {format}, but it is JSON.",
      ko: "데이터 로드에 실패했습니다. {source}을(를) {format} 형식으로 지정했지만 내용은 JSON입니다."),
    Entry(
      "import.otherJSON.advice",
      en: "JSON is read as taskwarrior, of `task export`, or as jsonl, of `projects/export`. Nothing was taken over.",
      ko: "JSON은 `task export`의 taskwarrior나 `projects/export`의 jsonl로만 가져올 수 있습니다. 가져온 것은 없습니다."),
    Entry(
      "import.emptyFile", en: "{field}: {source} is empty; there is nothing in it to take over.",
      ko: "{field}: {source}이(가) 비어 있어 가져올 것이 없습니다."),
    Entry(
      "import.columnLike", en: "The file has a column “{title}” that was not there; there is one called “{other}”.",
      ko: "파일에 없던 열 ‘{title}’이(가) 있습니다. 비슷한 이름의 열 ‘{other}’이(가) 이미 있습니다."),
    Entry("import.nothingInFile", en: "The file is empty.", ko: "파일이 비어 있습니다."),
    Entry(
      "import.noTaskLine",
      en: "There is no task in it: in Markdown a task is a line of a list that begins with “- [ ]” or “- [x]”.",
      ko: "할 일이 없습니다. Markdown의 할 일은 ‘- [ ]’나 ‘- [x]’로 시작하는 목록의 줄입니다."),
    Entry(
      "import.noFormat", en: "{field}: what {source} is cannot be told from what is in it. There are {choices}.",
      ko: "{field}: {source}의 내용만으로는 형식을 알 수 없습니다. 쓸 수 있는 형식은 {choices}입니다."),
    Entry(
      "import.confirm",
      en: "{field}: {count} items come at once; that wants the `confirm` of a dry run of the same file.",
      ko: "{field}: 한 번에 {count}개를 가져오려면 같은 파일을 dryRun으로 실행해 받은 `confirm`이 필요합니다."),
    Entry(
      "import.missingPart", en: "The data could not be loaded: {source} is not what {format} means: {part} is missing.",
      ko: "데이터 로드에 실패했습니다. {source}은(는) {format} 형식이 아닙니다: {part}이(가) 없습니다."),
    Entry(
      "import.missingPart.advice", en: "Name the format of the program that wrote the file. Nothing was taken over.",
      ko: "파일을 만든 프로그램의 형식을 지정하십시오. 가져온 것은 없습니다."),
    Entry(
      "import.missingLine",
      en: "The data could not be loaded: line {line} of {source} is not what {format} means: {part} is missing.",
      ko: "데이터 로드에 실패했습니다. {source}의 {line}행은 {format} 형식이 아닙니다: {part}이(가) 없습니다."),
    Entry(
      "import.missingLine.advice", en: "Name the format of the program that wrote the file. Nothing was taken over.",
      ko: "파일을 만든 프로그램의 형식을 지정하십시오. 가져온 것은 없습니다."),
    Entry("import.attachments", en: "Its pictures and other media were left out.", ko: "사진 등 첨부 파일은 가져오지 않았습니다."),
    Entry("import.badDate", en: "Its date does not exist or cannot be read.", ko: "날짜가 없는 날이거나 읽을 수 없습니다."),
    Entry(
      "import.badRule", en: "Its rule for coming again means nothing here; it is kept for the way back.",
      ko: "반복 규칙을 여기서는 쓸 수 없어 내보낼 때를 위해 보관만 합니다."),
    Entry(
      "import.badRuleNamed",
      en: "Its rule for coming again means nothing here; it is kept for the way back: “{value}”.",
      ko: "반복 규칙을 여기서는 쓸 수 없어 내보낼 때를 위해 보관만 합니다: ‘{value}’."),
    Entry(
      "import.onlyThisOccurrence",
      en: "Its file changes this occurrence and all later ones (RANGE=THISANDFUTURE); only this one was changed.",
      ko: "파일은 이 회차와 이후 회차를 모두 바꾸지만(RANGE=THISANDFUTURE) 이 회차만 바꾸었습니다."),
    Entry(
      "import.ruleWithoutDay",
      en: "Its rule for coming again has no day in the file from which it could count, and was not taken over.",
      ko: "파일에 반복을 시작할 날짜가 없어 반복 규칙을 가져오지 않았습니다."),
    Entry(
      "import.badField", en: "Its {changed.field} means nothing here, and was not taken over: “{value}”.",
      ko: "파일의 {changed.field} 값을 읽을 수 없어 가져오지 않았습니다: ‘{value}’."),
    Entry(
      "import.dayInTitle", en: "Words follow a day in its title, so that it was not read: “{value}”.",
      ko: "제목 안의 날짜 뒤에 다른 글이 있어 날짜를 읽지 않았습니다: ‘{value}’."),
    Entry(
      "import.tooManyBlockers",
      en: "A card can wait for {most} others; {count} more of its {count|name was|names were} left out.",
      ko: "선행 항목은 {most}개까지 둘 수 있어 나머지 {count}개는 가져오지 않았습니다."),
    Entry("import.badValue", en: "One of its values means nothing here.", ko: "값 하나를 읽을 수 없습니다."),
    Entry(
      "import.badURL", en: "Its URL cannot be fetched: it is not complete, or neither http nor https.",
      ko: "URL이 완전하지 않거나 http나 https가 아니어서 가져올 수 없습니다."),
    Entry("import.badZone", en: "Its time zone does not exist; yours was taken.", ko: "없는 시간대여서 사용자의 시간대로 가져왔습니다."),
    Entry(
      "import.badZoneNamed", en: "Its time zone does not exist; yours was taken: “{value}”.",
      ko: "없는 시간대여서 사용자의 시간대로 가져왔습니다: ‘{value}’."),
    Entry("import.blank", en: "It has no text.", ko: "내용이 없습니다."),
    Entry(
      "import.cameAgain", en: "It is done there; its next card has come.", ko: "파일에서 완료되어 다음 카드를 만들었습니다."),
    Entry(
      "import.cameBack", en: "It was removed here on {day}; with the file it is back.",
      ko: "{day}에 여기서 삭제했는데 이 파일에 있어 다시 들어왔습니다."),
    Entry(
      "import.conflict",
      en: "It was changed here since the file was written. It stays, and the file's version is kept beside it.",
      ko: "파일이 만들어진 뒤 여기서도 바뀌었습니다. 여기 값을 그대로 두고 파일의 값은 따로 남겼습니다."),
    Entry(
      "import.conflictIn",
      en:
        "Its {changed.field} was changed here since the file was written, and in the file too. The library's version "
        + "stays, and the file's is kept beside it.",
      ko: "파일이 만들어진 뒤 {changed.field}이(가) 여기서도 파일에서도 바뀌었습니다. 여기 값을 그대로 두고 파일의 값은 따로 남겼습니다."),
    Entry(
      "import.conflictInMore",
      en:
        "Its {sentence.fields} were changed here since the file was written, and in the file too. The library's version "
        + "stays, and the file's is kept beside it.",
      ko: "파일이 만들어진 뒤 {sentence.fields}이(가) 여기서도 파일에서도 바뀌었습니다. 여기 값을 그대로 두고 파일의 값은 따로 남겼습니다."),
    Entry("import.fieldAndLast", en: "{changed.field} and {changed.last}", ko: "{changed.field}와(과) {changed.last}"),
    Entry(
      "import.fieldAndMore", en: "{changed.field}, {sentence.others}", ko: "{changed.field}와(과) {sentence.others}"),
    Entry("changed.blockedBy", en: "list of what it waits for", ko: "선행 항목"),
    Entry("changed.body", en: "text", ko: "내용"),
    Entry("changed.completedAt", en: "date of when it was done", ko: "완료일"),
    Entry("changed.deadline", en: "deadline", ko: "마감일"),
    Entry("changed.movedAt", en: "date of when it was moved", ko: "이동일"),
    Entry("changed.priority", en: "priority", ko: "우선순위"),
    Entry("changed.recurrence", en: "rule for coming again", ko: "반복 규칙"),
    Entry("changed.startedAt", en: "date of when it was begun", ko: "시작일"),
    Entry("changed.state", en: "column", ko: "열"),
    Entry("changed.tags", en: "list of tags", ko: "태그"),
    Entry("changed.text", en: "text", ko: "내용"),
    Entry("changed.time", en: "time", ko: "시각"),
    Entry("changed.title", en: "title", ko: "제목"),
    Entry("changed.updatedAt", en: "date of its last change", ko: "수정일"),
    Entry("changed.writtenAt", en: "date of when it was written", ko: "작성일"),
    Entry(
      "import.cycle", en: "It would wait for itself; what it waits for was left out.",
      ko: "서로를 기다리게 되어 선행 항목을 뺐습니다."),
    Entry(
      "import.cutOff", en: "The file is cut off or broken here; what could be read of it came.",
      ko: "파일이 여기서 끊겼거나 손상되어 읽을 수 있는 것만 가져왔습니다."),
    Entry("import.deleted", en: "It was deleted there.", ko: "원래 프로그램에서 삭제된 항목입니다."),
    Entry(
      "import.keptOwn", en: "What you wrote was kept; the file says otherwise.",
      ko: "직접 쓴 내용을 그대로 두었습니다. 파일의 내용은 다릅니다."),
    Entry(
      "import.leftOut", en: "There is no place here for “{name}”; it was left out (entries that have it: {count}).",
      ko: "‘{name}’은(는) 여기에 둘 곳이 없어 뺐습니다(있는 일기: {count}개)."),
    Entry("import.missingDate", en: "It does not say when it was written.", ko: "작성한 날짜가 없습니다."),
    Entry("import.notTask", en: "It is no task but an event or the like.", ko: "할 일이 아니라 일정 등입니다."),
    Entry("import.notText", en: "It is not text, or has a NUL character.", ko: "글이 아니거나 NUL 문자가 들어 있습니다."),
    Entry("import.repeated", en: "The file has it twice; the first one came.", ko: "파일에 두 번 들어 있어 첫 번째만 가져왔습니다."),
    Entry(
      "import.sameTitle",
      en: "There is an open card of the same title, which says something else; this one came beside it.",
      ko: "제목이 같고 내용이 다른 열린 카드가 이미 있어 따로 추가했습니다."),
    Entry(
      "import.secret", en: "Its URL has a user, a password or a token in it.",
      ko: "URL에 사용자 이름, 비밀번호 또는 토큰이 들어 있습니다."),
    Entry(
      "import.template", en: "It is only what recurring tasks are made of; those that there are came.",
      ko: "반복 작업의 틀이어서, 이미 만들어진 작업만 가져왔습니다."),
    Entry("import.tooLong", en: "It is longer than it may be here.", ko: "허용된 길이를 넘습니다."),
    Entry(
      "import.undecided", en: "Whether it is new only you can say; it waits in books/review for your decision.",
      ko: "새 항목인지 알 수 없어 books/review에서 결정을 기다립니다."),
    Entry("import.unreadable", en: "It cannot be read.", ko: "읽을 수 없습니다."),
  ]
}
