import Display

/// The sentences of the diary, ko and en.
enum DiaryTexts {
  static let entries: [Catalogue.Entry] =
    [
      .init("diary.noTitle", en: "No title", ko: "제목 없음"),
      .init("diary.share", en: "Share", ko: "공유"),
      .init("diary.confirmRemove", en: "Do you really want to delete it?", ko: "정말로 삭제하시겠어요?"),
      .init(
        "diary.confirmRemoveAll", en: "Do you really want to delete {count} {count|entry|entries}?",
        ko: "일기 {count}개를 정말로 모두 삭제하시겠어요?"),
      .init(
        "diary.exists", en: "There is another entry with the id {id}.", ko: "id가 {id}인 다른 일기가 있습니다."),
      .init(
        "diary.exists.advice", en: "Change it with diary/update; the error carries it as it is now.",
        ko: "diary/update로 고치십시오. 오류에 현재 내용이 들어 있습니다."),
      .init(
        "diary.noVersion", en: "The text that the entry {id} had after {clock} is not kept.",
        ko: "일기 {id}의 {clock} 시점 내용은 남아 있지 않습니다."),
      .init(
        "diary.noVersion.advice", en: "changes/history lists what is kept.", ko: "changes/history에서 남아 있는 내용을 볼 수 있습니다."
      ),
    ] + transfer

  /// Import, export, mirror.
  private static let transfer: [Catalogue.Entry] = [
    .init(
      "diary.loadFailed", en: "The data could not be loaded: {source} is not what {format} means ({reason}).",
      ko: "데이터 로드에 실패했습니다. {source}은(는) {format} 형식이 아닙니다({reason})."),
    .init(
      "diary.loadFailed.advice", en: "Name the format of the program that wrote the file. Nothing was taken over.",
      ko: "파일을 만든 프로그램의 형식을 지정하십시오. 가져온 것은 없습니다."),
    .init("diary.workFailed", en: "The work failed: {path}: {reason}.", ko: "작업에 실패했습니다. {path}: {reason}."),
    .init("diary.workFailed.advice", en: "Nothing is left of it.", ko: "남은 것은 없습니다."),
    .init(
      "diary.import.attachments", en: "Its pictures and other media were left out.", ko: "사진 등 첨부 파일은 가져오지 않았습니다."),
    .init("diary.import.badDate", en: "Its date does not exist or cannot be read.", ko: "날짜가 없는 날이거나 읽을 수 없습니다."),
    .init(
      "diary.import.badZone", en: "Its time zone does not exist; yours was taken.", ko: "없는 시간대여서 사용자의 시간대로 가져왔습니다."),
    .init("diary.import.blank", en: "It has no text.", ko: "내용이 없습니다."),
    .init(
      "diary.import.conflict", en: "The entry was changed since the file was written; both are kept.",
      ko: "파일이 만들어진 뒤 일기가 바뀌어 둘 다 남겼습니다."),
    .init("diary.import.missingDate", en: "It does not say when it was written.", ko: "작성한 날짜가 없습니다."),
    .init("diary.import.notText", en: "It is not text, or has a NUL character.", ko: "글이 아니거나 NUL 문자가 들어 있습니다."),
    .init("diary.import.tooLong", en: "It has more than a million characters.", ko: "백만 자를 넘습니다."),
    .init("diary.import.unreadable", en: "It cannot be read.", ko: "읽을 수 없습니다."),
    .init(
      "diary.mirror.noMarker",
      en: "{path} has no marker of this library any more: it was removed, unmounted, or belongs to another library.",
      ko: "{path}에 이 서재의 표시가 없습니다. 삭제되었거나 마운트가 해제되었거나 다른 서재의 것입니다."),
    .init(
      "diary.mirror.noMarker.advice",
      en: "Nothing is written there until it is back; another path begins a new mirror.",
      ko: "되돌아올 때까지 아무것도 쓰지 않습니다. 다른 경로로 새로 시작할 수 있습니다."),
  ]
}
