import Display

/// The library as a whole: whether it is well, and copies of it.
enum LibraryFeature {
  static let feature = Feature(
    name: "library",
    routes: [Route(CheckLibrary.self), Route(BackUpLibrary.self)],
    texts: [
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
