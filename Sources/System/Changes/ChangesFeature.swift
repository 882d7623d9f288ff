import Contract
import Kit
import Store

/// The history of changes, their notifications, and undo.
package enum ChangesFeature {
  package static let feature = Feature(
    name: "changes",
    routes: [
      Route(Subscribe.self), Route(Unsubscribe.self), Route(ChangesSince.self), Route(ShowLog.self),
      Route(ShowHistory.self), Route(ShowItem.self), Route(UndoChanges.self), Route(RedoChanges.self),
      Route(ForgetChanges.self), Route(ListRemoved.self), Route(RestoreRemoved.self),
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
          """),
      Migration("changes/002", sql: LoggedRemoval.index),
    ],
    collections: [
      ItemCollection(ConflictRecord.self, listsRemoved: false) {
        try ShownConflict($0, in: $1).map { try Conflict($0) }
      }
    ],
    texts: [ChangeForm()],
    neededFiles: { ids, moment, snapshot in
      try snapshot.db.mentions(
        of: ids, in: "SELECT theirs FROM conflict WHERE updatedAt >= ?", [.integer(moment)])
    })
}
