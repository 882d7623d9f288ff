import Display

/// The sentences of documents, ko and en.
enum DocumentTexts {
  static let entries: [Catalogue.Entry] = [
    .init("documents.collection", en: "Documents", ko: "문서"),
    .init("documents.highlights", en: "Highlights", ko: "하이라이트"),
    .init("documents.memos", en: "Memos", ko: "메모"),
    .init("item.documents", en: "document", ko: "문서"),
    .init("item.bookmarks", en: "bookmark", ko: "책갈피"),
    .init("item.highlights", en: "highlight", ko: "하이라이트"),
    .init("item.memos", en: "memo", ko: "메모"),
    .init(
      "documents.invalidURL", en: "That is no URL that can be fetched: {reason.reason}.",
      ko: "가져올 수 있는 URL이 아닙니다: {reason.reason}."),
    .init(
      "documents.invalidURL.advice", en: "Give a complete http, https or file URL, such as https://example.org/a.pdf.",
      ko: "https://example.org/a.pdf처럼 완전한 http, https 또는 file URL을 지정하십시오."),
    .init("documents.noScheme", en: "“{url}” does not say how it is fetched.", ko: "‘{url}’에 스킴이 없습니다."),
    .init("documents.noScheme.advice", en: "Write {suggestion}", ko: "{suggestion}(으)로 쓰십시오."),
    .init(
      "documents.badFileURL", en: "A file URL is file:/// and an absolute path.",
      ko: "파일 URL은 file:/// 다음에 절대 경로를 씁니다."),
    .init("documents.notPDF", en: "{source} is not a PDF.", ko: "{source}은(는) PDF가 아닙니다."),
    .init(
      "documents.notPDF.advice", en: "A PDF has %PDF- within its first 1,024 bytes; this may be a web page about it.",
      ko: "PDF는 처음 1,024바이트 안에 %PDF-가 있습니다. PDF를 소개하는 웹 페이지일 수 있습니다."),
    .init(
      "documents.corrupt", en: "{source} is a damaged PDF: {reason.reason}.",
      ko: "{source}은(는) 손상된 PDF입니다: {reason.reason}."),
    .init("documents.corrupt.advice", en: "Fetch or copy it again.", ko: "다시 내려받거나 복사하십시오."),
    .init("documents.empty", en: "{source} is an empty file.", ko: "{source}은(는) 빈 파일입니다."),
    .init(
      "documents.passwordRequired", en: "{source} opens only with its password.", ko: "{source}을(를) 열려면 비밀번호가 필요합니다."),
    .init(
      "documents.passwordRequired.advice",
      en:
        "Ask again with the right `password`; on the command line, password=@- asks for it and password=@FILE reads it.",
      ko: "올바른 `password`를 넣어 다시 요청하십시오. 명령줄에서는 password=@-로 입력하고 password=@FILE로 파일에서 읽을 수 있습니다."),
    .init(
      "documents.wrongPassword", en: "The password given does not open {source}.",
      ko: "주어진 비밀번호로는 {source}을(를) 열 수 없습니다."),
    .init(
      "documents.wrongPassword.advice",
      en:
        "Ask again with another `password`, whose letters, capitals and spaces count; on the command line, password=@- "
        + "asks for it and password=@FILE reads it.",
      ko:
        "다른 `password`를 넣어 다시 요청하십시오. 글자와 대소문자, 빈칸까지 맞아야 합니다. 명령줄에서는 password=@-로 입력하고 "
        + "password=@FILE로 파일에서 읽을 수 있습니다."),
    .init(
      "documents.workerCrashed", en: "The PDF reader crashed on {source}.", ko: "{source}을(를) 읽던 PDF 처리기가 비정상 종료했습니다."),
    .init(
      "documents.workerCrashed.advice",
      en:
        "The library is untouched, and the next request tries it again; what fails three times is left alone for ten "
        + "minutes.",
      ko: "서재는 그대로이며 다음 요청에서 다시 시도합니다. 세 번 실패하면 10분 동안 시도하지 않습니다."),
    .init(
      "documents.outOfMemory", en: "Reading {source} takes more memory than a PDF reader may have.",
      ko: "{source}을(를) 읽으려면 PDF 처리기에 허용된 것보다 많은 메모리가 필요합니다."),
    .init(
      "documents.outOfMemory.advice",
      en: "`pdf.memory` in config.toml sets how many MiB it may have; the next request tries it again.",
      ko: "config.toml의 `pdf.memory`로 허용할 메모리(MiB)를 바꿀 수 있습니다. 다음 요청에서 다시 시도합니다."),
    .init(
      "documents.badReply", en: "What the PDF reader said of {source} makes no sense and was thrown away.",
      ko: "PDF 처리기가 {source}에 대해 올바르지 않은 내용을 답하여 버렸습니다."),
    .init(
      "documents.badReply.advice",
      en: "The file may be made to do harm. The next request tries it again with another reader.",
      ko: "해를 끼치려고 만든 파일일 수 있습니다. 다음 요청에서 다른 처리기로 다시 시도합니다."),
    .init(
      "documents.leftAlone",
      en: "Three PDF readers have failed to open {source}; it is tried again in {minutes} {minutes|minute|minutes}.",
      ko: "PDF 처리기 세 개가 {source}을(를) 열지 못했습니다. {minutes}분 뒤에 다시 시도합니다."),
    .init(
      "documents.leftAlone.advice", en: "The library is untouched. Another copy of the file may work.",
      ko: "서재는 그대로입니다. 다른 사본으로 시도해 보십시오."),
    .init(
      "documents.pageLeftAlone",
      en:
        "Three PDF readers have failed at this of page {page} of {source}; it is tried again in {minutes} "
        + "{minutes|minute|minutes}.",
      ko: "PDF 처리기 세 개가 {source} {page}쪽에서 이 작업에 실패했습니다. {minutes}분 뒤에 다시 시도합니다."),
    .init(
      "documents.pageLeftAlone.advice", en: "The other pages are not concerned. Another copy of the file may work.",
      ko: "다른 쪽에는 영향이 없습니다. 다른 사본으로 시도해 보십시오."),
    .init(
      "documents.requestLeftAlone",
      en:
        "Three PDF readers have failed at this request to {source}; it is tried again in {minutes} "
        + "{minutes|minute|minutes}.",
      ko: "PDF 처리기 세 개가 {source}에 대한 이 요청에 실패했습니다. {minutes}분 뒤에 다시 시도합니다."),
    .init(
      "documents.requestLeftAlone.advice",
      en: "Everything else of the document is there. Another copy of the file may work.",
      ko: "문서의 다른 기능은 그대로 쓸 수 있습니다. 다른 사본으로 시도해 보십시오."),
    .init(
      "documents.tooSlow", en: "Reading {source} took too long and was stopped.",
      ko: "{source}을(를) 읽는 데 너무 오래 걸려 중단했습니다."),
    .init(
      "documents.tooSlow.advice",
      en:
        "The next request tries it again; `pdf.timeout` in config.toml sets how many seconds one may take. What fails "
        + "three times is left alone for ten minutes.",
      ko:
        "다음 요청에서 다시 시도합니다. config.toml의 `pdf.timeout`으로 요청당 허용 시간을 바꿀 수 있습니다. "
        + "세 번 실패하면 10분 동안 시도하지 않습니다."),
    .init(
      "documents.workersBusy", en: "All PDF readers are busy with other documents.", ko: "모든 PDF 처리기가 다른 문서를 처리하고 있습니다."
    ),
    .init("documents.workersBusy.advice", en: "Ask again in a moment.", ko: "잠시 후 다시 요청하십시오."),
    .init(
      "documents.sandboxUnavailable", en: "PDFs are not opened, since this system lacks: {missing}.",
      ko: "이 시스템에 다음 보호 기능이 없어 PDF를 열지 않습니다: {missing}."),
    .init(
      "documents.sandboxUnavailable.advice",
      en: "`pdf.sandbox = \"best-effort\"` in config.toml opens them with the protection that there is.",
      ko: "config.toml에 `pdf.sandbox = \"best-effort\"`를 쓰면 가능한 보호만으로 엽니다."),
    .init(
      "documents.noWorker", en: "The PDF reader cannot be started: {reason.reason}.",
      ko: "PDF 처리기를 시작할 수 없습니다: {reason.reason}."),
    .init(
      "documents.noWorker.advice", en: "`commonplace-pdf` must lie beside `commonplace`.",
      ko: "`commonplace-pdf`는 `commonplace` 옆에 있어야 합니다."),
    .init("documents.pageUnavailable", en: "Page {page} of the file is broken.", ko: "파일의 {page}쪽이 손상되었습니다."),
    .init(
      "documents.undrawable",
      en: "Page {page} of {source} cannot be drawn: its shapes or letters are scaled too far. The file is not damaged.",
      ko: "{source} {page}쪽은 도형이나 글자의 배율이 지나쳐 그릴 수 없습니다. 파일이 손상된 것은 아닙니다."),
    .init(
      "documents.undrawable.advice", en: "Read its text with `documents/text`, or ask for a `region` of the page.",
      ko: "`documents/text`로 글을 읽거나 쪽의 일부만 `region`으로 요청하십시오."),
    .init(
      "documents.picturesFull",
      en: "The pictures that were asked for within the last minute take {limit} MiB, and no more are kept at once.",
      ko: "지난 1분 동안 요청한 그림이 {limit}MiB를 차지하여 더 보관할 수 없습니다."),
    .init(
      "documents.picturesFull.advice", en: "Ask again in a minute, or for smaller pictures.",
      ko: "1분 뒤에 다시 요청하거나 더 작은 그림을 요청하십시오."),
    .init(
      "documents.pictureTooLarge",
      en: "The picture would have more than {limit} million pixels, or a side of over 32,766.",
      ko: "그림이 {limit}백만 화소를 넘거나 한 변이 32,766을 넘습니다."),
    .init(
      "documents.pictureTooLarge.advice", en: "Ask for a smaller `width` or `scale`, or for a `region`.",
      ko: "더 작은 `width`나 `scale`, 또는 `region`을 지정하십시오."),
    .init(
      "documents.textTooLarge", en: "Page {page} has more text than can be kept.", ko: "{page}쪽의 글이 보관할 수 있는 양을 넘습니다."),
    .init(
      "documents.fileError", en: "The file of {source} cannot be read: {reason.reason}.",
      ko: "{source}의 파일을 읽을 수 없습니다: {reason.reason}."),
    .init(
      "documents.fileError.advice", en: "Check that the files in the library's folder are yours and readable.",
      ko: "서재 폴더의 파일이 본인의 것이고 읽을 수 있는지 확인하십시오."),
    .init(
      "documents.fileMissing", en: "The file of {source} is missing.", ko: "{source}의 파일이 없습니다."),
    .init(
      "documents.fileMissing.advice",
      en: "Restore the library from a backup, or add the file again with `documents/add`.",
      ko: "서재를 백업에서 복원하거나 `documents/add`로 파일을 다시 추가하십시오."),
    .init(
      "documents.outputError", en: "A file for the result cannot be made: {reason.reason}.",
      ko: "결과를 쓸 파일을 만들 수 없습니다: {reason.reason}."),
    .init(
      "documents.outputError.advice", en: "Check that its folder exists, is yours and is writable.",
      ko: "폴더가 있고 본인의 것이며 쓸 수 있는지 확인하십시오."),
    .init(
      "documents.pictureFolder", en: "The folder of pictures {path} cannot be made or written: {reason.reason}.",
      ko: "그림 폴더 {path}을(를) 만들거나 쓸 수 없습니다: {reason.reason}."),
    .init(
      "documents.pictureFolder.advice",
      en: "Check that it is a folder of yours in which files can be made, or start the daemon with another "
        + "`XDG_CACHE_HOME`.",
      ko: "파일을 만들 수 있는 본인의 폴더인지 확인하거나 다른 `XDG_CACHE_HOME`으로 데몬을 시작하십시오."),
    .init(
      "documents.titleKept",
      en: "yes; it keeps its title, and “{title}” was not taken over. `documents/update` renames it.",
      ko: "예. 제목은 그대로이며 ‘{title}’(으)로 바꾸지 않았습니다. `documents/update`로 바꿀 수 있습니다."),
    .init(
      "documents.unreachable", en: "{host} cannot be reached: {reason.reason}.",
      ko: "{host}에 연결할 수 없습니다: {reason.reason}."),
    .init(
      "documents.unreachable.advice",
      en: "Check the address and the network, then send the request again; it goes on behind what has come.",
      ko: "주소와 네트워크를 확인한 뒤 요청을 다시 보내십시오. 이미 받은 부분 다음부터 이어집니다."),
    .init(
      "documents.wantsLogin", en: "{url} is given only to who may have it (status {code}).",
      ko: "{url}은(는) 권한이 있는 사람만 받을 수 있습니다(상태 코드 {code})."),
    .init(
      "documents.wantsLogin.advice",
      en:
        "A download says nobody's name: save the file with a browser in which you are logged in, and add it by `path`. "
        + "A link that carries its own key works too.",
      ko:
        "내려받을 때는 로그인 정보를 보내지 않습니다. 로그인한 브라우저로 파일을 저장한 뒤 `path`로 추가하십시오. "
        + "인증 정보가 들어 있는 링크도 쓸 수 있습니다."),
    .init(
      "documents.downloading", en: "{url} is being downloaded by another request.", ko: "다른 요청이 {url}을(를) 내려받고 있습니다."),
    .init(
      "documents.downloading.advice", en: "Ask again in {seconds} seconds, or when the other one is answered.",
      ko: "{seconds}초 뒤나 다른 요청의 답이 온 뒤에 다시 요청하십시오."),
    .init("documents.idTaken", en: "There is another document with the id {id}.", ko: "id가 {id}인 다른 문서가 있습니다."),
    .init(
      "documents.highlightTaken", en: "There is a highlight with the id {id} at another place.",
      ko: "id가 {id}인 하이라이트가 다른 곳에 있습니다."),
    .init(
      "documents.notIndexed", en: "The text of page {page} has not been taken out yet.",
      ko: "{page}쪽의 글을 아직 추출하지 못했습니다."),
    .init(
      "documents.notIndexed.advice",
      en: "Ask for `documents/text` of that page first, or wait until the state is `ready`.",
      ko: "먼저 그 쪽의 `documents/text`를 요청하거나 상태가 `ready`가 될 때까지 기다리십시오."),
    .init(
      "documents.ambiguous", en: "“{text}” stands on the page {count} times.", ko: "“{text}”은(는) 이 쪽에 {count}번 나옵니다."),
    .init(
      "documents.ambiguous.advice", en: "Say which one by `quads`, or by `from` and `to`; the error lists the places.",
      ko: "`quads`나 `from`과 `to`로 위치를 지정하십시오. 오류에 위치가 나열되어 있습니다."),
    .init("documents.lineNotFound", en: "“{text}” does not stand on the page.", ko: "“{text}”은(는) 이 쪽에 없습니다."),
    .init("documents.nothingSelected", en: "There is no text at that place.", ko: "그 위치에는 글이 없습니다."),
    .init(
      "documents.badQuad", en: "{field}: a quad is eight finite numbers, in points.",
      ko: "{field}: quad는 포인트 단위의 유한한 수 여덟 개입니다."),
    .init("documents.memoTitle", en: "Page {page} Memo", ko: "{page}쪽 메모"),
    .init("documents.pageTitle", en: "Page {page}", ko: "{page}쪽"),
    .init("progress.downloading", en: "Downloading {done} of {total}", ko: "내려받는 중: {total} 중 {done}"),
    .init("progress.downloadingUnknown", en: "Downloading {done}", ko: "내려받는 중: {done}"),
    .init("progress.checking", en: "Checking the file", ko: "파일 확인 중"),
    .init("progress.reading", en: "Reading its text", ko: "글을 읽는 중"),
  ]
}
