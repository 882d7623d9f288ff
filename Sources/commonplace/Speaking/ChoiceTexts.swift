import Display

/// What people call the choices that a field has, where `display` has no word for them.
enum ChoiceTexts {
  private typealias Entry = Catalogue.Entry

  static let entries: [Catalogue.Entry] = [
    Entry("choice.abandoned", en: "given up", ko: "중단"),
    Entry("choice.added", en: "added", ko: "추가"),
    Entry("choice.all", en: "all", ko: "전체"),
    Entry("choice.ambiguous", en: "ambiguous", ko: "여럿 중 하나"),
    Entry("choice.boards", en: "boards", ko: "게시판"),
    Entry("choice.books", en: "books", ko: "책"),
    Entry("choice.cached", en: "as kept here", ko: "받아 둔 것"),
    Entry("choice.completion", en: "the day it is done", ko: "완료한 날"),
    Entry("choice.contents", en: "contents", ko: "내용"),
    Entry("choice.current", en: "up to date", ko: "최신"),
    Entry("choice.due", en: "the deadline", ko: "마감일"),
    Entry("choice.empty", en: "empty", ko: "비어 있음"),
    Entry("choice.exact", en: "in its place", ko: "제자리"),
    Entry("choice.failed", en: "failed", ko: "실패"),
    Entry("choice.fuzzy", en: "found by its likeness", ko: "비슷한 곳"),
    Entry("choice.indexing", en: "its text is being read", ko: "본문을 읽는 중"),
    Entry("choice.library", en: "the library", ko: "서재"),
    Entry("choice.lines", en: "lines", ko: "줄"),
    Entry("choice.live", en: "as it is now", ko: "지금 받은 것"),
    Entry("choice.missing", en: "missing", ko: "없음"),
    Entry("choice.moved", en: "moved", ko: "옮김"),
    Entry("choice.new", en: "new", ko: "새것"),
    Entry("choice.off", en: "off", ko: "끔"),
    Entry("choice.on", en: "on", ko: "켬"),
    Entry("choice.orphan", en: "without a place", ko: "자리 없음"),
    Entry("choice.paused", en: "paused", ko: "멈춤"),
    Entry("choice.pile", en: "one card each", ko: "하나씩 쌓음"),
    Entry("choice.read", en: "read", ko: "읽음"),
    Entry("choice.reading", en: "being read", ko: "읽는 중"),
    Entry("choice.ready", en: "ready", ko: "준비됨"),
    Entry("choice.removed", en: "removed", ko: "삭제"),
    Entry("choice.same", en: "the same", ko: "같음"),
    Entry("choice.skip", en: "left out", ko: "건너뜀"),
    Entry("choice.taken", en: "taken already", ko: "이미 있음"),
    Entry("choice.title", en: "title", ko: "제목"),
    Entry("choice.updated", en: "changed", ko: "변경"),
    Entry("choice.want", en: "to be read", ko: "읽고 싶음"),
    Entry("choice.whole", en: "as a whole", ko: "전체"),
    Entry("choice.words", en: "words", ko: "낱말"),
    Entry("choice.writer", en: "writer", ko: "작성자"),
  ]
}
