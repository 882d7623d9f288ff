import Display

/// What people call fields that few replies have.
enum RareFieldTexts {
  private typealias Entry = Catalogue.Entry

  static let entries: [Catalogue.Entry] = [
    Entry("field.acts", en: "each of them", ko: "하나하나"),
    Entry("field.choice", en: "choice", ko: "선택"),
    Entry("field.consumed", en: "selection used", ko: "선택 사용됨"),
    Entry("field.dayStartsAt", en: "day starts at", ko: "하루가 시작하는 시각"),
    Entry("field.differing", en: "differing", ko: "다른 것"),
    Entry("field.editable", en: "open for writing", ko: "쓰는 중"),
    Entry("field.edited", en: "edited files", ko: "고친 파일"),
    Entry("field.embedded", en: "embedded", ko: "포함됨"),
    Entry("field.item", en: "item", ko: "항목"),
    Entry("field.left", en: "left", ko: "남은 것"),
    Entry("field.locale", en: "locale", ko: "언어와 지역"),
    Entry("field.match", en: "found", ko: "찾은 곳"),
    Entry("field.of", en: "part of", ko: "속한 것"),
    Entry("field.ok", en: "sound", ko: "이상 없음"),
    Entry("field.outcome", en: "what became of it", ko: "결과"),
    Entry("field.pageLabel", en: "page of all", ko: "전체 가운데"),
    Entry("field.parts", en: "parts", ko: "부분"),
    Entry("field.pdfLabel", en: "page in the file", ko: "파일의 쪽 번호"),
    Entry("field.placed", en: "placed", ko: "제자리"),
    Entry("field.present", en: "there", ko: "있는 것"),
    Entry("field.removedFiles", en: "removed files", ko: "지운 파일"),
    Entry("field.truncated", en: "cut off", ko: "잘림"),
    Entry("field.unplaced", en: "without a place", ko: "자리를 못 찾은 것"),
    Entry("field.uri", en: "address", ko: "주소"),
    Entry("field.written", en: "written as", ko: "적힌 모양"),
  ]
}
