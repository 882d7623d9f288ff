extension Catalogue {
  /// What the network did not give, for all features that ask it.
  static let networkTexts: [Entry] = [
    Entry(
      "network.invalidURL", en: "That is no URL that can be fetched: {reason.reason}.",
      ko: "가져올 수 없는 URL입니다: {reason.reason}."),
    Entry(
      "network.invalidURL.advice", en: "Give a complete http or https URL, such as https://example.org/feed.xml.",
      ko: "https://example.org/feed.xml처럼 완전한 http 또는 https URL을 지정하십시오."),
    Entry("network.badHeader", en: "The header {name} cannot be sent.", ko: "{name} 헤더를 보낼 수 없습니다."),
    Entry(
      "network.badHeader.advice", en: "A line break or a control character is in its value; look at config.toml.",
      ko: "값에 줄바꿈이나 제어 문자가 있습니다. config.toml을 확인하십시오."),
    Entry(
      "network.refusedAddress",
      en: "{host} leads to the private address {address}, where the library goes only if you name it yourself, and not "
        + "because a redirect or a name leads there.",
      ko: "{host}은(는) 사설 주소 {address}(으)로 이어집니다. 직접 적은 주소가 아니라 다른 곳에서 넘어온 주소이므로 열지 않습니다."),
    Entry(
      "network.refusedAddress.advice", en: "List {origin} under `network.allow` in config.toml.",
      ko: "config.toml의 `network.allow`에 {origin}을(를) 적으십시오."),
    Entry(
      "network.refusedRedirect",
      en: "A redirect leads to the private address {address}, where the library goes only if you name it yourself.",
      ko: "사설 주소 {address}(으)로 넘어가게 되어 있습니다. 직접 적은 주소가 아니므로 열지 않습니다."),
    Entry(
      "network.refusedRedirect.advice", en: "List {origin} under `network.allow` in config.toml.",
      ko: "config.toml의 `network.allow`에 {origin}을(를) 적으십시오."),
    Entry(
      "network.unreachable", en: "{host} cannot be reached: {reason.reason}.",
      ko: "{host}에 연결할 수 없습니다: {reason.reason}."),
    Entry(
      "network.unreachable.advice", en: "Check the address and the network, then try again.",
      ko: "주소와 네트워크를 확인한 뒤 다시 시도하십시오."),
    Entry(
      "network.brokenOff",
      en: "The answer of {host} broke off in the middle: the connection was lost after {count} {count|byte|bytes}.",
      ko: "{host}의 응답이 도중에 끊겼습니다. {count}바이트를 받은 뒤 연결이 끊어졌습니다."),
    Entry("network.brokenOff.advice", en: "Try again later.", ko: "나중에 다시 시도하십시오."),
    Entry("network.silent", en: "{host} did not answer in time.", ko: "{host}이(가) 제시간에 응답하지 않았습니다."),
    Entry("network.silent.advice", en: "Try again later.", ko: "나중에 다시 시도하십시오."),
    Entry("network.httpStatus", en: "{url} answered with status {code}.", ko: "{url}이(가) 상태 코드 {code}(으)로 응답했습니다."),
    Entry(
      "network.httpStatus.advice", en: "Open the address in a browser to see what it has become.",
      ko: "브라우저에서 주소를 열어 확인하십시오."),
    Entry(
      "network.serverTrouble", en: "{url} answered with status {code}.",
      ko: "{url}이(가) 상태 코드 {code}(으)로 응답했습니다."),
    Entry("network.serverTrouble.advice", en: "Try again later.", ko: "나중에 다시 시도하십시오."),
    Entry(
      "network.serviceStatus", en: "{service} at {origin} answered with status {code}.",
      ko: "{service}({origin})이(가) 상태 코드 {code}(으)로 응답했습니다."),
    Entry(
      "network.serviceStatus.advice", en: "Try again later; if it stays so, check its address in the configuration.",
      ko: "나중에 다시 시도하고, 계속되면 설정에서 주소를 확인하십시오."),
    Entry(
      "network.noSecretPlace",
      en: "{url} has the place {place} for a secret, but no credential fills it.",
      ko: "{url}에 비밀 값의 자리 {place}이(가) 있지만 채울 인증 정보가 없습니다."),
    Entry(
      "network.noSecretPlace.advice",
      en: "Define it as [credentials.NAME] in config.toml with its origin, and give the name as `credential`.",
      ko: "config.toml에 [credentials.이름]을 origin과 함께 정의한 뒤 그 이름을 credential로 지정하십시오."),
    Entry(
      "network.secretTooShort",
      en: "The secret of the credential “{name}” is too short to be put into a URL.",
      ko: "인증 정보 ‘{name}’의 값이 너무 짧아 URL에 넣을 수 없습니다."),
    Entry(
      "network.secretTooShort.advice",
      en: "It could not be told apart from other words of the answer. Use one of {count} characters or more.",
      ko: "응답의 다른 글자와 구별할 수 없습니다. {count}자 이상의 값을 쓰십시오."),
    Entry(
      "network.rateLimited", en: "{host} wants fewer requests.", ko: "{host}이(가) 요청을 줄여 달라고 합니다."),
    Entry(
      "network.rateLimited.advice", en: "Ask again in {seconds} {seconds|second|seconds}.",
      ko: "{seconds}초 뒤에 다시 시도하십시오."),
    Entry(
      "network.rateLimitedOver", en: "{host} wanted fewer requests.", ko: "{host}이(가) 요청을 줄여 달라고 했습니다."),
    Entry("network.rateLimitedOver.advice", en: "Ask again now.", ko: "지금 다시 시도하십시오."),
    Entry(
      "network.closed", en: "{host} answers nothing for now: {reason.reason}.",
      ko: "{host}이(가) 지금은 응답하지 않습니다: {reason.reason}."),
    Entry(
      "network.closed.advice", en: "Ask again in {seconds} {seconds|second|seconds}.",
      ko: "{seconds}초 뒤에 다시 시도하십시오."),
    Entry(
      "network.closedOver", en: "{host} answered nothing for a while: {reason.reason}.",
      ko: "{host}이(가) 한동안 응답하지 않았습니다: {reason.reason}."),
    Entry("network.closedOver.advice", en: "Ask again now.", ko: "지금 다시 시도하십시오."),
    Entry(
      "network.resting", en: "{host} failed several times in a row and is left alone for a while.",
      ko: "{host}이(가) 여러 번 잇따라 실패하여 잠시 요청하지 않습니다."),
    Entry(
      "network.resting.advice", en: "Ask again in {seconds} {seconds|second|seconds}.",
      ko: "{seconds}초 뒤에 다시 시도하십시오."),
    Entry(
      "network.restingOver", en: "{host} failed several times in a row and was left alone for a while.",
      ko: "{host}이(가) 여러 번 잇따라 실패하여 한동안 요청하지 않았습니다."),
    Entry("network.restingOver.advice", en: "Ask again now.", ko: "지금 다시 시도하십시오."),
    Entry("network.unauthorized", en: "{host} wants another credential.", ko: "{host}이(가) 다른 인증 정보를 요구합니다."),
    Entry(
      "network.unauthorized.advice", en: "Check the credential in config.toml.", ko: "config.toml의 인증 정보를 확인하십시오."),
    Entry("network.wantsCredential", en: "{host} wants to know who asks.", ko: "{host}에 접속하려면 인증이 필요합니다."),
    Entry(
      "network.wantsCredential.advice",
      en:
        "Define a credential as [credentials.NAME] in config.toml, with origin = \"{host}\" and one of env, file and command, and give its NAME as `credential`.",
      ko:
        "config.toml의 [credentials.이름]에 origin = \"{host}\"과 env, file, command 가운데 하나를 정의하고 그 이름을 `credential`로 지정하십시오."
    ),
    Entry(
      "network.refused", en: "{host} refuses the request: {reason.reason}.",
      ko: "{host}이(가) 요청을 거절합니다: {reason.reason}."),
    Entry(
      "network.refused.advice", en: "Check the credential in config.toml.", ko: "config.toml의 인증 정보를 확인하십시오."),
    Entry(
      "network.tooLarge", en: "The answer is larger than {limit} MiB.", ko: "응답이 {limit} MiB보다 큽니다."),
    Entry(
      "network.badResponse", en: "The server's answer cannot be used: {reason.reason}.",
      ko: "서버의 응답을 쓸 수 없습니다: {reason.reason}."),
    Entry(
      "network.serviceAnswer", en: "The answer of {service} cannot be used: {reason.reason}.",
      ko: "{service}의 응답을 쓸 수 없습니다: {reason.reason}."),
    Entry(
      "network.fileError", en: "A file that a download needs cannot be read or written: {reason.reason}.",
      ko: "내려받기에 필요한 파일을 읽거나 쓸 수 없습니다: {reason.reason}."),
    Entry(
      "network.fileError.advice",
      en: "Check that the library's folder and the caches, whose path `session/status` gives, are yours and writable.",
      ko: "서재 폴더와 `session/status`가 알려 주는 캐시 폴더가 본인의 것이고 쓸 수 있는지 확인하십시오."),
    Entry("network.offline", en: "The daemon is set to stay offline.", ko: "데몬이 오프라인으로 설정되어 있습니다."),
    Entry(
      "network.offline.advice", en: "`network.offline` in config.toml says so.",
      ko: "config.toml의 `network.offline`을 확인하십시오."),
    Entry("network.unavailable", en: "Nothing can be fetched: {reason.reason}.", ko: "가져올 수 없습니다: {reason.reason}."),
    Entry(
      "network.noCredential", en: "There is no credential “{name}” in config.toml.",
      ko: "config.toml에 ‘{name}’이라는 인증 정보가 없습니다."),
    Entry(
      "network.noCredential.advice", en: "Define it as [credentials.{name}] with its origin.",
      ko: "[credentials.{name}]에 origin과 함께 정의하십시오."),
    Entry(
      "network.oldConfiguration",
      en: "{sentence.failure} config.toml has a mistake, so what it said before still holds: {sentence.mistake}",
      ko: "{sentence.failure} config.toml에 잘못이 있어 전에 읽은 설정을 쓰고 있습니다. {sentence.mistake}"),
    Entry(
      "network.otherOrigin", en: "The credential “{name}” is for {origin} and is not sent to {other}.",
      ko: "인증 정보 ‘{name}’은(는) {origin}에만 보내므로 {other}에는 보내지 않습니다."),
    Entry(
      "network.otherOrigin.advice", en: "Define a credential for {other} in config.toml.",
      ko: "{other}에 쓸 인증 정보를 config.toml에 정의하십시오."),
  ]
}
