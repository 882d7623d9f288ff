import Display

/// What is said of `config.toml`, of credentials, and of the daemon's folders.
package enum ConfigurationTexts {
  package static let entries: [Catalogue.Entry] = file + values + credentials + paths

  private typealias Entry = Catalogue.Entry

  /// The file as a whole.
  private static let file: [Entry] = [
    Entry(
      "configuration.unreadable", en: "config.toml cannot be read: {reason.reason}.",
      ko: "config.toml을 읽을 수 없습니다: {reason.reason}."),
    Entry("configuration.notFile", en: "config.toml is not a file.", ko: "config.toml이 파일이 아닙니다."),
    Entry(
      "configuration.tooLong", en: "config.toml is longer than {limit} bytes.", ko: "config.toml이 {limit}바이트보다 깁니다."),
    Entry(
      "configuration.notOwn",
      en:
        "config.toml belongs to another user, or others may write to it: “chmod go-w” it. It names commands that are run.",
      ko: "config.toml이 다른 사용자의 것이거나 다른 사용자가 쓸 수 있습니다. 실행할 명령이 들어 있으므로 “chmod go-w”로 막으십시오."),
    Entry("configuration.notUTF8", en: "config.toml is not written in UTF-8.", ko: "config.toml의 문자 인코딩이 UTF-8이 아닙니다."),
    Entry(
      "configuration.nul", en: "config.toml, line {line}: NUL characters are not allowed.",
      ko: "config.toml {line}행: NUL 문자는 쓸 수 없습니다."),
    Entry(
      "configuration.syntax", en: "config.toml, line {line}: this is not TOML ({reason}).",
      ko: "config.toml {line}행: TOML 문법에 맞지 않습니다({reason})."),
    Entry(
      "configuration.unknownKey", en: "config.toml, line {line}: there is no key “{key}”.",
      ko: "config.toml {line}행: ‘{key}’ 키는 없습니다."),
    Entry("configuration.unknownKey.advice", en: "Did you mean “{nearest}”?", ko: "혹시 ‘{nearest}’입니까?"),
  ]

  /// Values that are not what their key wants.
  private static let values: [Entry] = [
    Entry(
      "configuration.wantsSection", en: "config.toml, line {line}: “{key}” must be a section that begins with [{key}].",
      ko: "config.toml {line}행: ‘{key}’은(는) [{key}]로 시작하는 섹션이어야 합니다."),
    Entry(
      "configuration.wantsText", en: "config.toml, line {line}: “{key}” must be a text in quotation marks.",
      ko: "config.toml {line}행: ‘{key}’은(는) 따옴표로 묶은 글이어야 합니다."),
    Entry(
      "configuration.wantsTexts",
      en: "config.toml, line {line}: “{key}” must be a list of texts, such as [\"a\", \"b\"].",
      ko: "config.toml {line}행: ‘{key}’은(는) [\"a\", \"b\"]와 같은 글 목록이어야 합니다."),
    Entry(
      "configuration.wantsBoolean", en: "config.toml, line {line}: “{key}” must be true or false.",
      ko: "config.toml {line}행: ‘{key}’은(는) true나 false여야 합니다."),
    Entry(
      "configuration.wantsInteger",
      en: "config.toml, line {line}: “{key}” must be a whole number from {least} to {most}.",
      ko: "config.toml {line}행: ‘{key}’은(는) {least}부터 {most}까지의 정수여야 합니다."),
    Entry(
      "configuration.notOneOf", en: "config.toml, line {line}: “{key}” must be one of: {choices}.",
      ko: "config.toml {line}행: ‘{key}’은(는) 다음 중 하나여야 합니다: {choices}."),
    Entry(
      "configuration.wantsZone", en: "config.toml, line {line}: “{key}” must be a time zone, such as \"Asia/Seoul\".",
      ko: "config.toml {line}행: ‘{key}’은(는) \"Asia/Seoul\"과 같은 시간대여야 합니다."),
    Entry(
      "configuration.wantsTime",
      en: "config.toml, line {line}: “{key}” must be a time from \"00:00\" to \"23:59\".",
      ko: "config.toml {line}행: ‘{key}’은(는) \"00:00\"부터 \"23:59\"까지의 시각이어야 합니다."),
    Entry(
      "configuration.wantsContact", en: "config.toml, line {line}: “{key}” must be an e-mail address or a URL.",
      ko: "config.toml {line}행: ‘{key}’은(는) 이메일 주소나 URL이어야 합니다."),
    Entry(
      "configuration.wantsOrigin",
      en: "config.toml, line {line}: “{key}” wants scheme, host and port alone, such as \"https://example.org:8443\".",
      ko: "config.toml {line}행: ‘{key}’에는 \"https://example.org:8443\"처럼 스킴, 호스트, 포트만 쓸 수 있습니다."),
    Entry(
      "configuration.wantsURL",
      en: "config.toml, line {line}: “{key}” must be an http or https URL without a query.",
      ko: "config.toml {line}행: ‘{key}’은(는) 쿼리가 없는 http 또는 https URL이어야 합니다."),
    Entry(
      "configuration.wantsCredentialOrigin",
      en: "config.toml, line {line}: “{key}” lacks the “origin” that the credential is for.",
      ko: "config.toml {line}행: ‘{key}’에 인증 정보를 보낼 곳인 ‘origin’이 없습니다."),
    Entry(
      "configuration.wantsOneSource",
      en: "config.toml, line {line}: “{key}” must have exactly one of “env”, “file” and “command”.",
      ko: "config.toml {line}행: ‘{key}’에는 ‘env’, ‘file’, ‘command’ 가운데 정확히 하나가 있어야 합니다."),
    Entry(
      "configuration.wantsVariable",
      en: "config.toml, line {line}: “{key}” must be the name of an environment variable.",
      ko: "config.toml {line}행: ‘{key}’은(는) 환경 변수의 이름이어야 합니다."),
    Entry(
      "configuration.wantsAbsolutePath",
      en: "config.toml, line {line}: “{key}” must be an absolute path that begins with a slash.",
      ko: "config.toml {line}행: ‘{key}’은(는) 빗금(/)으로 시작하는 절대 경로여야 합니다."),
    Entry(
      "configuration.wantsCommand",
      en: "config.toml, line {line}: “{key}” must name a program and its arguments, such as [\"pass\", \"work\"].",
      ko: "config.toml {line}행: ‘{key}’은(는) [\"pass\", \"work\"]처럼 프로그램과 그 인수여야 합니다."),
    Entry(
      "configuration.undefinedCredential",
      en: "config.toml, line {line}: the credential “{name}” of “{key}” is not defined.",
      ko: "config.toml {line}행: ‘{key}’의 인증 정보 ‘{name}’이(가) 정의되지 않았습니다."),
    Entry(
      "configuration.undefinedCredential.advice", en: "Define it as [credentials.{name}].",
      ko: "[credentials.{name}]에 정의하십시오."),
    Entry(
      "configuration.otherOrigin",
      en: "config.toml, line {line}: the credential “{name}” of “{key}” is for {origin} and will not be sent.",
      ko: "config.toml {line}행: ‘{key}’의 인증 정보 ‘{name}’은(는) {origin}에만 보내므로 쓰이지 않습니다."),
  ]

  private static let credentials: [Entry] = [
    Entry(
      "credential.noVariable",
      en: "The credential “{name}” wants the environment variable {variable}, which is not set.",
      ko: "인증 정보 ‘{name}’에 필요한 환경 변수 {variable}이(가) 없습니다."),
    Entry(
      "credential.noVariable.advice",
      en:
        "The daemon knows the variables of the shell that started it. Set {variable} there, end the daemon with “commonplace stop”, and the next command starts one that has it; or give the secret as `file` or `command`, which count at once.",
      ko:
        "데몬은 자신을 시작한 셸의 환경 변수만 압니다. 셸에서 {variable}을(를) 설정하고 ‘commonplace stop’으로 데몬을 끝내면 다음 명령이 그 변수를 가진 데몬을 시작합니다. 바로 쓰려면 `file`이나 `command`로 지정하십시오."
    ),
    Entry(
      "credential.unreadable", en: "The file {path} of the credential “{name}” cannot be read: {reason.reason}.",
      ko: "인증 정보 ‘{name}’의 파일 {path}을(를) 읽을 수 없습니다: {reason.reason}."),
    Entry(
      "credential.notFile", en: "{path}, of the credential “{name}”, is not a file.",
      ko: "인증 정보 ‘{name}’의 {path}이(가) 파일이 아닙니다."),
    Entry(
      "credential.notPrivate",
      en: "The file {path} of the credential “{name}” belongs to or can be read by others.",
      ko: "인증 정보 ‘{name}’의 파일 {path}이(가) 다른 사용자의 것이거나 다른 사용자에게 열려 있습니다."),
    Entry(
      "credential.notPrivate.advice", en: "It must be yours alone: chmod 600 {path}",
      ko: "혼자만 읽을 수 있게 하십시오: chmod 600 {path}"),
    Entry(
      "credential.notStarted", en: "The command {program} of the credential “{name}” cannot be run: {reason.reason}.",
      ko: "인증 정보 ‘{name}’의 명령 {program}을(를) 실행할 수 없습니다: {reason.reason}."),
    Entry(
      "credential.commandFailed",
      en: "The command {program} of the credential “{name}” failed with status {status}.",
      ko: "인증 정보 ‘{name}’의 명령 {program}이(가) 상태 {status}으로(로) 실패했습니다."),
    Entry(
      "credential.commandCrashed", en: "The command {program} of the credential “{name}” crashed.",
      ko: "인증 정보 ‘{name}’의 명령 {program}이(가) 비정상 종료되었습니다."),
    Entry(
      "credential.timedOut", en: "The command {program} of the credential “{name}” took too long and was ended.",
      ko: "인증 정보 ‘{name}’의 명령 {program}이(가) 너무 오래 걸려 중단했습니다."),
    Entry("credential.empty", en: "The credential “{name}” is empty.", ko: "인증 정보 ‘{name}’이(가) 비어 있습니다."),
    Entry("credential.tooLong", en: "The credential “{name}” is too long.", ko: "인증 정보 ‘{name}’이(가) 너무 깁니다."),
    Entry(
      "credential.notOneLine", en: "The credential “{name}” must be one line without NUL characters.",
      ko: "인증 정보 ‘{name}’은(는) NUL 문자가 없는 한 줄이어야 합니다."),
    Entry(
      "credential.notUTF8", en: "The credential “{name}” is not written in UTF-8.",
      ko: "인증 정보 ‘{name}’의 문자 인코딩이 UTF-8이 아닙니다."),
  ]

  private static let paths: [Entry] = [
    Entry(
      "paths.noHome", en: "There is no home folder: neither HOME nor {variable} is set to an absolute path.",
      ko: "홈 폴더를 알 수 없습니다. HOME과 {variable} 가운데 절대 경로로 설정된 것이 없습니다."),
    Entry("paths.emptyOption", en: "{option} wants a path.", ko: "{option}에는 경로가 필요합니다."),
    Entry("paths.noHome.advice", en: "Set HOME.", ko: "HOME을 설정하십시오."),
    Entry(
      "paths.socketTooLong",
      en: "The path of the socket has {length} bytes, and the system allows {limit}: {path}",
      ko: "소켓 경로가 {length}바이트로, 시스템이 허용하는 {limit}바이트를 넘습니다: {path}"),
    Entry(
      "paths.socketTooLong.advice", en: "Choose a shorter one with --socket.", ko: "--socket으로 더 짧은 경로를 지정하십시오."),
    Entry(
      "paths.runtimeFolder",
      en: "XDG_RUNTIME_DIR names {path}, which is not a folder of yours with mode 0700; the socket is {socket}.",
      ko: "XDG_RUNTIME_DIR의 {path}이(가) 사용자 소유의 0700 폴더가 아니어서 소켓을 {socket}에 둡니다."),
  ]
}
