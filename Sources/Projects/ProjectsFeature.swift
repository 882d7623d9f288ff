import Contract
import Exchange
import Kit
import Store
import Wire

/// A card shows files in its body.
extension ShownProject: FileShowing {
  static var showing: any WritableKeyPath<ProjectRecord, String> & Sendable { \.body }

  static func changed(_ card: ProjectRecord, in transaction: Transaction) throws -> Project {
    try ProjectView(in: transaction.snapshot).project(card)
  }
}

/// Tasks as cards in columns, with deadlines.
package enum ProjectsFeature {
  package static let feature = Feature(
    name: "projects",
    routes: [
      Route(ShowBoard.self), Route(ShowAgenda.self), Route(ShowStatistics.self), Route(ArrangeColumns.self),
      Route(ListProjects.self),
      Route(GetProject.self),
      Route(AddProject.self), Route(UpdateProject.self), Route(MoveProject.self),
      Route(ChangeSteps.self), Route(AppendToProject.self), Route(AttachFile<ShownProject>.self),
      Route(ClockProject.self), Route(RemoveProject.self),
      Route(RemoveAllProjects.self), Route(ListProjectActions.self),
      Route(KeepProjectDraft.self), Route(ListProjectDrafts.self), Route(DiscardProjectDraft.self),
      Route(ImportProjects.self), Route(ExportProjects.self),
      Route(ListCardBoards.self), Route(AddCardBoard.self), Route(UpdateCardBoard.self), Route(MoveCardBoard.self),
      Route(RemoveCardBoard.self),
      Route(ListReminders.self), Route(SnoozeReminders.self), Route(DismissReminders.self),
      Route(ListCalendars.self), Route(AddCalendar.self), Route(UpdateCalendar.self), Route(RemoveCalendar.self),
      Route(RefreshCalendars.self),
    ],
    notifications: [
      { NotificationDescription(DidBecomeOverdue.self) }, { NotificationDescription(DidBecomeReady.self) },
      { NotificationDescription(DidRemind.self) },
    ],
    migrations: ProjectTables.migrations,
    collections: [
      ItemCollection(
        ProjectRecord.self,
        payloads: { try ProjectView(in: $0).reply },
        searchEntries: { id, _, db in try ProjectSearch.entries(of: id, in: db) },
        // A column that was opened or closed leaves its cards where they are.
        restored: .init(["board", "state", "completedAt", "parent"]) { id, transaction in
          try Blockers.notifyWaiting(for: id, in: transaction)
          try Parents.notify(of: id, in: transaction)
          try Parents.notifyParts(of: id, in: transaction)
        },
        wording: { try ProjectWords.word(for: $1, in: $0, $2) },
        linking: ProjectRecord.linking,
        sense: { card, snapshot in
          try card.requireSense()
          _ = try Blockers.checked(
            card.blockedBy.map(ProjectID.init(unchecked:)), of: card.id, known: card.blockedBy, in: snapshot)
          if let parent = card.parent, try Parents.cycle(from: card.id, through: parent, in: snapshot.db) != nil {
            _ = try Parents.checked(ProjectID(unchecked: parent), of: card.id, known: nil, in: snapshot)
          }
        }
      ).followed(
        by: ProjectTables.counts, ProjectTables.blocks, .tags("projectTag", item: "card"), ReminderTables.added
      ).shared(
        CollectionSync(
          holder: "board", permanentHolders: [CardBoardRecord.defaultID], acyclic: ["blockedBy", "parent"])),
      ItemCollection(
        ColumnsRecord.self, listsRemoved: false,
        payload: ShownColumns.payload,
        restored: .init(refusal: { id, before, transaction in
          try BoardColumns.refusal(id, before: before, in: transaction.snapshot)
        }), wording: { _, value, snapshot in try ProjectWords.titles(ofColumns: value, in: snapshot) }
      ).shared(),
      ItemCollection(
        CardBoardRecord.self,
        payload: ShownCardBoard.payload,
        restored: .init(refusal: { id, before, transaction in
          try CardBoards.refusal(id, before: before, in: transaction.snapshot)
        })
      ).shared(),
      ItemCollection(
        CalendarRecord.self,
        payload: ShownCalendar.payload,
        // The events of one that an undo brings back, or leads to its former place, are fetched again.
        restored: .init(["url", "path", "credential"]) { try StoredCalendarFile.drop($0, in: $1) }
      ).shared(CollectionSync(identity: ["url"], rows: "url IS NOT NULL")),
    ],
    day: { try ProjectDay.items($0, in: $1) }, searches: [ProjectSearch.source],
    texts: [BoardForm(), AgendaForm(), CardForm()],
    neededFiles: { try DraftTable.projects.files(among: $0, since: $1, in: $2.db) },
    start: { services in services.calendarRefresher.begin(with: services) },
    stop: { services in
      services.memory.known(ReminderWatch.self)?.end()
      services.memory.known(CalendarRefresher.self)?.end()
    },
    dayTurned: { old, new, snapshot in
      try DidBecomeOverdue.notices(from: old, to: new, in: snapshot)
        + DidBecomeReady.notices(from: old, to: new, in: snapshot)
    },
    clientStarted: { snapshot in
      try snapshot.services.reminderWatch.connected(snapshot.caller.connectionID, in: snapshot)
    },
    clientLeft: { client, services in services.memory.known(ReminderWatch.self)?.disconnected(client) })
}
