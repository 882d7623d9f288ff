import Display

/// What people call the choices that a field has, where `display` has no word for them.
enum ChoiceTexts {
  private typealias Entry = Catalogue.Entry

  static let entries: [Catalogue.Entry] = [
    Entry("choice.added", en: "added", ko: "추가"),
    Entry("choice.all", en: "all", ko: "전체"),
    Entry("choice.boards", en: "boards", ko: "게시판"),
    Entry("choice.books", en: "books", ko: "책"),
    Entry("choice.cached", en: "as kept here", ko: "받아 둔 것"),
    Entry("choice.contents", en: "contents", ko: "내용"),
    Entry("choice.library", en: "the library", ko: "서재"),
    Entry("choice.current", en: "up to date", ko: "최신"),
    Entry("choice.empty", en: "empty", ko: "내용 없음"),
    Entry("choice.live", en: "as it is now", ko: "지금 받은 것"),
    Entry("choice.off", en: "off", ko: "꺼짐"),
    Entry("choice.on", en: "on", ko: "켜짐"),
    Entry("choice.paused", en: "paused", ko: "멈춤"),
    Entry("choice.removed", en: "removed", ko: "삭제"),
    Entry("choice.title", en: "title", ko: "제목"),
    Entry("choice.updated", en: "changed", ko: "변경"),
    Entry("choice.writer", en: "writer", ko: "작성자"),
  ]
}
