import Contract
import Display
import Kit
import Store

/// What happened, to whom it is told, and how it is taken back.
package enum ChangesFeature {
  package static let feature = Feature(
    name: "changes",
    routes: [
      Route(Subscribe.self), Route(Unsubscribe.self), Route(ChangesSince.self), Route(ShowLog.self),
      Route(ShowHistory.self), Route(ShowItem.self), Route(UndoChanges.self), Route(RedoChanges.self),
      Route(ForgetChanges.self),
      Route(ListConflicts.self), Route(ResolveConflict.self),
    ],
    notifications: [{ NotificationDescription(DidCommit.self) }],
    migrations: [
      Migration(
        "changes/001",
        sql: """
          CREATE TABLE conflict (
            id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
            collection TEXT NOT NULL, item TEXT NOT NULL, field TEXT NOT NULL, theirs TEXT NOT NULL, source TEXT NOT NULL);
          CREATE INDEX conflictByItem ON conflict (item);
          """)
    ],
    collections: [
      ItemCollection(ConflictRecord.self) { try ShownConflict($0, in: $1).map { try Conflict($0) } }
    ],
    texts: [
      .init("changes.back", en: "back", ko: "되살림"),
      .init("item.conflicts", en: "conflict", ko: "충돌"),
      .init("changes.asBefore", en: "as before", ko: "되돌림"),
      .init("changes.again", en: "changed again", ko: "다시 실행"),
      .init("changes.gone", en: "gone again", ko: "다시 없앰"),
      .init(
        "changes.andOthers", en: "{title} and {count} {count|other|others}", ko: "{title} 외 {count}개"),
      .init("changes.undoneBy", en: "undone by {clock}", ko: "{clock}에서 취소됨"),
      .init("changes.undoOf", en: "undo of {clock}", ko: "{clock} 취소"),
      .init("changes.redoneBy", en: "redone by {clock}", ko: "{clock}에서 다시 실행됨"),
      .init("changes.redoOf", en: "redo of {clock}", ko: "{clock} 다시 실행"),
      .init("changes.noSuchCommit", en: "There is no commit {clock}.", ko: "커밋 {clock}은(는) 없습니다."),
      .init(
        "changes.notYours", en: "Commit {clock} was made by another client.",
        ko: "커밋 {clock}은(는) 다른 클라이언트가 만들었습니다."),
      .init(
        "changes.notYours.advice", en: "Only the client that made a change takes it back.",
        ko: "변경은 그것을 만든 클라이언트만 되돌릴 수 있습니다."),
      .init("changes.goesOn", en: "{sentence.refusal}", ko: "{sentence.refusal}"),
      .init(
        "changes.goesOn.advice", en: "The same again goes on to commit {next}.",
        ko: "다시 실행하면 커밋 {next}(으)로 넘어갑니다."),
      .init(
        "changes.noConflict", en: "“{field}” of {id} has one version only.",
        ko: "{id}의 ‘{field}’에는 한 가지 값만 있습니다."),
      .init(
        "changes.notBoth", en: "“{field}”: this field cannot have both versions.",
        ko: "‘{field}’: 이 필드는 두 값을 함께 가질 수 없습니다."),
      .init(
        "changes.noValue", en: "“{field}”: this field is not set by itself.",
        ko: "‘{field}’: 이 필드는 따로 정할 수 없습니다."),
      .init(
        "changes.notUndoable", en: "Commit {clock} cannot be undone, or was undone already.",
        ko: "커밋 {clock}은(는) 되돌릴 수 없거나 이미 되돌렸습니다."),
      .init(
        "changes.unknownCollection", en: "“{field}”: there is no collection “{value}”. There are: {choices}.",
        ko: "‘{field}’: ‘{value}’ 컬렉션은 없습니다. 사용할 수 있는 컬렉션: {choices}."),
    ])
}
