import Display

/// The sentences of links between items, ko and en.
enum LinkSentences {
  static let entries: [Catalogue.Entry] = [
    .init(
      "links.gone", en: "There is nothing with this id; it may have been removed.",
      ko: "이 id의 항목이 없습니다. 삭제되었을 수 있습니다."),
    .init("links.unknown", en: "Nothing has this title.", ko: "이 제목을 가진 항목이 없습니다."),
    .init(
      "links.ambiguous", en: "Several items have this title; the one that came first is meant.",
      ko: "이 제목을 가진 항목이 여럿입니다. 먼저 들어온 항목으로 연결됩니다."),
    .init(
      "links.nothing", en: "There is nothing with the id {id} in the library.", ko: "서재에 id가 {id}인 항목이 없습니다."),
    .init(
      "links.nothing.advice", en: "It may have been removed; `links/broken` lists the links to what is gone.",
      ko: "삭제되었을 수 있습니다. 없는 항목을 가리키는 링크는 `links/broken`에서 볼 수 있습니다."),
    .init("links.leadsNowhere", en: "Nothing in the library is meant by {link}.", ko: "{link}에 해당하는 항목이 없습니다."),
    .init(
      "links.leadsNowhere.advice",
      en: "Titles of documents, books, projects and diary entries can be named, and former ones that links had.",
      ko: "문서, 책, 프로젝트, 일기의 제목과 링크에 쓰였던 예전 제목을 쓸 수 있습니다."),
    .init(
      "links.noLink", en: "“{field}” is no link: {link}.", ko: "“{field}”은(는) 링크가 아닙니다: {link}."),
    .init(
      "links.noLink.advice", en: "A link is [[a title]] or commonplace:/<collection>/<id>.",
      ko: "링크는 [[제목]] 또는 commonplace:/<컬렉션>/<id> 형식입니다."),
  ]
}
