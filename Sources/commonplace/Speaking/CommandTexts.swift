import Display

/// What this command says of itself; everything else it says is the daemon's.
enum CommandTexts {
  private typealias Entry = Catalogue.Entry

  static let entries: [Catalogue.Entry] =
    daemon + sockets + arguments + changes + tables + ParserError.texts

  private static let daemon: [Entry] = [
    Entry(
      "command.serving", en: "Serving {library} at {socket}. Ctrl-C ends it.",
      ko: "{socket}에서 {library}을(를) 제공하고 있습니다. Ctrl-C로 끝냅니다."),
    Entry(
      "command.running", en: "The daemon ({pid}) serves {library} at {socket}.",
      ko: "데몬({pid})이 {socket}에서 {library}을(를) 제공하고 있습니다."),
    Entry(
      "command.socketGone", en: "The daemon ({pid}) runs, but its socket {socket} is gone.",
      ko: "데몬({pid})이 실행 중이지만 소켓 {socket}이(가) 없어졌습니다."),
    Entry(
      "command.socketGone.advice",
      en: "End it with “commonplace stop”; the next command starts another.",
      ko: "‘commonplace stop’으로 끝내십시오. 다음 명령이 새 데몬을 시작합니다."),
    Entry("command.daemonEnded", en: "The daemon has ended.", ko: "데몬이 종료되었습니다."),
    Entry("command.daemonEnded.advice", en: "The next command starts it again.", ko: "다음 명령이 데몬을 다시 시작합니다."),
    Entry(
      "command.endedUnanswered", en: "The daemon has ended before it answered; what was asked may be done or not.",
      ko: "데몬이 답하기 전에 종료되어, 요청한 일이 되었는지 알 수 없습니다."),
    Entry(
      "command.endedUnanswered.advice",
      en: "Look whether it is there before you repeat it. The next command starts the daemon again.",
      ko: "되풀이하기 전에 먼저 확인하십시오. 다음 명령이 데몬을 다시 시작합니다."),
    Entry(
      "command.daemonSilent", en: "No daemon took the connection within ten seconds.",
      ko: "10초 안에 연결을 받은 데몬이 없습니다."),
    Entry("command.daemonSilent.advice", en: "Its log is {log}.", ko: "로그는 {log}에 있습니다."),
    Entry(
      "command.daemonDied", en: "The daemon ended before it served anybody.", ko: "데몬이 제공을 시작하기 전에 끝났습니다."),
    Entry("command.daemonDied.advice", en: "Its log is {log}.", ko: "로그는 {log}에 있습니다."),
    Entry(
      "command.daemonStays", en: "The daemon ({pid}) was asked to end and has not.",
      ko: "데몬({pid})이 종료 요청을 받고도 끝나지 않았습니다."),
    Entry(
      "command.ownerUnproven",
      en: "The lock file names process {pid}, which does not hold the library; it was not asked to end.",
      ko: "잠금 파일에 적힌 프로세스 {pid}이(가) 서재를 잡고 있지 않아 종료를 요청하지 않았습니다."),
    Entry(
      "command.ownerUnproven.advice",
      en: "If the daemon runs in a container or as another user, stop it there.",
      ko: "데몬이 컨테이너 안이나 다른 사용자로 실행 중이면 그곳에서 종료하십시오."),
    Entry("command.stopped", en: "The daemon ({pid}) has ended.", ko: "데몬({pid})이 종료되었습니다."),
    Entry("command.noneRuns", en: "No daemon serves {library}.", ko: "{library}을(를) 제공하는 데몬이 없습니다."),
    Entry(
      "command.privateRuns", en: "The library is served to one program alone, by process {pid}.",
      ko: "프로세스 {pid}이(가) 한 프로그램에만 서재를 제공하고 있습니다."),
    Entry(
      "command.privateRuns.advice", en: "It was left running; it ends with that program.",
      ko: "그대로 두었습니다. 그 프로그램과 함께 끝납니다."),
    Entry(
      "command.notStarted", en: "The daemon could not be started: {reason}.",
      ko: "데몬을 시작하지 못했습니다: {reason}."),
    Entry(
      "command.otherVersion", en: "The daemon that runs is of version {theirs}, this command of {ours}.",
      ko: "실행 중인 데몬은 {theirs} 버전이고 이 명령은 {ours} 버전입니다."),
    Entry(
      "command.otherVersion.advice", en: "It is in use and was left running.",
      ko: "사용 중이어서 그대로 두었습니다."),
    Entry(
      "command.unknownZone", en: "TZ is “{name}”, which is no time zone that is known here.",
      ko: "TZ의 ‘{name}’은(는) 알려진 시간대가 아닙니다."),
    Entry(
      "command.unknownZone.advice", en: "The daemon's holds; name one such as Asia/Seoul.",
      ko: "데몬의 시간대를 씁니다. Asia/Seoul과 같은 이름을 쓰십시오."),
    Entry(
      "command.otherZone", en: "TZ is “{name}”, which is no time zone that is known here; the daemon's is {zone}.",
      ko: "TZ의 ‘{name}’은(는) 알려진 시간대가 아니어서 데몬은 {zone} 시간대를 씁니다."),
    Entry(
      "command.badClientName", en: "{variable} is blank, or longer than {limit} characters.",
      ko: "{variable}이(가) 비어 있거나 {limit}자보다 깁니다."),
    Entry(
      "command.badClientName.advice", en: "Set it to a name for this terminal, or unset it.",
      ko: "이 터미널의 이름을 넣거나 변수를 없애십시오."),
    Entry("command.failed", en: "It failed: {reason}.", ko: "실패했습니다: {reason}."),
  ]

  private static let sockets: [Entry] = [
    Entry("command.socketInUse", en: "Another process listens at the socket.", ko: "다른 프로세스가 그 소켓을 쓰고 있습니다."),
    Entry("command.socketInUse.advice", en: "Name another one with --socket.", ko: "--socket으로 다른 소켓을 지정하십시오."),
    Entry(
      "command.socketNotOurs", en: "Something that is not a socket of yours stands at the socket's path.",
      ko: "소켓의 경로에 본인의 소켓이 아닌 다른 것이 있습니다."),
    Entry(
      "command.socketNotOurs.advice", en: "It was left alone; move it, or name another path with --socket.",
      ko: "건드리지 않았습니다. 옮기거나 --socket으로 다른 경로를 지정하십시오."),
    Entry(
      "command.socketForeign", en: "Another user's program listens at the socket, so nothing was sent to it.",
      ko: "소켓에서 다른 사용자의 프로그램이 기다리고 있어 아무것도 보내지 않았습니다."),
    Entry(
      "command.socketForeign.advice", en: "Name a socket in a folder of your own with --socket.",
      ko: "--socket으로 자신의 폴더에 있는 소켓을 지정하십시오."),
    Entry(
      "command.socketFailed", en: "The socket cannot be used: {reason.reason}.", ko: "소켓을 쓸 수 없습니다: {reason.reason}."),
    Entry(
      "command.socketTooLong", en: "The socket's path is longer than {limit} bytes.",
      ko: "소켓의 경로가 {limit}바이트보다 깁니다."),
    Entry(
      "command.otherLibrary", en: "The daemon at {socket} serves another library.",
      ko: "{socket}의 데몬은 다른 서재를 제공합니다."),
    Entry(
      "command.otherSocket", en: "The daemon ({pid}) that has the library listens at {socket}.",
      ko: "서재를 쓰는 데몬({pid})의 소켓은 {socket}입니다."),
    Entry(
      "command.otherSocket.advice", en: "Leave out --socket, or end that daemon first with “commonplace stop”.",
      ko: "--socket을 빼거나 먼저 ‘commonplace stop’으로 그 데몬을 끝내십시오."),
    Entry("command.otherLibrary.advice", en: "Leave out --socket or --library.", ko: "--socket이나 --library를 빼십시오."),
  ]

  /// What `watch` prints for people.
  private static let changes: [Entry] = [
    Entry("watch.added", en: "{item.item} added", ko: "{item.item} 추가"),
    Entry("watch.changed", en: "{item.item} changed", ko: "{item.item} 변경"),
    Entry("watch.moved", en: "{item.item} moved from {from} to {to}", ko: "{item.item} 이동({from} → {to})"),
    Entry("watch.removed", en: "{item.item} removed", ko: "{item.item} 삭제"),
    Entry("watch.undone", en: "undone: {what}", ko: "실행 취소: {what}"),
    Entry("watch.redone", en: "redone: {what}", ko: "다시 실행: {what}"),
    Entry(
      "watch.found", en: "saved search “{title}”: {added} came, {removed} went, {count} now",
      ko: "저장한 검색 ‘{title}’: 새로 {added}건, 빠짐 {removed}건, 지금 {count}건"),
    Entry(
      "watch.foundMuch", en: "saved search “{title}”: very many came or went, {count} now",
      ko: "저장한 검색 ‘{title}’: 아주 많이 바뀌어 지금 {count}건"),
    Entry("watch.day", en: "it is {day} now", ko: "오늘은 {day}입니다"),
    Entry(
      "watch.overdue", en: "{count} {count|card is|cards are} overdue now", ko: "카드 {count}개의 마감일이 지났습니다"),
    Entry("watch.manyOverdue", en: "many cards are overdue now", ko: "많은 카드의 마감일이 지났습니다"),
    Entry(
      "watch.waiting", en: "The daemon has ended; waiting for the next one.",
      ko: "데몬이 종료되었습니다. 다음 데몬을 기다립니다."),
    Entry("watch.returned", en: "A daemon serves the library again.", ko: "데몬이 다시 서재를 제공합니다."),
    Entry("watch.reset", en: "too much changed to be listed", ko: "바뀐 것이 너무 많아 나열하지 않습니다"),
    Entry(
      "watch.resetOf", en: "too much changed to be listed: {names}", ko: "바뀐 것이 너무 많아 나열하지 않습니다: {names}"),
  ]

  /// What stands in tables and below them.
  private static let tables: [Entry] = [
    Entry("table.none", en: "There is nothing.", ko: "아무것도 없습니다."),
    Entry("table.noneMore", en: "There is nothing more.", ko: "더 없습니다."),
    Entry("table.noneKept", en: "Nothing of it is kept here.", ko: "받아 둔 것이 없습니다."),
    Entry("table.done", en: "Done.", ko: "완료했습니다."),
    Entry("table.outdated", en: "outdated", ko: "뒤처짐"),
    Entry("table.confirm", en: "To do it:", ko: "실행하려면:"),
    Entry("table.became", en: "{item.item} {what}", ko: "{item.item} {what}"),
    Entry("table.undone", en: "Undone: {label} (commit {clock})", ko: "실행 취소: {label} (커밋 {clock})"),
    Entry("table.redone", en: "Redone: {label} (commit {clock})", ko: "다시 실행: {label} (커밋 {clock})"),
    Entry("table.streak", en: "{count} {count|day|days} in a row now.", ko: "현재 연속 {count}일."),
    Entry("table.longestStreak", en: "{count} {count|day|days} in a row at most.", ko: "최장 연속 {count}일."),
    Entry("table.page", en: "p. {page}", ko: "{page}쪽"),
    Entry("table.unread", en: "{count} unread", ko: "안 읽음 {count}"),
    Entry(
      "table.more", en: "{shown} {shown|is|are} shown, and there is more.", ko: "{shown}개를 표시했고 더 있습니다."),
    Entry(
      "table.moreByOffset", en: "{shown} {shown|is|are} shown; more with offset={offset}",
      ko: "{shown}개를 표시했습니다. offset={offset}(으)로 더 볼 수 있습니다."),
    Entry(
      "table.next", en: "{shown} of {total} {shown|is|are} shown; more with after={next}",
      ko: "{total}개 가운데 {shown}개를 표시했습니다. after={next}로 더 볼 수 있습니다."),
    Entry(
      "table.nextAbout", en: "{shown} of about {total} {shown|is|are} shown; more with after={next}",
      ko: "약 {total}개 가운데 {shown}개를 표시했습니다. after={next}로 더 볼 수 있습니다."),
    Entry(
      "table.perhaps", en: "{shown} {shown|is|are} shown; perhaps more with after={next}",
      ko: "{shown}개를 표시했습니다. after={next}로 더 있는지 볼 수 있습니다."),
  ]

  private static let arguments: [Entry] = [
    Entry("command.unknownCommand", en: "There is no command “{name}”.", ko: "‘{name}’ 명령은 없습니다."),
    Entry(
      "command.unknownCommand.advice", en: "“commonplace help” lists them.", ko: "‘commonplace help’로 전체 목록을 볼 수 있습니다."),
    Entry("command.unknownCommandNearest", en: "There is no command “{name}”.", ko: "‘{name}’ 명령은 없습니다."),
    Entry(
      "command.unknownCommandNearest.advice", en: "Did you mean “{nearest}”? “commonplace help” lists them.",
      ko: "혹시 ‘{nearest}’입니까? ‘commonplace help’로 전체 목록을 볼 수 있습니다."),
    Entry(
      "command.optionBeforeCommand", en: "“{option}” stands before the command.",
      ko: "‘{option}’ 옵션이 명령보다 앞에 있습니다."),
    Entry(
      "command.optionBeforeCommand.advice", en: "Write it behind: “commonplace call session/status {option} …”.",
      ko: "‘commonplace call session/status {option} …’처럼 명령 뒤에 쓰십시오."),
    Entry("command.methodAsCommand", en: "There is no command “{name}”.", ko: "‘{name}’ 명령은 없습니다."),
    Entry(
      "command.methodAsCommand.advice",
      en: "“commonplace call {method}” calls the method; “commonplace help” lists the commands.",
      ko: "메서드는 ‘commonplace call {method}’로 호출합니다. ‘commonplace help’로 명령 목록을 볼 수 있습니다."),
    Entry("command.unknownMethod", en: "There is no method “{method}”.", ko: "‘{method}’ 메서드는 없습니다."),
    Entry(
      "command.unknownMethod.advice", en: "“commonplace describe” lists them all.",
      ko: "‘commonplace describe’로 전체 목록을 볼 수 있습니다."),
    Entry("command.unknownMethodNearest", en: "There is no method “{method}”.", ko: "‘{method}’ 메서드는 없습니다."),
    Entry(
      "command.unknownMethodNearest.advice",
      en: "Did you mean “{nearest}”? “commonplace describe” lists them all.",
      ko: "혹시 ‘{nearest}’입니까? ‘commonplace describe’로 전체 목록을 볼 수 있습니다."),
    Entry("command.methodIsArea", en: "There is no method “{method}”.", ko: "‘{method}’ 메서드는 없습니다."),
    Entry(
      "command.methodIsArea.advice", en: "“commonplace describe {area}” lists those of {area}.",
      ko: "‘commonplace describe {area}’로 {area}의 메서드 목록을 볼 수 있습니다."),
    Entry(
      "command.notAPair", en: "“{argument}” is neither JSON nor key=value.",
      ko: "‘{argument}’은(는) JSON도 key=value도 아닙니다."),
    Entry(
      "command.notAPair.advice", en: "Say which parameter it is, as in path=paper.pdf; --help lists them.",
      ko: "path=paper.pdf처럼 어느 매개변수인지 쓰십시오. --help로 목록을 볼 수 있습니다."),
    Entry(
      "command.oneElement", en: "{name} is a list of one: “{text}”.", ko: "{name}은(는) ‘{text}’ 하나뿐인 목록입니다."),
    Entry("command.oneElement.advice", en: "For several, write {instead}", ko: "여러 개라면 {instead}(으)로 쓰십시오."),
    Entry(
      "command.notJSON", en: "{name} is not JSON: byte {offset} was not expected there.",
      ko: "{name}은(는) JSON이 아닙니다. {offset}번째 바이트를 읽을 수 없습니다."),
    Entry(
      "command.secretOnCommandLine", en: "“{name}” is secret, and everybody on this computer can see a command line.",
      ko: "‘{name}’은(는) 비밀인데 명령줄은 이 컴퓨터의 누구나 볼 수 있습니다."),
    Entry(
      "command.secretOnCommandLine.advice", en: "Give it as {name}=@file or {name}=@-.",
      ko: "{name}=@file 또는 {name}=@-로 주십시오."),
    Entry(
      "command.notSaved", en: "Nothing was saved: the text is empty or only white space.",
      ko: "내용이 비어 있거나 공백뿐이어서 저장하지 않았습니다."),
    Entry(
      "command.allFailed", en: "Nothing of it could be done; the answer says why.",
      ko: "아무것도 하지 못했습니다. 까닭은 응답에 있습니다."),
    Entry(
      "command.partFailed", en: "{failed} of {tried} could not be done; the answer says why.",
      ko: "{tried}개 가운데 {failed}개를 하지 못했습니다. 까닭은 응답에 있습니다."),
    Entry("command.noLibrary", en: "There is no library at {library}.", ko: "{library}에 서재가 없습니다."),
    Entry(
      "command.noLibrary.advice", en: "If the path is right, “commonplace serve --library {library}” makes one.",
      ko: "경로가 맞다면 ‘commonplace serve --library {library}’로 만들 수 있습니다."),
    Entry("command.noFile", en: "There is no file {path}.", ko: "{path} 파일이 없습니다."),
    Entry("command.notUTF8", en: "{name} is not UTF-8 text.", ko: "{name}은(는) UTF-8 글이 아닙니다."),
    Entry(
      "command.unreadable", en: "{path} cannot be read: {reason.reason}.", ko: "{path}을(를) 읽을 수 없습니다: {reason.reason}."),
  ]
}
