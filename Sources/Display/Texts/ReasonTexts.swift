extension Catalogue {
  /// Why something failed, as a part of another sentence: `{reason.reason}`. What is not here is what the system or a
  /// library says in its own words.
  static let reasonTexts: [Entry] =
    [
      // URLs that are not fetched.
      Entry("reason.urlTooLong", en: "it is longer than 8,192 bytes", ko: "8,192바이트를 넘습니다"),
      Entry("reason.urlControlCharacter", en: "it has a control character", ko: "제어 문자가 들어 있습니다"),
      Entry("reason.urlNotAbsolute", en: "it is no absolute URL", ko: "완전한 URL이 아닙니다"),
      Entry("reason.urlBackslash", en: "a backslash follows the host", ko: "호스트 뒤에 역슬래시가 있습니다"),
      Entry("reason.urlScheme", en: "only http and https are fetched", ko: "http와 https만 가져올 수 있습니다"),
      Entry(
        "reason.urlUser", en: "a user name or password in a URL is not accepted", ko: "URL에 사용자 이름이나 비밀번호를 넣을 수 없습니다"),
      Entry("reason.urlPort", en: "the port is no number from 1 to 65535", ko: "포트가 1에서 65535까지의 수가 아닙니다"),
      Entry("reason.hostIncomplete", en: "the host is not complete", ko: "호스트가 끝까지 적혀 있지 않습니다"),
      Entry("reason.hostInvalid", en: "the host is not valid", ko: "호스트가 올바르지 않습니다"),
      Entry("reason.hostNotIPv6", en: "the host is no IPv6 address", ko: "호스트가 IPv6 주소가 아닙니다"),
      Entry("reason.hostMissing", en: "there is no host", ko: "호스트가 없습니다"),
      // What a server answered.
      Entry("reason.answerTooLong", en: "more bytes came than were announced", ko: "알린 것보다 많은 바이트가 왔습니다"),
      Entry("reason.answerUnexpected", en: "the first bytes are not what was expected", ko: "처음 바이트가 예상과 다릅니다"),
      Entry(
        "reason.answerPart", en: "a part of the file came where the whole was asked for", ko: "전체를 요청했는데 파일의 일부가 왔습니다"),
      Entry("reason.answerShort", en: "the answer ended early", ko: "응답이 도중에 끝났습니다"),
      Entry("reason.answerRanges", en: "its ranges do not fit together", ko: "나누어 받은 범위가 서로 맞지 않습니다"),
      Entry("reason.answerEncoded", en: "it is encoded, which was not asked for", ko: "요청하지 않은 방식으로 인코딩되어 있습니다"),
      Entry("reason.answerBomb", en: "it grows beyond all reason when it is unpacked", ko: "압축을 풀면 터무니없이 커집니다"),
      Entry("reason.answerBroken", en: "its compression is broken", ko: "압축이 손상되었습니다"),
      Entry("reason.answerUnasked", en: "it says “as before”, which was not asked", ko: "묻지 않았는데 ‘바뀌지 않음’이라고 합니다"),
      Entry("reason.answerEmpty", en: "there is nothing in it", ko: "내용이 없습니다"),
      Entry("reason.answerTooLarge", en: "it has more in it than can be read", ko: "읽을 수 있는 것보다 내용이 많습니다"),
      Entry("reason.cursorUnknown", en: "nobody knows that page", ko: "그런 쪽을 알 수 없습니다"),
      Entry("reason.notFeed", en: "it is no feed, and names none", ko: "피드가 아니며 피드를 알려 주지도 않습니다"),
      Entry("reason.pageOfFeeds", en: "it is a page where a feed was", ko: "피드가 있던 자리에 웹 페이지가 있습니다"),
      Entry("reason.serviceOverloaded", en: "the service is overloaded", ko: "서비스에 부하가 걸려 있습니다"),
      Entry("reason.headersTooLong", en: "the headers are longer than 256 KiB", ko: "헤더가 256 KiB를 넘습니다"),
      Entry("reason.statusLine", en: "the status line is not valid", ko: "상태 줄이 올바르지 않습니다"),
      Entry("reason.redirectNowhere", en: "the redirect leads to no URL that is fetched", ko: "가져올 수 없는 곳으로 넘겨줍니다"),
      Entry("reason.redirectInsecure", en: "a redirect leads from https to http", ko: "https에서 http로 넘겨줍니다"),
      Entry("reason.tooManyRedirects", en: "there are too many redirects", ko: "넘겨주기가 너무 많습니다"),
      // Why no answer came; libcurl's failures, told by `CurlReason`.
      Entry("reason.noConnection", en: "no server takes the connection there", ko: "그 주소에서 연결을 받는 서버가 없습니다"),
      Entry("reason.hostUnknown", en: "no server of that name is found", ko: "그런 이름의 서버를 찾을 수 없습니다"),
      Entry("reason.answerNone", en: "it closed the connection without an answer", ko: "응답 없이 연결을 끊었습니다"),
      Entry("reason.connectionLost", en: "the connection was lost", ko: "연결이 끊어졌습니다"),
      Entry("reason.certificateExpired", en: "its certificate has expired", ko: "인증서의 기한이 지났습니다"),
      Entry("reason.certificateEarly", en: "its certificate is not valid yet", ko: "인증서의 기한이 아직 시작되지 않았습니다"),
      Entry("reason.certificateOfOther", en: "its certificate is that of another host", ko: "다른 호스트의 인증서입니다"),
      Entry(
        "reason.certificateUntrusted", en: "nobody whom this computer trusts has signed its certificate",
        ko: "이 컴퓨터가 신뢰하는 기관이 서명한 인증서가 아닙니다"),
      Entry("reason.notEncrypted", en: "it does not speak https there", ko: "그 주소에서는 https를 쓰지 않습니다"),
      Entry("reason.noCommonEncryption", en: "it speaks no encryption that is known here", ko: "서로 아는 암호화 방식이 없습니다"),
      // libcurl and other libraries.
      Entry("reason.noMemory", en: "there is no memory left", ko: "메모리가 부족합니다"),
      Entry("reason.curlOptions", en: "libcurl refuses the options of the request", ko: "libcurl이 요청의 옵션을 거부합니다"),
      Entry("reason.curlRequest", en: "libcurl refuses the request", ko: "libcurl이 요청을 거부합니다"),
      Entry("reason.curlTransfers", en: "libcurl failed at its transfers", ko: "libcurl이 전송에 실패했습니다"),
      Entry("reason.curlWaiting", en: "libcurl failed at waiting", ko: "libcurl이 응답을 기다리는 데 실패했습니다"),
      // PDFs.
      Entry("reason.brokenStructure", en: "its structure is broken", ko: "구조가 깨져 있습니다"),
      Entry("reason.brokenPageList", en: "the list of its pages is broken", ko: "쪽 목록이 깨져 있습니다"),
      Entry("reason.noPages", en: "it has no pages", ko: "쪽이 없습니다"),
      Entry("reason.tooManyPages", en: "it has more pages than can be read", ko: "읽을 수 있는 것보다 쪽이 많습니다"),
      Entry(
        "reason.shifted", en: "something stands before its beginning, so that all places in it are others than it says",
        ko: "파일의 시작 앞에 다른 내용이 있어 안에 적힌 위치가 모두 어긋납니다"),
      // Rows that no version of Commonplace wrote.
      Entry("reason.before", en: "an old version of an item cannot be read", ko: "항목의 이전 판을 읽을 수 없습니다"),
      Entry("reason.collection", en: "a change names an unknown collection", ko: "변경 기록에 알 수 없는 모음이 있습니다"),
      Entry("reason.kind", en: "a change has an unknown kind", ko: "변경 기록에 알 수 없는 종류가 있습니다"),
      Entry("reason.pdfPage", en: "a stored page is not valid", ko: "저장된 쪽이 올바르지 않습니다"),
      Entry("reason.quad", en: "the place of a highlight is not valid", ko: "하이라이트의 위치가 올바르지 않습니다"),
      Entry("reason.unit", en: "the unit of a stored page is not valid", ko: "저장된 쪽의 단위가 올바르지 않습니다"),
      Entry("reason.unreadable", en: "it cannot be read", ko: "읽을 수 없습니다"),
      // The library, its copies and archives.
      Entry("reason.blobsMissing", en: "some files are missing", ko: "일부 파일이 없습니다"),
      Entry("reason.databaseCut", en: "the end of library.sqlite is missing", ko: "library.sqlite의 뒷부분이 없습니다"),
      Entry("reason.fileShort", en: "it ends too early", ko: "도중에 끝났습니다"),
      Entry(
        "reason.badHash", en: "a row names a file that cannot be one of the library's", ko: "서재의 파일일 수 없는 이름이 있습니다"),
      Entry(
        "reason.foreignTriggers", en: "it holds triggers or views that Commonplace did not make",
        ko: "Commonplace가 만들지 않은 트리거나 뷰가 들어 있습니다"),
      Entry("reason.badIdentity", en: "its id is not one that Commonplace gives", ko: "서재 식별자가 올바르지 않습니다"),
      Entry("reason.badURL", en: "it names an address that is none", ko: "주소가 아닌 것이 들어 있습니다"),
      Entry("reason.headMissing", en: "library.json is missing", ko: "library.json이 없습니다"),
      Entry("reason.noClock", en: "it has no clock", ko: "시계가 없습니다"),
      Entry(
        "reason.noDatabase", en: "library.sqlite is missing or empty, and other files of it are there",
        ko: "다른 파일은 있으나 library.sqlite가 없거나 비어 있습니다"),
      Entry("reason.noIdentity", en: "it does not say which library it is", ko: "어느 서재인지 적혀 있지 않습니다"),
      Entry("reason.notRegular", en: "it is no regular file", ko: "일반 파일이 아닙니다"),
      // Files of other programs.
      Entry("reason.hasNUL", en: "it has a NUL character", ko: "NUL 문자가 들어 있습니다"),
      Entry(
        "reason.noDate", en: "an entry begins with [its date], and nothing stands before the first",
        ko: "일기는 [날짜]로 시작하며 그 앞에는 아무것도 없어야 합니다"),
      Entry("reason.cutOff", en: "it ends in the middle", ko: "중간에서 끊겨 있습니다"),
      Entry("reason.noCalendar", en: "BEGIN:VCALENDAR is missing", ko: "BEGIN:VCALENDAR가 없습니다"),
      Entry("reason.noColumns", en: "its first line names no columns", ko: "첫 줄에 열 이름이 없습니다"),
      Entry(
        "reason.noTitleColumn", en: "there is no column of titles", ko: "제목 열이 없습니다"),
      Entry("reason.openQuote", en: "a quotation mark is not closed", ko: "따옴표가 닫히지 않았습니다"),
      Entry("reason.tooDeep", en: "its parts lie too deep in each other", ko: "구성 요소가 너무 깊이 겹쳐 있습니다"),
      Entry("reason.notJSON", en: "it is not valid JSON", ko: "올바른 JSON이 아닙니다"),
      Entry("reason.notOPML", en: "it is no OPML", ko: "OPML이 아닙니다"),
      Entry("reason.notXML", en: "it is no XML that can be read", ko: "읽을 수 있는 XML이 아닙니다"),
      Entry("reason.notUTF8", en: "it is not UTF-8 text", ko: "UTF-8 글이 아닙니다"),
      Entry("reason.noJournal", en: "there is no Journal.json in it", ko: "Journal.json이 들어 있지 않습니다"),
      Entry("reason.noList", en: "there is no list where one must be", ko: "목록이 있어야 할 자리에 없습니다"),
      Entry("reason.noObject", en: "there is no object where one must be", ko: "객체가 있어야 할 자리에 없습니다"),
    ] + systemTexts

  /// The system says these in English, which `strerror` gives as they stand here.
  private static let systemTexts: [Entry] = [
    Entry("reason.No such file or directory", en: "No such file or directory", ko: "그런 파일이나 폴더가 없습니다"),
    Entry("reason.Permission denied", en: "Permission denied", ko: "권한이 없습니다"),
    Entry("reason.Operation not permitted", en: "Operation not permitted", ko: "허용되지 않은 작업입니다"),
    Entry("reason.Is a directory", en: "Is a directory", ko: "파일이 아니라 폴더입니다"),
    Entry("reason.Not a directory", en: "Not a directory", ko: "폴더가 아닙니다"),
    Entry("reason.File exists", en: "File exists", ko: "같은 이름이 이미 있습니다"),
    Entry("reason.File name too long", en: "File name too long", ko: "파일 이름이 너무 깁니다"),
    Entry("reason.No space left on device", en: "No space left on device", ko: "디스크에 남은 공간이 없습니다"),
    Entry("reason.Disk quota exceeded", en: "Disk quota exceeded", ko: "디스크 할당량을 넘었습니다"),
    Entry("reason.Read-only file system", en: "Read-only file system", ko: "읽기 전용 파일 시스템입니다"),
    Entry("reason.Too many open files", en: "Too many open files", ko: "열린 파일이 너무 많습니다"),
    Entry("reason.Input/output error", en: "Input/output error", ko: "입출력 오류가 났습니다"),
    Entry("reason.Directory not empty", en: "Directory not empty", ko: "폴더가 비어 있지 않습니다"),
    Entry(
      "reason.Too many levels of symbolic links", en: "Too many levels of symbolic links", ko: "심볼릭 링크가 너무 많이 이어집니다"),
    Entry("reason.Connection refused", en: "Connection refused", ko: "연결이 거부되었습니다"),
  ]
}
