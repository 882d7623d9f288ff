import Display

/// The sentences of searching, ko and en.
enum SearchTexts {
  static let entries: [Catalogue.Entry] = [
    .init("search.target.all", en: "All", ko: "전체"),
    .init("search.target.title", en: "Title", ko: "제목"),
    .init("search.target.contents", en: "Contents", ko: "내용"),
    .init("search.target.writer", en: "Writer", ko: "작성자"),
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
    .init("search.found", en: "{count} found", ko: "{count}건"),
  ]
}
