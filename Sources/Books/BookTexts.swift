import Display

/// The sentences of the books, ko and en.
enum BookTexts {
  static let entries = searching + showing + keeping + kept + reviewing + reasons

  private static let searching: [Catalogue.Entry] = [
    .init("books.hint", en: "Title or author", ko: "책 제목, 저자 검색"),
    .init("item.books", en: "book", ko: "책"),
    .init("item.bookReviews", en: "imported book to be decided on", ko: "결정할 책"),
    .init(
      "books.prompt", en: "Type a title, an author or an ISBN.", ko: "제목, 저자 또는 ISBN을 입력하십시오."),
    .init("books.results", en: "Results ({count})", ko: "검색 결과 ({count})"),
    .init("books.noResults", en: "Nothing was found.", ko: "검색 결과가 없습니다."),
    .init(
      "books.keyNeeded", en: "Google Books answers only with a key.", ko: "Google Books는 키가 있어야 응답합니다."),
    .init(
      "books.keyNeeded.advice",
      en:
        "Make an API key at https://console.cloud.google.com/apis/credentials, define it in config.toml as [credentials.google] with origin = \"{origin}\" and env, file or command, and name it under [books.google] as credential = \"google\".",
      ko:
        "https://console.cloud.google.com/apis/credentials 에서 API 키를 만들어 config.toml의 [credentials.google]에 origin = \"{origin}\"과 env, file, command 가운데 하나로 정의하고, [books.google]에 credential = \"google\"이라고 적으십시오."
    ),
    .init(
      "books.keyQuota", en: "Google Books has no answers left for this key: its quota of the day is used up, or zero.",
      ko: "이 키의 Google Books 하루 할당량을 모두 썼거나 할당량이 0입니다."),
    .init(
      "books.keyQuota.advice",
      en: "It is asked again when quotas begin anew, at midnight in California, or with refresh=true at once.",
      ko: "할당량이 새로 시작되는 캘리포니아 자정이 지나면 다시 요청합니다. refresh=true를 지정하면 바로 요청합니다."),
    .init(
      "books.refused", en: "{catalogue} refuses to answer: {reason.reason}.",
      ko: "{catalogue}이(가) 응답을 거부합니다: {reason.reason}."),
    .init(
      "books.refused.advice", en: "Look at the credential under [books.google] in config.toml.",
      ko: "config.toml의 [books.google]에 적은 인증 정보를 확인하십시오."),
    .init(
      "books.closed", en: "{catalogue} does not answer for now: {reason.reason}.",
      ko: "{catalogue}이(가) 당분간 응답하지 않습니다: {reason.reason}."),
    .init(
      "books.misprint", en: "The check digit of this ISBN does not fit; it was looked for as it is.",
      ko: "이 ISBN은 검사 숫자가 맞지 않습니다. 적힌 그대로 찾았습니다."),
    .init(
      "books.offsetFar", en: "“{field}” is far behind what is known of the list, {count} books: go on page by page.",
      ko: "‘{field}’이(가) 지금까지 알려진 {count}권보다 훨씬 뒤입니다. 차례로 불러오십시오."),
    .init(
      "books.badISBN", en: "“{field}”: {isbn} is no ISBN; its check digit or its length does not fit.",
      ko: "‘{field}’: {isbn}은(는) ISBN이 아닙니다. 검사 숫자나 길이가 맞지 않습니다."),
    .init(
      "books.unknownNumber", en: "Nobody who was asked has a book with the ISBN {isbn}: {catalogues}.",
      ko: "ISBN이 {isbn}인 책을 찾지 못했습니다. 물어본 곳: {catalogues}."),
    .init(
      "books.unknownNumber.advice",
      en: "Compare the number with the one on the book, or describe the book with `byHand` of books/addToShelf.",
      ko: "책에 적힌 번호와 맞는지 확인하거나 books/addToShelf의 `byHand`로 책을 직접 적으십시오."),
    .init("books.unknownID", en: "{catalogue} has no book {id}.", ko: "{catalogue}에 {id} 책이 없습니다."),
    .init(
      "books.unknownID.advice", en: "It may have been removed there; books/search finds what there is now.",
      ko: "그곳에서 삭제되었을 수 있습니다. books/search로 다시 찾으십시오."),
    .init(
      "books.stoodIn", en: "These are books of {catalogue}. {sentence.failure}",
      ko: "{catalogue}에서 찾은 결과입니다. {sentence.failure}"),
    .init("books.failures", en: "{sentence.first} {sentence.others}", ko: "{sentence.first} {sentence.others}"),
    .init("books.failures.others", en: "{sentence.failure}", ko: "{sentence.failure}"),
    .init(
      "books.badID", en: "“{field}”: {catalogue} has no ids such as {id}.",
      ko: "‘{field}’: {catalogue}에는 {id} 같은 id가 없습니다."),
    .init("books.noCover", en: "No cover", ko: "표지 없음"),
  ]

  private static let showing: [Catalogue.Entry] = [
    .init("books.noID", en: "No id", ko: "id 정보 없음"),
    .init("books.collection", en: "Books", ko: "책"),
    .init("books.noTitle", en: "No title", ko: "제목 없음"),
    .init("books.noSubtitle", en: "No subtitle", ko: "부제 없음"),
    .init("books.noAuthors", en: "Author unknown", ko: "저자 정보 없음"),
    .init("books.noPublisher", en: "Publisher unknown", ko: "출판사 정보 없음"),
    .init("books.noDate", en: "Date unknown", ko: "출간일 정보 없음"),
    .init("books.noDescription", en: "No description", ko: "상세설명 정보 없음"),
    .init("books.authorAndOthers", en: "{author} and {count} {count|other|others}", ko: "{author} 외 {count}인"),
    .init("books.ratingCount", en: "({count})", ko: "({count}건)"),
    .init("books.readersRating", en: "readers {average}", ko: "독자 평점 {average}"),
    .init("books.points", en: "{number} points", ko: "{number}점"),
    .init("books.detail.subtitle", en: "Subtitle: {text}", ko: "부제 : {text}"),
    .init("books.detail.authors", en: "Authors: {text}", ko: "저자 : {text}"),
    .init("books.detail.publisher", en: "Publisher: {text}", ko: "출판사 : {text}"),
    .init("books.detail.published", en: "Published: {text}", ko: "출판일자 : {text}"),
    .init("books.status.want", en: "to read", ko: "읽고 싶은 책"),
    .init("books.status.reading", en: "reading", ko: "읽는 중"),
    .init("books.status.read", en: "read", ko: "읽음"),
    .init("books.status.abandoned", en: "given up", ko: "중단"),
    .init("books.page", en: "page {page}", ko: "{page}쪽"),
    .init("books.percent", en: "{percent} %", ko: "{percent}%"),
    .init("books.pageAndPercent", en: "page {page}, {percent} %", ko: "{page}쪽, {percent}%"),
  ]

  private static let keeping: [Catalogue.Entry] = [
    .init("books.exists", en: "There is another book with the id {id}.", ko: "id가 {id}인 다른 책이 있습니다."),
    .init(
      "books.exists.advice", en: "Change it with books/updateOnShelf; the error carries it as it is now.",
      ko: "books/updateOnShelf로 고치십시오. 오류에 현재 내용이 들어 있습니다."),
    .init("books.notOnShelf", en: "The book {id} is not on the shelf.", ko: "{id} 책은 서가에 없습니다."),
    .init(
      "books.notOnShelf.advice", en: "Put it there with books/addToShelf; then it has a key of its own.",
      ko: "books/addToShelf로 서가에 놓으면 인용 키가 생깁니다."),
    .init("books.halves", en: "“{field}” goes by halves: 3.5, 4, 4.5.", ko: "‘{field}’은(는) 3.5, 4, 4.5처럼 0.5 단위입니다."),
    .init(
      "books.finishedBeforeStarted", en: "“{field}” lies before the day on which reading began.",
      ko: "‘{field}’이(가) 읽기 시작한 날보다 앞섭니다."),
    .init(
      "books.dayToCome", en: "“{field}” is a day that is still to come: {day}.",
      ko: "‘{field}’은(는) 아직 오지 않은 날입니다: {day}."),
    .init(
      "books.quotesLeftOut",
      en: "The list leaves out {count} {count|quotation|quotations} of the book that nobody said to remove.",
      ko: "목록에 이 책의 인용 {count}개가 빠져 있습니다."),
    .init(
      "books.quotesLeftOut.advice",
      en: "Add with addQuotes and take away with removeQuotes, or give ifRevision with a whole list.",
      ko: "addQuotes로 더하고 removeQuotes로 빼거나, 목록 전체를 ifRevision과 함께 지정하십시오."),
    .init(
      "books.tooManyQuotes", en: "“{field}”: a book has at most {maximum} quotations.",
      ko: "‘{field}’: 책 한 권의 인용은 {maximum}개까지입니다."),
    .init(
      "books.pageBehindEnd", en: "“{field}” lies behind the last of {count} pages.",
      ko: "‘{field}’이(가) 마지막 쪽({count}쪽)을 넘습니다."),
    .init(
      "books.badKey", en: "“{field}” has a space or a character that means something to BibTeX.",
      ko: "‘{field}’에 빈칸이나 BibTeX에서 뜻이 있는 문자가 들어 있습니다."),
    .init(
      "books.keyTaken", en: "“{field}”: the book {id} has the key {key} already.",
      ko: "‘{field}’: {key} 키는 이미 {id} 책의 것입니다."),
  ]

  /// What an import left as the reader had it.
  private static let kept: [Catalogue.Entry] = [
    .init(
      "books.kept.status", en: "Your status “{sentence.own}” was kept; the file says “{sentence.file}”.",
      ko: "상태 ‘{sentence.own}’을(를) 그대로 두었습니다. 파일에는 ‘{sentence.file}’(으)로 되어 있습니다."),
    .init(
      "books.kept.started", en: "Your first day {own} was kept; the file says {file}.",
      ko: "읽기 시작한 날 {own}을(를) 그대로 두었습니다. 파일에는 {file}(으)로 되어 있습니다."),
    .init(
      "books.kept.finished", en: "Your last day {own} was kept; the file says {file}.",
      ko: "다 읽은 날 {own}을(를) 그대로 두었습니다. 파일에는 {file}(으)로 되어 있습니다."),
    .init(
      "books.kept.rating", en: "Your rating {own} was kept; the file says {file}.",
      ko: "평점 {own}을(를) 그대로 두었습니다. 파일에는 {file}(으)로 되어 있습니다."),
    .init(
      "books.kept.note", en: "Your note was kept; the file has another: {file}",
      ko: "메모를 그대로 두었습니다. 파일에는 다른 메모가 있습니다: {file}"),
    .init(
      "books.kept.progress", en: "How far you have come was kept; the file says otherwise.",
      ko: "읽은 정도를 그대로 두었습니다. 파일에는 다르게 되어 있습니다."),
    .init(
      "books.import.notTaken", en: "“{value}” means nothing here and was not taken over.",
      ko: "‘{value}’은(는) 쓸 수 없는 값이어서 가져오지 않았습니다."),
    .init(
      "books.import.dayToCome", en: "{day} is still to come and was not taken over.",
      ko: "{day}은(는) 아직 오지 않은 날이어서 가져오지 않았습니다."),
    .init(
      "books.import.rounded", en: "The rating {value} became {taken}, since ratings go by halves.",
      ko: "평점은 0.5 단위이므로 {value}을(를) {taken}(으)로 바꾸었습니다."),
    .init(
      "books.import.encoding", en: "The file is not written in UTF-8; it was read as {charset}.",
      ko: "파일이 UTF-8이 아니어서 {charset}(으)로 읽었습니다."),
    .init(
      "books.import.sameNumber", en: "It has the ISBN of another row of the file and became one book with it.",
      ko: "파일의 다른 행과 ISBN이 같아 한 권으로 합쳤습니다."),
    .init(
      "books.import.status", en: "The status “{value}” means nothing here; the book is one that you want to read.",
      ko: "상태 ‘{value}’은(는) 쓸 수 없는 값이어서 읽고 싶은 책으로 가져왔습니다."),
    .init(
      "books.kept.quotes", en: "Your quotations were kept; the file has others.",
      ko: "인용을 그대로 두었습니다. 파일에는 다른 인용이 있습니다."),
  ]

  private static let reviewing: [Catalogue.Entry] = [
    .init("books.misread", en: "{sentence.failure}", ko: "{sentence.failure}"),
    .init("books.misread.advice", en: "Books are read from {formats}.", ko: "읽을 수 있는 형식은 {formats}입니다."),
    .init("books.misreadEncoding", en: "{sentence.failure}", ko: "{sentence.failure}"),
    .init(
      "books.misreadEncoding.advice",
      en: "Save it as CSV in UTF-8, which Excel calls “CSV UTF-8”. EUC-KR (CP949) and UTF-16 are read too.",
      ko: "UTF-8로 된 CSV로 저장하십시오. 엑셀에서는 ‘CSV UTF-8’입니다. EUC-KR(CP949)과 UTF-16도 읽을 수 있습니다."),
    .init("books.misreadTable", en: "{sentence.failure}", ko: "{sentence.failure}"),
    .init(
      "books.misreadTable.advice",
      en: "A {ending} file is a spreadsheet's own: save it as CSV there. Books are read from {formats}.",
      ko: "{ending} 파일은 스프레드시트 전용이므로 그 프로그램에서 CSV로 저장하십시오. 읽을 수 있는 형식은 {formats}입니다."),
    .init("books.misreadEnding", en: "{sentence.failure}", ko: "{sentence.failure}"),
    .init(
      "books.misreadEnding.advice",
      en: "Files that end in {ending} are none that books are read from. There are {formats}.",
      ko: "{ending} 파일에서는 책을 읽지 않습니다. 읽을 수 있는 형식은 {formats}입니다."),
    .init(
      "books.review.changed", en: "The file and the library have changed the same book.",
      ko: "파일과 서가에서 같은 책을 각각 고쳤습니다."),
    .init("books.review.noTitle", en: "The row has no title.", ko: "제목이 없는 행입니다."),
    .init(
      "books.review.numberOfAnother", en: "It has the ISBN of a book that is called otherwise.",
      ko: "제목이 다른 책과 ISBN이 같습니다."),
    .init(
      "books.review.repeated", en: "The file has this book twice, with different words.",
      ko: "파일에 같은 책이 서로 다른 내용으로 두 번 나옵니다."),
    .init("books.review.similar", en: "A book that is there is much like it.", ko: "서가에 아주 비슷한 책이 있습니다."),
    .init(
      "books.review.differs", en: "{field}: “{own}” on the shelf, “{file}” in the file.",
      ko: "{field}: 서가에는 ‘{own}’, 파일에는 ‘{file}’(으)로 되어 있습니다."),
    .init(
      "books.review.candidate", en: "{book} (book={id}, {percent} % alike)", ko: "{book} (book={id}, {percent}% 비슷함)"),
    .init(
      "books.review.undecided",
      en: "“{field}” does not say what the row is. It may be one of these on the shelf: {candidates}.",
      ko: "‘{field}’만으로는 어느 책인지 알 수 없습니다. 서가에서 같을 수 있는 책: {candidates}."),
    .init(
      "books.review.undecided.advice",
      en: "Give choice=same and the `book` that it is, choice=new if it is none of them, or choice=skip.",
      ko: "같은 책이면 choice=same과 그 `book`을, 아니면 choice=new를, 가져오지 않으려면 choice=skip을 지정하십시오."),
    .init(
      "books.review.noCandidates", en: "“{field}” does not say what the row is, and no book on the shelf is like it.",
      ko: "‘{field}’만으로는 어느 책인지 알 수 없으며, 서가에 비슷한 책도 없습니다."),
    .init(
      "books.review.noCandidates.advice",
      en: "Give choice=new, choice=skip, or choice=same and the `book` of the shelf that it is.",
      ko: "choice=new나 choice=skip을 지정하거나, choice=same과 서가의 `book`을 지정하십시오."),
    .init(
      "books.review.titleNeeded", en: "“{field}”: the row has no title, and a book needs one.",
      ko: "‘{field}’: 행에 제목이 없어 책 제목을 정해야 합니다."),
  ]

  /// Why a service did not answer, as a part of another sentence.
  private static let reasons: [Catalogue.Entry] = [
    .init("reason.googleKeyInvalid", en: "the key is not valid", ko: "키가 올바르지 않습니다"),
    .init(
      "reason.googleServiceDisabled", en: "the key's project does not have the Books API",
      ko: "키가 속한 프로젝트에서 Books API를 쓸 수 없습니다"),
    .init("reason.googleKeyNeeded", en: "it wants a key", ko: "키가 필요합니다"),
    .init(
      "reason.googleKeyQuota", en: "the key's quota of the day is used up, or zero", ko: "키의 하루 할당량을 모두 썼거나 할당량이 0입니다"),
    .init("reason.googleQuota", en: "the quota of the day is used up", ko: "하루 할당량을 모두 썼습니다"),
    .init("reason.answerHTML", en: "a web page came instead", ko: "웹 페이지가 대신 왔습니다"),
    .init("reason.answerNoBooks", en: "there is neither a book nor a list of books in it", ko: "책도 책 목록도 들어 있지 않습니다"),
    .init("reason.notPicture", en: "what came is no picture", ko: "그림이 아닌 것이 왔습니다"),
  ]
}
