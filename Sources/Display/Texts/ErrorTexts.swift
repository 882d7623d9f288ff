extension Catalogue {
  /// The failures of requests, whatever they asked for.
  static let errorTexts: [Entry] = [
    Entry("error.cancelled", en: "The request was cancelled.", ko: "요청이 취소되었습니다."),
    Entry(
      "error.superseded", en: "A newer request took the place of this one.", ko: "더 새로운 요청이 이 요청을 대신했습니다."),
    Entry(
      "error.internal", en: "Something went wrong inside Commonplace; nothing was changed.",
      ko: "Commonplace 내부에서 문제가 생겼으며, 바뀐 것은 없습니다."),
    Entry(
      "error.internal.advice", en: "The log tells more; please report it.",
      ko: "자세한 내용은 로그에 있습니다. 알려 주시기 바랍니다."),
    Entry(
      "error.internalError", en: "Something went wrong inside Commonplace; nothing was changed.",
      ko: "Commonplace 내부에서 문제가 생겼으며, 바뀐 것은 없습니다."),
    Entry(
      "error.methodNotFound", en: "There is no method “{method}”.", ko: "‘{method}’ 메서드는 없습니다."),
    Entry(
      "error.methodNotFound.advice", en: "Did you mean “{nearest}”?", ko: "혹시 ‘{nearest}’입니까?"),
    Entry(
      "error.methodNotFoundNoNearest", en: "There is no method “{method}”.", ko: "‘{method}’ 메서드는 없습니다."),
    Entry(
      "error.methodNotFoundNoNearest.advice", en: "The method rpc.discover lists them all.",
      ko: "전체 목록은 rpc.discover로 볼 수 있습니다."),
    Entry(
      "error.notInitialized", en: "The connection has not been initialized yet.",
      ko: "연결이 아직 초기화되지 않았습니다."),
    Entry(
      "error.notInitialized.advice", en: "Wait for the reply to “initialize” before sending other requests.",
      ko: "‘initialize’의 답을 받은 뒤에 다른 요청을 보내십시오."),
    Entry(
      "error.afterShutdown", en: "This connection said “shutdown”, after which it asks nothing more.",
      ko: "이 연결은 ‘shutdown’을 보냈으므로 더 요청할 수 없습니다."),
    Entry(
      "error.afterShutdown.advice", en: "Send “exit”, and connect again to go on.",
      ko: "‘exit’를 보내고, 계속하려면 다시 연결하십시오."),
    Entry(
      "error.shuttingDown", en: "The daemon is shutting down and takes no new requests.",
      ko: "데몬이 종료되는 중이어서 새 요청을 받지 않습니다."),
    Entry(
      "error.shuttingDown.advice", en: "Connect again in a moment.", ko: "잠시 뒤에 다시 연결하십시오."),
    Entry(
      "error.stoppedRequest", en: "The daemon is shutting down and has given this up before it was done.",
      ko: "데몬이 종료되면서 이 요청을 마치지 못하고 중단했습니다."),
    Entry(
      "error.stoppedRequest.advice", en: "Connect again in a moment and repeat it.",
      ko: "잠시 뒤에 다시 연결해 다시 요청하십시오."),
    Entry(
      "error.stoppedWrite", en: "The daemon is shutting down and has stopped this; nothing of it is kept.",
      ko: "데몬이 종료되면서 이 작업을 중단했으며, 그 결과는 아무것도 남지 않습니다."),
    Entry(
      "error.stoppedWrite.advice", en: "Connect again in a moment and repeat it.",
      ko: "잠시 뒤에 다시 연결해 다시 요청하십시오."),
    Entry(
      "error.tooManyConnections", en: "Too many clients are connected.", ko: "연결된 클라이언트가 너무 많습니다."),
    Entry(
      "error.tooManyConnections.advice", en: "Close some of them, and try again.",
      ko: "일부를 닫은 뒤 다시 시도하십시오."),
    Entry(
      "error.batchTooLarge", en: "The replies of this batch are more than 16 MiB together.",
      ko: "이 묶음의 응답을 모두 합하면 16MiB가 넘습니다."),
    Entry(
      "error.batchTooLarge.advice", en: "Send this request by itself, or in a smaller batch.",
      ko: "이 요청을 따로 보내거나 더 작은 묶음으로 보내십시오."),
    Entry(
      "error.busy", en: "Too many requests are waiting.", ko: "처리를 기다리는 요청이 너무 많습니다."),
    Entry(
      "error.busy.advice", en: "Wait for some replies, then ask again.",
      ko: "답을 몇 개 받은 뒤에 다시 요청하십시오."),
    Entry(
      "error.tooManyFiles", en: "The daemon has as many open files and connections as it may.",
      ko: "데몬이 열 수 있는 파일과 연결의 수가 다 찼습니다."),
    Entry(
      "error.tooManyFiles.advice", en: "Close some connections, then ask again.",
      ko: "연결을 몇 개 닫은 뒤에 다시 요청하십시오."),
    Entry(
      "error.notFound", en: "There is nothing with the id {id} in {collection}.",
      ko: "{collection}에 id가 {id}인 항목이 없습니다."),
    Entry(
      "error.notFound.advice", en: "It may have been removed; fetch the list again.",
      ko: "삭제되었을 수 있으니 목록을 다시 불러오십시오."),
    Entry("item.exists", en: "There is another item with the id {id}.", ko: "id가 {id}인 다른 항목이 있습니다."),
    Entry("error.exists", en: "It exists already.", ko: "이미 있습니다."),
    Entry(
      "error.ambiguous", en: "This fits more than one place.", ko: "해당하는 곳이 여러 군데입니다."),
    Entry(
      "error.ambiguous.advice", en: "Choose one of the places given, or name more of the text around it.",
      ko: "제시된 곳 가운데 하나를 고르거나 앞뒤 글을 더 넣으십시오."),
    Entry(
      "error.conflict", en: "The item was changed in the meantime; nothing was written.",
      ko: "그사이 항목이 바뀌어 아무것도 저장하지 않았습니다."),
    Entry(
      "error.conflict.advice", en: "Look at the current version and try again.",
      ko: "현재 내용을 확인하고 다시 시도하십시오."),
    Entry(
      "error.noRevisionYet",
      en: "The item has no revision {revision} yet, its current one is {current}; nothing was written.",
      ko: "이 항목에는 아직 리비전 {revision}이(가) 없습니다. 현재 리비전은 {current}이며 아무것도 저장하지 않았습니다."),
    Entry(
      "error.noRevisionYet.advice", en: "Look at the current version and try again with its revision.",
      ko: "현재 내용을 확인하고 그 리비전으로 다시 시도하십시오."),
    Entry(
      "error.libraryBusy", en: "Another program holds the library {path}, so nothing was written.",
      ko: "다른 프로그램이 서재 {path}을(를) 붙잡고 있어 아무것도 기록하지 못했습니다."),
    Entry(
      "error.libraryBusy.advice", en: "Close what has its file open, such as a database shell, and try again.",
      ko: "데이터베이스 셸처럼 그 파일을 연 프로그램을 닫고 다시 시도하십시오."),
    Entry(
      "error.undoConflict", en: "{id} of {collection} has been changed since, so nothing was taken back.",
      ko: "{collection}의 {id}이(가) 그 뒤에 바뀌어 아무것도 되돌리지 않았습니다."),
    Entry(
      "error.undoConflict.advice",
      en: "With `force` it is restored all the same; with `clock` another commit of changes/log is taken back.",
      ko: "`force`로 그대로 되돌리거나, `clock`으로 changes/log의 다른 커밋을 되돌릴 수 있습니다."),
    Entry(
      "error.undoConflictOf", en: "“{title}” has been changed since, so nothing was taken back.",
      ko: "‘{title}’이(가) 그 뒤에 바뀌어 아무것도 되돌리지 않았습니다."),
    Entry(
      "error.undoConflictOf.advice",
      en: "With `force` it is restored all the same; with `clock` another commit of changes/log is taken back.",
      ko: "`force`로 그대로 되돌리거나, `clock`으로 changes/log의 다른 커밋을 되돌릴 수 있습니다."),
    Entry(
      "error.redoConflict", en: "{id} of {collection} has been changed since, so nothing was brought back.",
      ko: "{collection}의 {id}이(가) 그 뒤에 바뀌어 아무것도 다시 실행하지 않았습니다."),
    Entry(
      "error.redoConflict.advice", en: "With `force` it is brought back all the same.",
      ko: "`force`로 그대로 다시 실행할 수 있습니다."),
    Entry(
      "error.redoConflictOf", en: "“{title}” has been changed since, so nothing was brought back.",
      ko: "‘{title}’이(가) 그 뒤에 바뀌어 아무것도 다시 실행하지 않았습니다."),
    Entry(
      "error.redoConflictOf.advice", en: "With `force` it is brought back all the same.",
      ko: "`force`로 그대로 다시 실행할 수 있습니다."),
    Entry(
      "error.undoRemoved", en: "{id} of {collection} has been removed since, so nothing was taken back.",
      ko: "{collection}의 {id}이(가) 그 뒤에 삭제되어 아무것도 되돌리지 않았습니다."),
    Entry(
      "error.undoRemoved.advice",
      en: "With `clock` another commit of changes/log is taken back, such as the one that removed it.",
      ko: "`clock`으로 changes/log의 다른 커밋, 이를테면 삭제한 커밋을 되돌릴 수 있습니다."),
    Entry(
      "error.undoRemovedOf", en: "“{title}” has been removed since, so nothing was taken back.",
      ko: "‘{title}’이(가) 그 뒤에 삭제되어 아무것도 되돌리지 않았습니다."),
    Entry(
      "error.undoRemovedOf.advice",
      en: "With `clock` another commit of changes/log is taken back, such as the one that removed it.",
      ko: "`clock`으로 changes/log의 다른 커밋, 이를테면 삭제한 커밋을 되돌릴 수 있습니다."),
    Entry(
      "error.redoRemoved", en: "{id} of {collection} has been removed since, so nothing was brought back.",
      ko: "{collection}의 {id}이(가) 그 뒤에 삭제되어 아무것도 다시 실행하지 않았습니다."),
    Entry(
      "error.redoRemovedOf", en: "“{title}” has been removed since, so nothing was brought back.",
      ko: "‘{title}’이(가) 그 뒤에 삭제되어 아무것도 다시 실행하지 않았습니다."),
    Entry("error.nothingToUndo", en: "There is nothing to undo.", ko: "실행을 취소할 것이 없습니다."),
    Entry(
      "error.nothingToUndo.advice", en: "changes/log lists the commits, and which of them can be undone.",
      ko: "changes/log에서 커밋 목록과 취소할 수 있는 것을 볼 수 있습니다."),
    Entry("error.nothingToRedo", en: "There is nothing to redo.", ko: "다시 실행할 것이 없습니다."),
    Entry(
      "error.nothingToRedo.advice", en: "Only an undo after which nothing was written can be taken back.",
      ko: "취소한 뒤 아무것도 쓰지 않았을 때만 다시 실행할 수 있습니다."),
    Entry("error.notAllowed", en: "This is not allowed.", ko: "허용되지 않은 작업입니다."),
    Entry("error.tooLarge", en: "It is too large.", ko: "너무 큽니다."),
    Entry(
      "error.timedOut", en: "It took too long and was given up.", ko: "시간이 너무 오래 걸려 중단했습니다."),
    Entry("error.timedOut.advice", en: "Try again, or ask for less at a time.", ko: "다시 시도하거나 한 번에 조금씩 요청하십시오."),
    Entry(
      "error.readTimedOut", en: "Reading took too long and was given up.", ko: "읽는 데 너무 오래 걸려 중단했습니다."),
    Entry(
      "error.readTimedOut.advice", en: "Ask for less at a time, with a limit or a narrower query.",
      ko: "개수를 제한하거나 검색 범위를 좁혀 다시 요청하십시오."),

    Entry("error.invalidURL", en: "This is not an address that can be fetched.", ko: "가져올 수 있는 주소가 아닙니다."),
    Entry(
      "error.invalidURL.advice", en: "Addresses begin with https:// or http://, files with file:///.",
      ko: "웹 주소는 https:// 또는 http://로, 파일은 file:///로 시작합니다."),
    Entry("error.unreachable", en: "The server cannot be reached.", ko: "서버에 연결할 수 없습니다."),
    Entry(
      "error.unreachable.advice", en: "Check the address and your connection.",
      ko: "주소와 네트워크 연결을 확인하십시오."),
    Entry("error.httpStatus", en: "The server refused the request.", ko: "서버가 요청을 거절했습니다."),
    Entry(
      "error.rateLimited", en: "The server asks for fewer requests.", ko: "서버가 요청을 줄여 달라고 합니다."),
    Entry("error.rateLimited.advice", en: "Try again later.", ko: "나중에 다시 시도하십시오."),
    Entry(
      "error.badResponse", en: "The server answered with something that cannot be read.",
      ko: "서버의 응답을 읽을 수 없습니다."),
    Entry(
      "error.unauthorized", en: "The server wants other credentials.", ko: "서버가 다른 인증 정보를 요구합니다."),
    Entry(
      "error.unauthorized.advice", en: "Check the credential in config.toml.",
      ko: "config.toml의 인증 정보를 확인하십시오."),
    Entry(
      "error.refusedAddress", en: "The address leads into a private network and was not contacted.",
      ko: "주소가 사설 네트워크를 가리켜 접속하지 않았습니다."),
    Entry(
      "error.refusedAddress.advice", en: "If you trust it, add its origin to “allow” in config.toml.",
      ko: "믿을 수 있는 곳이면 config.toml의 ‘allow’에 추가하십시오."),

    Entry("error.notPDF", en: "This is not a PDF.", ko: "PDF가 아닙니다."),
    Entry("error.passwordRequired", en: "The PDF wants a password.", ko: "PDF에 암호가 필요합니다."),
    Entry("error.passwordRequired.advice", en: "Give it as “password”.", ko: "‘password’에 암호를 넣으십시오."),
    Entry("error.corrupt", en: "The file is damaged.", ko: "파일이 손상되었습니다."),
    Entry("error.signed", en: "The document is signed and must not be changed.", ko: "서명된 문서여서 고칠 수 없습니다."),
    Entry(
      "error.workerCrashed", en: "The PDF could not be processed: the program that reads it failed.",
      ko: "PDF를 읽는 프로그램에 문제가 생겨 처리하지 못했습니다."),
    Entry(
      "error.workerCrashed.advice", en: "The library is unharmed; the file may be damaged.",
      ko: "서재는 안전합니다. 파일이 손상되었을 수 있습니다."),
    Entry(
      "error.sandboxUnavailable", en: "PDFs cannot be opened safely on this system.",
      ko: "이 시스템에서는 PDF를 안전하게 열 수 없습니다."),
    Entry(
      "error.sandboxUnavailable.advice",
      en: "Use a kernel with seccomp, or set sandbox = \"best-effort\" under [pdf] in config.toml.",
      ko: "seccomp를 지원하는 커널을 쓰거나 config.toml의 [pdf]에 sandbox = \"best-effort\"를 넣으십시오."),
  ]
}
