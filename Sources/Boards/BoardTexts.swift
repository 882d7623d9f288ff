import Display

/// The sentences of the boards, ko and en.
enum BoardTexts {
  static let entries: [Catalogue.Entry] =
    [
      .init("boards.heading", en: "Boards", ko: "게시판"),
      .init("item.sources", en: "source", ko: "소스"),
      .init("item.boards", en: "board", ko: "게시판"),
      .init("item.posts", en: "post", ko: "글"),
      .init("item.postAccounts", en: "post as a source has it", ko: "소스가 전하는 글"),
      .init("item.postMarks", en: "post mark", ko: "글 표시"),
      .init("boards.latest", en: "Latest", ko: "최신 글"),
      .init("boards.noName", en: "Board without a name", ko: "이름 없는 게시판"),
      .init("boards.searchIn", en: "Search in {board}", ko: "{board}에서 검색"),
      .init(
        "boards.prompt", en: "Search for words or sentences\nin titles, contents or writers of posts.",
        ko: "게시글의 제목, 내용 또는 작성자에 포함된\n단어 또는 문장을 검색해 주세요."),
      .init("boards.empty", en: "There are no posts.", ko: "등록된 게시글이 없습니다."),
      .init("boards.noResults", en: "Nothing was found.\nTry other words.", ko: "검색 결과가 없습니다.\n다른 검색어를 입력해 보세요."),
      .init("boards.noneSaved", en: "No post was saved yet.", ko: "저장한 게시글이 없습니다."),
      .init("boards.loading", en: "The source is being asked.", ko: "불러오는 중입니다."),
      .init("boards.noBoards", en: "There is no board yet.", ko: "게시판이 아직 없습니다."),
      .init("boards.noBoards.advice", en: "boards/addSource adds a source.", ko: "boards/addSource로 출처를 추가하십시오."),
      .init(
        "boards.offline", en: "Offline: what was fetched before is here.", ko: "오프라인입니다. 전에 받아 둔 내용만 볼 수 있습니다."),
      .init(
        "boards.offline.advice", en: "`network.offline` of config.toml says so.",
        ko: "config.toml의 network.offline 설정 때문입니다."),
      .init(
        "boards.offlineNothing", en: "Offline: nothing of this board has been fetched yet.",
        ko: "오프라인입니다. 이 게시판에서 받아 둔 내용이 아직 없습니다."),
      .init(
        "boards.offlineNothing.advice", en: "`network.offline` of config.toml says so.",
        ko: "config.toml의 network.offline 설정 때문입니다."),
      .init("boards.selected", en: "Selected", ko: "선택됨"),
      .init("boards.notFetched", en: "Not opened yet", ko: "아직 열지 않음"),
      .init(
        "boards.searchEnds", en: "{service} shows no more than {count} pages of what it finds.\nUse more words.",
        ko: "{service}은(는) 검색 결과를 {count}쪽까지만 보여 줍니다.\n검색어를 더 입력해 보세요."),
      .init(
        "boards.wordTooShort",
        en: "{service} does not look for words this short.\nThese are the posts that are here.",
        ko: "{service}은(는) 이렇게 짧은 검색어를 찾지 않습니다.\n받아 둔 게시글에서 찾은 결과입니다."),
      .init("boards.collection", en: "Posts", ko: "게시글"),
      .init("boards.anonymous", en: "Anonymous", ko: "익명"),
      .init("boards.badge.new", en: "New", ko: "새 글"),
      .init("boards.badge.notice", en: "Notice", ko: "공지"),
      .init("boards.badge.pinned", en: "Pinned", ko: "고정"),
      .init("boards.badge.reply", en: "Answered", ko: "답글"),
      .init("boards.badge.attachment", en: "Attachment", ko: "첨부"),
    ] + failures

  private static let failures: [Catalogue.Entry] = [
    .init("boards.exists", en: "There is another source with the id {id}.", ko: "id가 {id}인 다른 출처가 있습니다."),
    .init(
      "boards.exists.advice", en: "Change it with boards/updateSource; the error carries it as it is now.",
      ko: "boards/updateSource로 고치십시오. 오류에 현재 내용이 들어 있습니다."),
    .init("boards.sourceThere", en: "The source {id} is at this URL already.", ko: "이 URL에는 이미 출처 {id}이(가) 있습니다."),
    .init(
      "boards.sourceThere.advice", en: "Remove one of the two; the error carries the other as it is now.",
      ko: "둘 중 하나를 삭제하십시오. 오류에 다른 출처의 현재 내용이 들어 있습니다."),
    .init(
      "boards.secretInURL", en: "{url} has a user, a password or a token in it. A URL is kept, shown and exported.",
      ko: "{url}에 사용자 이름, 비밀번호 또는 토큰이 들어 있습니다. URL은 저장되고 표시되며 내보내집니다."),
    .init(
      "boards.secretInURL.advice",
      en:
        "Define it as [credentials.NAME] in config.toml, write {place} in its place, and give the name as `credential`.",
      ko: "config.toml에 [credentials.이름]으로 정의하고, URL의 그 자리에 {place}을(를) 적은 뒤 그 이름을 credential로 지정하십시오."),
    .init(
      "boards.unconfirmed",
      en: "Nobody has confirmed the address {url} here, and it leads into a private network: it was not contacted.",
      ko: "{url}은(는) 여기에서 확인되지 않은 주소이고 사설 네트워크로 이어지므로 연결하지 않았습니다."),
    .init(
      "boards.unconfirmed.advice",
      en: "If you trust it, confirm it: give this `url` to `boards/updateSource`.",
      ko: "믿을 수 있는 주소라면 boards/updateSource에 이 url을 지정하여 확인하십시오."),
    .init(
      "boards.noKind", en: "Nothing here can read sources of the kind {kind}.", ko: "{kind} 종류의 출처를 읽을 수 없습니다."),
    .init(
      "boards.feedCut", en: "The feed has more in it than can be read: {count} of its posts are here.",
      ko: "피드에 읽을 수 있는 것보다 많은 내용이 있어 게시글 {count}개만 가져왔습니다."),
    .init(
      "boards.answerTooLarge", en: "The answer has more in it than can be read.", ko: "응답에 읽을 수 있는 것보다 많은 내용이 들어 있습니다."),
    .init(
      "boards.sourceMoved", en: "The source was changed while it was asked; the answer belongs to the old one.",
      ko: "묻는 동안 출처가 바뀌었습니다. 받은 내용은 이전 출처의 것입니다."),
    .init("boards.askedAgain", en: "The daemon asks again by itself: {time}.", ko: "데몬이 알아서 다시 요청합니다: {time}."),
    .init(
      "boards.askedNowOrLater", en: "It may be asked again now; the daemon asks by itself: {time}.",
      ko: "이제 다시 요청할 수 있으며, 데몬이 알아서 요청하는 시각은 {time}입니다."),
    .init(
      "boards.askedNoMore", en: "The daemon does not ask by itself any more; boards/refresh asks.",
      ko: "데몬이 알아서 요청하지 않습니다. boards/refresh로 요청할 수 있습니다."),
    .init(
      "boards.feedEndsEarly", en: "The feed ends in the middle: {count} of its posts could be read.",
      ko: "피드가 도중에 끊겨 게시글 {count}개만 읽었습니다."),
    .init(
      "boards.guessedScheme",
      en:
        "{sentence.failure} The URL was given without https:// or http://, so https was asked; write http:// in front of it where that is what it speaks.",
      ko: "{sentence.failure} URL에 https://나 http://가 없어 https로 요청했습니다. http만 쓰는 곳이면 앞에 http://를 붙이십시오."),
    .init("boards.sourceMoved.advice", en: "Ask again.", ko: "다시 시도하십시오."),
  ]
}
