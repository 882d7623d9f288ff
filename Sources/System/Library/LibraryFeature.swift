import Display
import Exchange
import Kit

/// The library as a whole: whether it is well, and copies of it.
package enum LibraryFeature {
  package static let feature = Feature(
    name: "library",
    routes: [
      Route(CheckLibrary.self), Route(BackUpLibrary.self), Route(ExportLibrary.self), Route(ImportLibrary.self),
      Route(ExportItems.self),
    ],
    texts: [
      .init(
        "backup.exists", en: "There is something at {path} already.", ko: "{path}에 이미 무언가가 있습니다."),
      .init(
        "backup.exists.advice", en: "Name a folder that does not exist yet.", ko: "아직 없는 폴더를 지정하십시오."),
      .init(
        "backup.damaged", en: "The copy is not good and was thrown away: {reason.reason}.",
        ko: "복사본이 온전하지 않아 버렸습니다: {reason.reason}."),
      .init(
        "backup.damaged.advice", en: "Run `commonplace check` to see what is wrong with the library.",
        ko: "`commonplace check`로 서재의 상태를 확인하십시오."),
      .init(
        "backup.failed", en: "The backup could not be written to {path}: {reason.reason}.",
        ko: "백업을 {path}에 쓸 수 없습니다: {reason.reason}."),
      .init("archive.exists", en: "There is something at {path} already.", ko: "{path}에 이미 무언가가 있습니다."),
      .init(
        "archive.exists.advice", en: "Name a file that does not exist yet.", ko: "아직 없는 파일을 지정하십시오."),
      .init(
        "archive.noFolder", en: "There is no folder in which {path} could be written.",
        ko: "{path}을(를) 쓸 폴더가 없습니다."),
      .init("archive.missing", en: "There is no archive at {path}.", ko: "{path}에 보관 파일이 없습니다."),
      .init(
        "archive.damaged", en: "The archive {path} is damaged: {reason.reason}. Nothing was taken from it.",
        ko: "보관 파일 {path}이(가) 손상되었습니다: {reason.reason}. 아무것도 가져오지 않았습니다."),
      .init(
        "archive.newer", en: "A newer Commonplace wrote the archive {path}; this one does not know {found}.",
        ko: "보관 파일 {path}은(는) 더 새로운 Commonplace가 기록한 것으로, 여기서는 {found}을(를) 알지 못합니다."),
      .init(
        "archive.newer.advice", en: "Install a newer Commonplace.", ko: "더 새로운 Commonplace를 설치하십시오."),
      .init(
        "archive.notEmpty", en: "The library is not empty, so the archive was not taken.",
        ko: "서재가 비어 있지 않아 보관 파일을 가져오지 않았습니다."),
      .init(
        "archive.notEmpty.advice", en: "Import into a new library: serve it with --library and a new folder.",
        ko: "새 서재로 가져오십시오. --library로 새 폴더를 지정하면 됩니다."),
      .init(
        "archive.failed", en: "{path} could not be used: {reason.reason}.",
        ko: "{path}을(를) 사용할 수 없습니다: {reason.reason}."),
    ],
    start: { Leftovers.removeExports(of: $0.folder) })
}
