import Display

/// The sentences of the diary, ko and en.
enum DiaryTexts {
  static let entries: [Catalogue.Entry] =
    [
      .init("diary.collection", en: "Diary", ko: "일기"),
      .init("item.diary", en: "diary entry", ko: "일기"),
      .init(
        "diary.folderStays", en: "a folder is never replaced; name one that is not there yet",
        ko: "폴더는 덮어쓰지 않습니다. 아직 없는 폴더를 지정하십시오"),
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
        "diary.noVersionYet", en: "There is no state {clock} yet; the newest of the entry {id} is {current}.",
        ko: "아직 {clock} 시점은 없습니다. 일기 {id}의 최신 시점은 {current}입니다."),
      .init(
        "diary.noVersionYet.advice", en: "changes/history lists what is kept.",
        ko: "changes/history에서 남아 있는 내용을 볼 수 있습니다."),
      .init(
        "diary.noVersion.advice", en: "changes/history lists what is kept.", ko: "changes/history에서 남아 있는 내용을 볼 수 있습니다."
      ),
    ] + transfer

  /// Imports and the mirror.
  private static let transfer: [Catalogue.Entry] = [
    .init(
      "diary.import.namesake",
      en:
        "An entry of the same moment and title says something else; nothing tells whether it is the same one, so this one came beside it.",
      ko: "시각과 제목이 같고 내용이 다른 일기가 이미 있습니다. 같은 일기인지 알 수 없어 따로 추가했습니다."),
    .init(
      "diary.import.keptDay", en: "Its day was changed here too and stays as it is here; the file says {day}.",
      ko: "여기서도 날짜를 바꾸었으므로 그대로 두었습니다. 파일의 날짜는 {day}입니다."),
    .init(
      "diary.import.sameName",
      en: "An entry before it in the file has the same id and says something else; both came.",
      ko: "파일에 id가 같고 내용이 다른 일기가 앞에 있어 둘 다 가져왔습니다."),
    .init(
      "diary.mirror.edited",
      en: "{count} {count|file says|files say} something else than the diary: {names}. diary/import takes it over.",
      ko: "파일 {count}개의 내용이 일기와 다릅니다: {names}. diary/import로 가져올 수 있습니다."),
    .init(
      "diary.mirror.setAside",
      en:
        "{count} {count|file that was edited stands|files that were edited stand} aside, as the {count|entry has|entries have} changed too: {names}. diary/import takes over what the diary has not.",
      ko: "고친 파일 {count}개는 일기도 바뀌어 따로 두었습니다: {names}. diary/import로 가져올 수 있습니다."),
    .init(
      "diary.mirror.noMarker",
      en: "{path} has no marker of this library any more: it was removed, unmounted, or belongs to another library.",
      ko: "{path}에 이 서재의 표시가 없습니다. 삭제되었거나 마운트가 해제되었거나 다른 서재의 것입니다."),
    .init(
      "diary.mirror.noMarker.advice",
      en:
        "Nothing is written there until it is back. Where nothing is there any more the same path begins anew, and any other does.",
      ko: "되돌아올 때까지 아무것도 쓰지 않습니다. 그 자리에 아무것도 없으면 같은 경로로, 아니면 다른 경로로 새로 시작할 수 있습니다."),
  ]
}
