extension Catalogue {
  /// Why a library cannot be opened or written.
  static let libraryTexts: [Entry] = [
    Entry(
      "error.newerLibrary", en: "A newer Commonplace wrote the library {path}; this one does not know {found}.",
      ko: "서재 {path}은(는) 더 새로운 Commonplace가 기록한 것으로, 여기서는 {found}을(를) 알지 못합니다."),
    Entry(
      "error.newerLibrary.advice", en: "Install a newer Commonplace; the library was left as it is.",
      ko: "더 새로운 Commonplace를 설치하십시오. 서재는 그대로 두었습니다."),
    Entry(
      "error.libraryInUse", en: "The library is in use by another process ({pid}).",
      ko: "다른 프로세스({pid})가 서재를 쓰고 있습니다."),
    Entry(
      "error.libraryInUse.advice",
      en: "If that is its daemon, all other commands find it by themselves, and “commonplace stop” ends it.",
      ko: "그것이 데몬이면 다른 명령은 모두 알아서 찾아가고, ‘commonplace stop’으로 끝낼 수 있습니다."),
    Entry(
      "error.libraryInUseUnknown", en: "The library is in use by another process.",
      ko: "다른 프로세스가 서재를 쓰고 있습니다."),
    Entry(
      "error.libraryInUseUnknown.advice",
      en: "If that is its daemon, all other commands find it by themselves, and “commonplace stop” ends it.",
      ko: "그것이 데몬이면 다른 명령은 모두 알아서 찾아가고, ‘commonplace stop’으로 끝낼 수 있습니다."),
    Entry(
      "error.cannotUseFolder", en: "The folder {path} cannot be used: {reason.reason}.",
      ko: "폴더 {path}을(를) 쓸 수 없습니다: {reason.reason}."),
    Entry(
      "error.cannotUseFolder.advice", en: "Check that it exists and is yours, or name another one with --library.",
      ko: "폴더가 있고 본인의 것인지 확인하거나 --library로 다른 폴더를 지정하십시오."),
    Entry(
      "error.cannotUseFile", en: "The file {path} cannot be used: {reason.reason}.",
      ko: "파일 {path}을(를) 쓸 수 없습니다: {reason.reason}."),
    Entry(
      "error.cannotUseFile.advice", en: "Check that it and its folder are yours, and that the disk is writable.",
      ko: "파일과 그 폴더가 본인의 것인지, 디스크에 쓸 수 있는지 확인하십시오."),
    Entry(
      "error.libraryGone",
      en: "The library {path} was moved or removed while the daemon had it open; nothing was saved.",
      ko: "데몬이 쓰고 있는 동안 서재 {path}이(가) 옮겨지거나 삭제되어 아무것도 저장하지 않았습니다."),
    Entry(
      "error.libraryGone.advice",
      en: "The daemon ends now. Put the library back, or name its new place with --library; then connect again.",
      ko: "데몬이 종료됩니다. 서재를 제자리에 돌려놓거나 --library로 새 위치를 지정한 뒤 다시 연결하십시오."),
    Entry(
      "error.libraryTaken",
      en: "Another process took over the library {path}; this request was not carried out.",
      ko: "다른 프로세스가 서재 {path}을(를) 넘겨받아 이 요청을 처리하지 않았습니다."),
    Entry(
      "error.libraryTaken.advice", en: "This daemon ends now. Connect again to reach the other one.",
      ko: "이 데몬은 종료됩니다. 다시 연결하면 다른 데몬에 닿습니다."),
    Entry("error.readOnly", en: "This cannot be changed here.", ko: "이곳에서는 바꿀 수 없습니다."),
    Entry(
      "error.readOnlyLibrary", en: "The library {path} cannot be written.", ko: "서재 {path}에 쓸 수 없습니다."),
    Entry(
      "error.readOnlyLibrary.advice", en: "Check the permissions of its folder and whether the disk is writable.",
      ko: "폴더의 권한과 디스크에 쓸 수 있는지 확인하십시오."),
    Entry(
      "error.diskFull", en: "The disk is full; nothing was saved.", ko: "디스크가 가득 차서 저장하지 못했습니다."),
    Entry(
      "error.ioError", en: "The disk reported an input/output error at {path}; nothing was saved.",
      ko: "{path}에서 디스크 입출력 오류가 나서 저장하지 못했습니다."),
    Entry(
      "error.ioError.advice",
      en:
        "Check the disk and the system's log (“journalctl -k”), then start the daemon again. What is on the disk need not "
        + "be damaged.",
      ko: "디스크와 시스템 로그(‘journalctl -k’)를 살펴본 뒤 데몬을 다시 시작하십시오. 디스크에 있는 내용은 손상되지 않았을 수 있습니다."),
    Entry(
      "error.foreignLibrary",
      en: "The folder {path} belongs to another user, who could replace the library in it.",
      ko: "폴더 {path}은(는) 다른 사용자의 것이라 그 사용자가 서재를 바꿔 놓을 수 있습니다."),
    Entry(
      "error.foreignLibrary.advice",
      en: "Copy the library into a folder of your own, or name another one with --library.",
      ko: "서재를 자신의 폴더로 복사하거나 --library로 다른 폴더를 지정하십시오."),
    Entry(
      "error.libraryOpenToOthers",
      en: "Everybody may write into {path}, so another user could replace the library in it.",
      ko: "{path}에는 누구나 쓸 수 있어 다른 사용자가 그 안의 서재를 바꿔 놓을 수 있습니다."),
    Entry(
      "error.libraryOpenToOthers.advice",
      en: "Run “chmod o-w” on that folder, or name another library with --library.",
      ko: "그 폴더에 ‘chmod o-w’를 실행하거나 --library로 다른 서재를 지정하십시오."),
    Entry(
      "error.unfinishedWrite",
      en: "A large write failed halfway and cannot be undone yet: the disk has no room for that.",
      ko: "큰 쓰기 작업이 도중에 실패했는데, 디스크에 공간이 없어 아직 되돌리지 못했습니다."),
    Entry(
      "error.unfinishedWrite.advice",
      en: "Free some space. The library opens again by itself as soon as the write is undone.",
      ko: "공간을 확보하십시오. 되돌리기가 끝나면 서재가 저절로 다시 열립니다."),
    Entry(
      "error.unfinishedOnFailing",
      en: "A large write failed halfway and cannot be undone yet: the disk at {path} reports errors.",
      ko: "큰 쓰기 작업이 도중에 실패했는데, {path}의 디스크에 오류가 있어 아직 되돌리지 못했습니다."),
    Entry(
      "error.unfinishedOnFailing.advice",
      en:
        "Check the disk and the system's log (“journalctl -k”). The library opens again by itself as soon as the write "
        + "is undone.",
      ko: "디스크와 시스템 로그(‘journalctl -k’)를 살펴보십시오. 되돌리기가 끝나면 서재가 저절로 다시 열립니다."),
    Entry(
      "file.diskError", en: "The disk reported an input/output error while a file was read or written.",
      ko: "파일을 읽거나 쓰는 중에 디스크 입출력 오류가 났습니다."),
    Entry(
      "file.diskError.advice", en: "Check the disk and the system's log (“journalctl -k”), then try again.",
      ko: "디스크와 시스템 로그(‘journalctl -k’)를 살펴본 뒤 다시 시도하십시오."),
    Entry(
      "error.diskFull.advice", en: "Free some space and try again.", ko: "공간을 확보한 뒤 다시 시도하십시오."),
    Entry(
      "error.noRoomForSteps",
      en: "The library {path} must be brought to this version, which takes up to {needed} MiB of its disk; "
        + "{free} MiB are free.",
      ko: "서재 {path}을(를) 이 버전에 맞게 바꾸려면 디스크에 최대 {needed} MiB의 빈 공간이 필요하지만 {free} MiB만 남아 있습니다."),
    Entry(
      "error.noRoomForSteps.advice", en: "Nothing was changed. Free some space and try again.",
      ko: "아무것도 바뀌지 않았습니다. 공간을 확보한 뒤 다시 시도하십시오."),
    Entry(
      "error.brokenLibrary", en: "The library {path} is damaged: {reason.reason}.",
      ko: "서재 {path}이(가) 손상되었습니다: {reason.reason}."),
    Entry(
      "error.brokenLibrary.advice",
      en: "Restore a backup: end the daemon, and put the copy that “commonplace backup” made in the library's place.",
      ko: "백업을 되살리십시오. 데몬을 종료하고 ‘commonplace backup’으로 만든 사본을 서재 자리에 두십시오."),
    Entry(
      "error.networkFileSystem", en: "The library {path} lies on a network file system, where it cannot be kept safe.",
      ko: "서재 {path}이(가) 네트워크 파일 시스템에 있어 안전하게 보관할 수 없습니다."),
    Entry(
      "error.networkFileSystem.advice", en: "Move it to a disk of this computer.",
      ko: "이 컴퓨터의 디스크로 옮기십시오."),
  ]

  /// What `library/check` finds.
  static let checkTexts: [Entry] = [
    Entry(
      "check.file", en: "The database is damaged: {finding}.", ko: "데이터베이스가 손상되었습니다: {finding}."),
    Entry(
      "check.index", en: "The search index is damaged: {finding} Rebuild it with `rebuildIndex`.",
      ko: "검색 색인이 손상되었습니다: {finding} `rebuildIndex`로 다시 만드십시오."),
    Entry(
      "check.links", en: "The tables of links differ in {count} places from the texts; `rebuildIndex` makes them anew.",
      ko: "링크 표가 글과 {count}곳에서 다릅니다. `rebuildIndex`로 다시 만드십시오."),
    Entry(
      "check.rebuilding", en: "The search index is being rebuilt already.", ko: "검색 색인을 이미 다시 만드는 중입니다."),
    Entry(
      "check.rebuilding.advice", en: "Wait until it is done, then check again.",
      ko: "끝날 때까지 기다린 뒤 다시 확인하십시오."),
    Entry(
      "check.clock", en: "The library's clock is {clock}, but its newest commit is {newest}.",
      ko: "서재의 시계는 {clock}인데 가장 새로운 커밋은 {newest}입니다."),
    Entry(
      "check.revision",
      en: "In {collection}, {count} {count|item has|items have} a revision that no commit made.",
      ko: "{collection}에 어느 커밋에도 없는 리비전을 가진 항목이 {count}개 있습니다."),
    Entry(
      "check.blobUnknown", en: "An item of {collection} names a file that the library does not know: {hash}.",
      ko: "{collection}의 한 항목이 서재가 모르는 파일을 가리킵니다: {hash}."),
    Entry("check.blobMissing", en: "A file is missing: {hash}.", ko: "파일이 없습니다: {hash}."),
    Entry(
      "check.noRoomToShrink",
      en: "{bytes} bytes of the library's file are unused, and the disk has too little room to give them back. Free "
        + "some room, then repair again.",
      ko: "서재 파일에서 {bytes}바이트가 쓰이지 않지만 디스크에 공간이 모자라 돌려줄 수 없습니다. 공간을 비운 뒤 다시 "
        + "복구하십시오."),
    Entry("check.blobDamaged", en: "A file is damaged: {hash}.", ko: "파일이 손상되었습니다: {hash}."),
  ]
}
