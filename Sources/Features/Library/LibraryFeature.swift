import Display

/// The library as a whole: whether it is well, and copies of it.
enum LibraryFeature {
  static let feature = Feature(
    name: "library",
    routes: [Route(CheckLibrary.self), Route(BackUpLibrary.self)],
    texts: [
      .init("check.file", en: "The library file is damaged: {finding}", ko: "라이브러리 파일이 손상되었습니다: {finding}"),
      .init(
        "check.clock", en: "The clock says {clock}, but the newest commit is {newest}.",
        ko: "시계는 {clock}을(를) 가리키지만 가장 새로운 커밋은 {newest}입니다."),
      .init(
        "check.revision", en: "{count} items of {collection} carry a revision that never was.",
        ko: "{collection}의 항목 {count}개에 존재한 적 없는 리비전이 있습니다."),
      .init(
        "check.blobMissing", en: "The file {hash} is missing.", ko: "파일 {hash}이(가) 없습니다."),
      .init(
        "check.blobDamaged", en: "The file {hash} has other bytes than its name says.",
        ko: "파일 {hash}의 내용이 이름과 다릅니다."),
      .init(
        "check.blobUnknown", en: "{collection} names the file {hash}, which the library does not know.",
        ko: "{collection}이(가) 라이브러리가 모르는 파일 {hash}을(를) 가리킵니다."),
      .init("check.index", en: "The search index: {finding}", ko: "검색 색인: {finding}"),
      .init(
        "backup.exists", en: "There is something at {path} already.", ko: "{path}에 이미 무언가가 있습니다."),
      .init(
        "backup.exists.advice", en: "Name a folder that does not exist yet.", ko: "아직 없는 폴더를 지정하십시오."),
      .init(
        "backup.damaged", en: "The copy is not good and was thrown away: {reason}.",
        ko: "복사본이 온전하지 않아 버렸습니다: {reason}."),
      .init(
        "backup.damaged.advice", en: "Run `commonplace check` to see what is wrong with the library.",
        ko: "`commonplace check`로 라이브러리의 상태를 확인하십시오."),
      .init(
        "backup.failed", en: "The backup could not be written to {path}: {reason}.",
        ko: "백업을 {path}에 쓸 수 없습니다: {reason}."),
    ])
}
