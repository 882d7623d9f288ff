import Display
import SearchEngine

/// The sentences of searching, ko and en.
enum SearchTexts {
  static let entries = searches + states + QueryTexts.entries

  private static let searches: [Catalogue.Entry] = [
    .init("search.target.all", en: "All", ko: "전체"),
    .init("search.target.title", en: "Title", ko: "제목"),
    .init("search.target.contents", en: "Contents", ko: "내용"),
    .init("search.target.writer", en: "Writer", ko: "작성자"),
    .init("item.searches", en: "search", ko: "검색"),
    .init("item.savedSearches", en: "saved search", ko: "저장한 검색"),
    .init(
      "search.prompt.boards", en: "Search for a word or sentence\nin the title, the contents or the writer of a post.",
      ko: "게시글의 제목, 내용 또는 작성자에 포함된\n단어 또는 문장을 검색해 주세요."),
    .init(
      "search.prompt.books", en: "Search for a title, an author or an ISBN.", ko: "책의 제목, 저자 또는 ISBN을 검색해 주세요."),
    .init(
      "search.prompt.library", en: "Search for a word or sentence in the whole library.",
      ko: "서재 전체에서 단어 또는 문장을 검색해 주세요."),
    .init(
      "search.allWantsTrue", en: "“{field}” must be true: it lets go of every search.",
      ko: "‘{field}’은(는) true여야 합니다. 모든 검색 기록을 지웁니다."),
    .init("search.titleForm", en: "“{field}” must be one line.", ko: "‘{field}’은(는) 한 줄이어야 합니다."),
    .init("search.beforeDay", en: "before {day}, without it", ko: "{day} 전(제외)"),
    .init("search.sinceDay", en: "from {day} on", ko: "{day}부터(포함)"),
    .init("search.dueDay", en: "due {day}", ko: "{day} 마감"),
    .init("search.dueDays", en: "due from {first} to {last}", ko: "{first}부터 {last}까지 마감"),
    .init("search.found", en: "{count} found", ko: "{count}건"),
    .init("search.foundAbout", en: "about {count} found", ko: "약 {count}건"),
    .init(
      "search.noResults", en: "Nothing was found.\nTry other words.", ko: "검색 결과가 없습니다.\n다른 검색어를 입력해 보십시오."),
    .init(
      "search.misspelledField",
      en: "There is no “{written}:”; it was looked for as text. Did you mean “{nearest}:”?",
      ko: "‘{written}:’ 조건은 없어 글자 그대로 찾았습니다. ‘{nearest}:’ 조건을 쓰려던 것입니까?"),
    .init(
      "search.onlyBest", en: "Only the best {count} are shown; ask more closely for the others.",
      ko: "가장 알맞은 {count}건만 표시합니다. 나머지는 조건을 더 붙여 찾으십시오."),
    .init(
      "search.onlySome", en: "Only {count} are shown; ask more closely for the others.",
      ko: "{count}건만 표시합니다. 나머지는 조건을 더 붙여 찾으십시오."),
    .init("search.page", en: "p. {page}", ko: "{page}쪽"),
  ]

  /// What may stand behind `is:`, for people; it may be written so, too, with and without its blank.
  private static let states: [Catalogue.Entry] = [
    .init("search.state.abandoned", en: "given up", ko: "중단"),
    .init("search.state.attachment", en: "attachment", ko: "첨부"),
    .init("search.state.blocked", en: "blocked", ko: "막힘"),
    .init("search.state.closed", en: "closed", ko: "닫힘"),
    .init("search.state.doing", en: "doing", ko: "진행 중"),
    .init("search.state.done", en: "done", ko: "완료"),
    .init("search.state.highlight", en: "highlight", ko: "하이라이트"),
    .init("search.state.memo", en: "memo", ko: "메모"),
    .init("search.state.notice", en: "notice", ko: "공지"),
    .init("search.state.open", en: "open", ko: "열림"),
    .init("search.state.orphan", en: "orphan", ko: "자리 없음"),
    .init("search.state.overdue", en: "overdue", ko: "기한 지남"),
    .init("search.state.read", en: "read", ko: "읽음"),
    .init("search.state.reading", en: "reading", ko: "읽는 중"),
    .init("search.state.saved", en: "saved", ko: "저장"),
    .init("search.state.todo", en: "todo", ko: "할 일"),
    .init("search.state.unread", en: "unread", ko: "안 읽음"),
    .init("search.state.want", en: "want", ko: "읽고 싶음"),
  ]
}
