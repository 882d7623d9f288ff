import Display

/// The sentences about what lies in a file, and about marks that come out of it and go into copies of it.
enum ContentTexts {
  static let entries: [Catalogue.Entry] = [
    .init(
      "documents.noAttachment", en: "{field}: the document carries {count} files, counted from 0.",
      ko: "{field}: 이 문서에 들어 있는 파일은 {count}개이며 0부터 셉니다."),
    .init(
      "documents.importProtected",
      en: "{source} is protected: what others wrote into it may not lie on the disk in the clear.",
      ko: "{source}은(는) 보호된 문서입니다. 그 안에 적힌 글을 암호화하지 않고 디스크에 둘 수 없습니다."),
    .init(
      "documents.importProtected.advice", en: "Add the file again with `index: true` to allow it.",
      ko: "허용하려면 `index: true`를 넣어 파일을 다시 추가하십시오."),
    .init(
      "documents.tooManyMarks", en: "There are more than {limit} marks in it.", ko: "표시가 {limit}개를 넘습니다."),
    .init(
      "documents.noAnnotations", en: "The author of {source} does not allow annotations in it.",
      ko: "{source}의 작성자가 주석을 허용하지 않았습니다."),
    .init(
      "documents.noAnnotations.advice",
      en: "Export as `markdown` or `w3c`, or open the file with the password of its owner.",
      ko: "`markdown`이나 `w3c`로 내보내거나 소유자 비밀번호로 여십시오."),
    .init(
      "documents.signedCopy",
      en: "{source} is signed. Readers will say of the copy that it was changed after it was signed.",
      ko: "{source}은(는) 서명된 문서입니다. 사본은 서명 뒤에 바뀐 것으로 표시됩니다."),
    .init(
      "documents.signedCopy.advice", en: "Ask again with the `confirm` of this error's data.",
      ko: "이 오류의 data에 있는 `confirm`을 넣어 다시 요청하십시오."),
    .init(
      "documents.repairedCopy",
      en: "{source} is damaged and was repaired for reading; what is written behind it would not be found.",
      ko: "{source}은(는) 손상되어 고쳐 읽은 문서라 뒤에 덧붙인 내용을 찾을 수 없게 됩니다."),
    .init(
      "documents.repairedCopy.advice", en: "Save it anew in another program first, or export as `markdown` or `w3c`.",
      ko: "먼저 다른 프로그램에서 새로 저장하거나 `markdown`이나 `w3c`로 내보내십시오."),
    .init(
      "documents.copyUnproven",
      en: "The copy of {source} was not what it should be, and was thrown away: {reason.reason}.",
      ko: "{source}의 사본이 올바르지 않아 버렸습니다: {reason.reason}."),
    .init(
      "documents.copyUnproven.advice", en: "The document is as it was. Export as `markdown` or `w3c` instead.",
      ko: "문서는 그대로입니다. 대신 `markdown`이나 `w3c`로 내보내십시오."),
    .init("reason.copyOtherBytes", en: "it does not begin with the document", ko: "문서의 내용으로 시작하지 않습니다"),
    .init("reason.copyOtherPages", en: "it has another number of pages", ko: "쪽수가 다릅니다"),
    .init("reason.copyMarkMissing", en: "a mark is not at its place", ko: "표시가 제자리에 없습니다"),
  ]
}
