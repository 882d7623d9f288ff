extension Catalogue {
  /// What a client is told whose bytes are no message.
  static let messageTexts: [Entry] = [
    Entry(
      "error.parse.ended", en: "The message is JSON that stops in the middle, at byte {offset}.",
      ko: "메시지의 JSON이 {offset}번째 바이트에서 끝나지 않은 채 끊겼습니다."),
    Entry(
      "error.parse.ended.advice", en: "Send each message whole, and count its length in bytes, not in characters.",
      ko: "메시지를 끝까지 보내고, 길이는 글자 수가 아니라 바이트 수로 세십시오."),
    Entry(
      "error.parse.unexpected", en: "The message is not JSON: byte {offset} was not expected there.",
      ko: "메시지가 JSON이 아닙니다. {offset}번째 바이트를 읽을 수 없습니다."),
    Entry(
      "error.parse.unexpected.advice",
      en: "JSON allows no comments, no commas after the last element, and only double quotes.",
      ko: "JSON에는 주석이나 마지막 요소 뒤의 쉼표를 쓸 수 없고, 문자열은 큰따옴표로 묶어야 합니다."),
    Entry(
      "error.parse.tooDeep", en: "The message is nested too deeply, at byte {offset}.",
      ko: "메시지가 {offset}번째 바이트에서 너무 깊이 중첩되었습니다."),
    Entry(
      "error.parse.tooDeep.advice", en: "Arrays and objects may lie at most 128 levels deep.",
      ko: "배열과 객체는 128단계까지만 겹칠 수 있습니다."),
    Entry(
      "error.parse.tooMany", en: "The message holds too many values, up to byte {offset}.",
      ko: "메시지에 {offset}번째 바이트까지 값이 너무 많습니다."),
    Entry(
      "error.parse.tooMany.advice", en: "A message may hold at most 500,000 values; send several.",
      ko: "한 메시지에는 값이 500,000개까지만 들어갈 수 있습니다. 나누어 보내십시오."),
    Entry(
      "error.parse.controlCharacter", en: "A string of the message holds a bare control character, at byte {offset}.",
      ko: "메시지의 문자열에 제어 문자가 {offset}번째 바이트에 그대로 들어 있습니다."),
    Entry(
      "error.parse.controlCharacter.advice", en: #"Write it as an escape: \n for a line end, \t for a tab."#,
      ko: #"줄바꿈은 \n, 탭은 \t처럼 이스케이프하여 쓰십시오."#),
    Entry(
      "error.parse.invalidUTF8", en: "A string of the message is not UTF-8, before byte {offset}.",
      ko: "메시지의 {offset}번째 바이트 앞 문자열이 UTF-8이 아닙니다."),
    Entry(
      "error.parse.invalidUTF8.advice", en: "Send all text as UTF-8.", ko: "모든 텍스트를 UTF-8로 보내십시오."),
    Entry(
      "error.parse.numberTooLarge", en: "The message holds a number that is too large, at byte {offset}.",
      ko: "메시지에 너무 큰 수가 있습니다. {offset}번째 바이트를 확인하십시오."),

    Entry(
      "error.invalidRequest.header", en: "A header line has no colon.", ko: "헤더 줄에 쌍점이 없습니다."),
    Entry(
      "error.invalidRequest.header.advice",
      en: "Send “Content-Length: N”, an empty line, then N bytes; or one JSON message a line without headers.",
      ko: "‘Content-Length: N’과 빈 줄, 이어서 N바이트를 보내거나, 헤더 없이 한 줄에 JSON 메시지 하나를 보내십시오."),
    Entry(
      "error.invalidRequest.length", en: "The header Content-Length is not a whole number, or is given twice.",
      ko: "Content-Length 헤더가 정수가 아니거나 두 번 나왔습니다."),
    Entry(
      "error.invalidRequest.length.advice", en: "Give it once, as the number of bytes of the message.",
      ko: "메시지의 바이트 수를 한 번만 적으십시오."),
    Entry(
      "error.invalidRequest.noLength", en: "The headers do not name a Content-Length.",
      ko: "헤더에 Content-Length가 없습니다."),
    Entry(
      "error.invalidRequest.noLength.advice", en: "Give the number of bytes of the message.",
      ko: "메시지의 바이트 수를 적으십시오."),
    Entry(
      "error.invalidRequest.headersTooLarge", en: "The headers are longer than {limit} bytes.",
      ko: "헤더가 {limit}바이트보다 깁니다."),
    Entry(
      "error.invalidRequest.halfFrame", en: "The message was begun and not completed in time ({seconds} seconds).",
      ko: "메시지가 시작된 뒤 제시간({seconds}초)에 끝나지 않았습니다."),
    Entry(
      "error.invalidRequest.tooLarge", en: "The message is larger than {limit} bytes.",
      ko: "메시지가 {limit}바이트보다 큽니다."),
    Entry(
      "error.invalidRequest.tooLarge.advice", en: "Give a file by its path instead of sending its content.",
      ko: "파일은 내용을 보내지 말고 경로로 지정하십시오."),
    Entry("error.invalidRequest.emptyBatch", en: "The batch is empty.", ko: "묶음이 비어 있습니다."),
    Entry(
      "error.invalidRequest.batchTooLarge", en: "The batch has more than {limit} {limit|message|messages}.",
      ko: "묶음에 메시지가 {limit}개보다 많습니다."),
    Entry("error.invalidRequest.batchTooLarge.advice", en: "Send it in parts.", ko: "나누어 보내십시오."),
    Entry(
      "error.invalidRequest.notAnObject", en: "The message is JSON but not an object.",
      ko: "메시지가 JSON이지만 객체가 아닙니다."),
    Entry(
      "error.invalidRequest.notAnObject.advice",
      en: #"A request looks like {"jsonrpc": "2.0", "id": 1, "method": "session/ping"}."#,
      ko: #"요청은 {"jsonrpc": "2.0", "id": 1, "method": "session/ping"}과 같은 모양입니다."#),
    Entry(
      "error.invalidRequest.version", en: "The message does not say which version of JSON-RPC it speaks.",
      ko: "메시지에 JSON-RPC 버전이 없습니다."),
    Entry(
      "error.invalidRequest.version.advice", en: #"Add "jsonrpc": "2.0"."#, ko: #""jsonrpc": "2.0"을 넣으십시오."#),
    Entry(
      "error.invalidRequest.method", en: "The name of the method is not a string.",
      ko: "메서드 이름이 문자열이 아닙니다."),
    Entry(
      "error.invalidRequest.noMethod", en: "The message has neither a method nor a result nor an error.",
      ko: "메시지에 메서드도 결과도 오류도 없습니다."),
    Entry(
      "error.invalidRequest.noMethod.advice", en: #"A request names its method in "method"."#,
      ko: #"요청은 "method"에 메서드 이름을 적어야 합니다."#),
    Entry(
      "error.invalidRequest.params", en: "The params are neither an object nor an array.",
      ko: "params가 객체도 배열도 아닙니다."),
    Entry(
      "error.invalidRequest.params.advice", en: "Give them by name, as an object.",
      ko: "이름이 있는 객체로 보내십시오."),
    Entry(
      "error.invalidRequest.id", en: "The id is neither a string nor a number.",
      ko: "id가 문자열도 수도 아닙니다."),
    Entry(
      "error.invalidRequest.id.advice", en: "Leave it out if you want no reply.",
      ko: "답이 필요 없으면 id를 빼십시오."),
    Entry(
      "error.invalidRequest.idInUse", en: "The id belongs to another request that is still being worked on.",
      ko: "아직 처리 중인 다른 요청의 id입니다."),
    Entry(
      "error.invalidRequest.idInUse.advice", en: "Give every request an id of its own.",
      ko: "요청마다 다른 id를 쓰십시오."),
    Entry(
      "error.invalidRequest.alreadyInitialized", en: "The connection is initialized already.",
      ko: "연결이 이미 초기화되었습니다."),
    Entry(
      "error.invalidRequest.alreadyInitialized.advice",
      en: "To change the locale or the time zone use session/configure.",
      ko: "로캘이나 시간대를 바꾸려면 session/configure를 쓰십시오."),

    Entry(
      "error.frame.cutOff", en: "The connection ended in the middle of a message.",
      ko: "메시지가 끝나기 전에 연결이 끊겼습니다."),
    Entry(
      "error.frame.stalled", en: "The connection was closed because nothing was read from it for {seconds} seconds.",
      ko: "{seconds}초 동안 아무것도 읽어 가지 않아 연결을 닫았습니다."),
  ]
}
