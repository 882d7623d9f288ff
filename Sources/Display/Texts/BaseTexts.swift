extension Catalogue {
  /// The texts that belong to no feature.
  package static let base: [Entry] =
    messageTexts + errorTexts + libraryTexts + checkTexts + parameterTexts + formTexts + typeTexts + dayTexts

  /// Days, amounts, files, and the question before something is destroyed.
  static let dayTexts: [Entry] = [
    Entry("day.today", en: "today", ko: "오늘"),
    Entry("day.yesterday", en: "yesterday", ko: "어제"),
    Entry("day.tomorrow", en: "tomorrow", ko: "내일"),
    Entry("day.noTitle", en: "No title", ko: "제목 없음"),
    Entry("day.kind.added", en: "added", ko: "추가"),
    Entry("day.kind.due", en: "due", ko: "마감"),
    Entry("day.kind.finished", en: "finished", ko: "완료"),
    Entry("day.kind.marked", en: "marked", ko: "표시"),
    Entry("day.kind.moved", en: "moved", ko: "이동"),
    Entry("day.kind.read", en: "read", ko: "읽음"),
    Entry("day.kind.written", en: "written", ko: "작성"),
    Entry("confirm.title", en: "Really?", ko: "진짜요?"),
    Entry("confirm.delete", en: "Delete", ko: "삭제"),
    Entry("confirm.cancel", en: "Cancel", ko: "취소"),
    Entry("file.unreadable", en: "{path} cannot be read: {reason}.", ko: "{path}을(를) 읽을 수 없습니다: {reason}."),
    Entry("file.notRegular", en: "{path} is not a regular file.", ko: "{path}은(는) 일반 파일이 아닙니다."),
    Entry("file.tooLarge", en: "The file is larger than {limit} MiB.", ko: "파일이 {limit} MiB보다 큽니다."),
    Entry("file.exists", en: "There is something at {path} already.", ko: "{path}에 이미 무언가 있습니다."),
    Entry("file.exists.advice", en: "Name a path at which there is nothing yet.", ko: "아직 아무것도 없는 경로를 지정하십시오."),
    Entry("size.bytes", en: "{count} {count|byte|bytes}", ko: "{count}바이트"),
  ]
}
