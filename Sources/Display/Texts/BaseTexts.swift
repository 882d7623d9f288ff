extension Catalogue {
  /// The texts that belong to no feature.
  package static let base: [Entry] =
    messageTexts + errorTexts + libraryTexts + checkTexts + parameterTexts + formTexts + typeTexts + dayTexts
    + importTexts + networkTexts + reasonTexts + doingTexts + fieldTexts

  /// Days, amounts, yes and no, files, and the question before something is destroyed.
  static let dayTexts: [Entry] = [
    Entry("day.today", en: "today", ko: "오늘"),
    Entry("day.yesterday", en: "yesterday", ko: "어제"),
    Entry("day.tomorrow", en: "tomorrow", ko: "내일"),
    Entry("day.noTitle", en: "No title", ko: "제목 없음"),
    Entry("day.dueThen", en: "due, done since", ko: "마감(나중에 완료)"),
    Entry("day.kind.added", en: "added", ko: "추가"),
    Entry("day.kind.due", en: "due", ko: "마감"),
    Entry("day.kind.finished", en: "finished", ko: "완료"),
    Entry("day.kind.marked", en: "marked", ko: "표시"),
    Entry("day.kind.moved", en: "moved", ko: "이동"),
    Entry("day.kind.read", en: "read", ko: "읽음"),
    Entry("day.kind.started", en: "started", ko: "시작"),
    Entry("day.kind.written", en: "written", ko: "작성"),
    Entry("day.many.projects", en: "{count} cards", ko: "카드 {count}장"),
    Entry("day.many.books", en: "{count} books", ko: "책 {count}권"),
    Entry("day.times", en: "{kind} ×{count}", ko: "{kind} {count}회"),
    Entry("value.yes", en: "yes", ko: "예"),
    Entry("value.no", en: "no", ko: "아니요"),
    Entry("confirm.title", en: "Really?", ko: "진짜요?"),
    Entry("confirm.delete", en: "Delete", ko: "삭제"),
    Entry("confirm.cancel", en: "Cancel", ko: "취소"),
    Entry(
      "file.unreadable", en: "{path} cannot be read: {reason.reason}.", ko: "{path}을(를) 읽을 수 없습니다: {reason.reason}."),
    Entry("file.notRegular", en: "{path} is not a regular file.", ko: "{path}은(는) 일반 파일이 아닙니다."),
    Entry("file.tooLarge", en: "The file is larger than {limit} MiB.", ko: "파일이 {limit} MiB보다 큽니다."),
    Entry("file.replaceable", en: "There is a file at {path} already.", ko: "{path}에 이미 파일이 있습니다."),
    Entry(
      "file.replaceable.advice", en: "Name another path, or replace it with `overwrite` (overwrite=true).",
      ko: "다른 경로를 지정하거나 `overwrite`(overwrite=true)로 그 파일을 바꾸십시오."),
    Entry("file.exists", en: "There is something at {path} already.", ko: "{path}에 이미 무언가 있습니다."),
    Entry("file.exists.advice", en: "Name a path at which there is nothing yet.", ko: "아직 아무것도 없는 경로를 지정하십시오."),
    Entry("file.noFolder", en: "There is no folder {path}.", ko: "{path} 폴더가 없습니다."),
    Entry(
      "file.noFolder.advice", en: "Make it first, or name a path in a folder that is there. Nothing was written.",
      ko: "먼저 폴더를 만들거나 있는 폴더의 경로를 지정하십시오. 쓴 것은 없습니다."),
    Entry(
      "file.unwritten", en: "The work failed: {path}: {reason.reason}.", ko: "작업에 실패했습니다. {path}: {reason.reason}."),
    Entry("file.unwritten.advice", en: "Nothing is left of it.", ko: "남은 것은 없습니다."),
    Entry(
      "zip.damaged", en: "The zip cannot be read: {reason.reason}.", ko: "zip 파일을 읽을 수 없습니다: {reason.reason}."),
    Entry(
      "zip.damaged.advice", en: "It is damaged or was cut off; fetch or export it again. Nothing was taken over.",
      ko: "손상되었거나 중간에서 끊긴 파일입니다. 다시 받거나 내보내십시오. 가져온 것은 없습니다."),
    Entry(
      "zip.encrypted", en: "“{entry}” in the zip is encrypted.", ko: "zip 파일의 “{entry}”이(가) 암호화되어 있습니다."),
    Entry(
      "zip.encrypted.advice", en: "Make a zip without a password.", ko: "암호 없는 zip 파일을 만드십시오."),
    Entry(
      "zip.unsafeName", en: "“{entry}” in the zip names a place outside of it.",
      ko: "zip 파일의 “{entry}”은(는) 바깥 위치를 가리킵니다."),
    Entry(
      "zip.unsafeName.advice", en: "No program that means well makes such a zip. Nothing was taken over.",
      ko: "정상적인 프로그램은 이런 zip 파일을 만들지 않습니다. 가져온 것은 없습니다."),
    Entry(
      "zip.noFile", en: "“{entry}” in the zip is a link or a device, not a file.",
      ko: "zip 파일의 “{entry}”은(는) 파일이 아니라 링크나 장치입니다."),
    Entry("zip.noFile.advice", en: "Make a zip of files alone.", ko: "파일만으로 zip 파일을 만드십시오."),
    Entry(
      "zip.tooManyEntries", en: "The zip has more than {limit} entries.", ko: "zip 파일의 항목이 {limit}개를 넘습니다."),
    Entry(
      "zip.tooManyBytes", en: "More than {limit} MiB would come out of the zip.", ko: "zip 파일을 풀면 {limit} MiB를 넘습니다."),
    Entry(
      "zip.tooDense", en: "More than {limit} times its size would come out of the zip.",
      ko: "zip 파일을 풀면 원래 크기의 {limit}배를 넘습니다."),
    Entry(
      "zip.tooDense.advice", en: "Export less at a time, or give the files unpacked.",
      ko: "조금씩 나누어 내보내거나 압축을 푼 파일을 지정하십시오."),
    Entry(
      "zip.unavailable", en: "Zips cannot be read here: {reason.reason}.",
      ko: "여기서는 zip 파일을 읽을 수 없습니다: {reason.reason}."),
    Entry(
      "zip.unavailable.advice", en: "Install libarchive, or give the files unpacked.",
      ko: "libarchive를 설치하거나 압축을 푼 파일을 지정하십시오."),
    Entry("size.bytes", en: "{count} {count|byte|bytes}", ko: "{count}바이트"),
  ]
}
