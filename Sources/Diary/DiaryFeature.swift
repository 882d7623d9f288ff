import Contract
import Exchange
import Kit
import Store
import Wire

extension ShownEntry: FileShowing {}

/// Dated entries that the user writes.
package enum DiaryFeature {
  package static let feature = Feature(
    name: "diary",
    routes: [
      Route(AddEntry.self), Route(GetEntry.self), Route(ListEntries.self), Route(UpdateEntry.self),
      Route(AppendToEntry.self), Route(AttachFile<ShownEntry>.self), Route(RemoveEntry.self),
      Route(RemoveAllEntries.self), Route(ListJournals.self), Route(RenameJournal.self),
      Route(ShowOnThisDay.self), Route(ShowCalendar.self),
      Route(ShowDay.self),
      Route(KeepDraft.self), Route(ListDrafts.self), Route(DiscardDraft.self),
      Route(ShareEntry.self), Route(ImportEntries.self), Route(ExportEntries.self),
      Route(MirrorItems<EntryRecord>.self),
    ],
    migrations: DiaryTables.migrations,
    collections: [
      ItemCollection(
        EntryRecord.self,
        payload: ShownEntry.payload,
        searchEntries: { id, _, db in try EntrySearch.entries(of: id, in: db) }, linking: EntryLinks.linking
      ).followed(by: DiaryTables.counts, .tags("diaryTag", item: "entry")).shared()
    ],
    day: { try DiaryDay.items($0, in: $1) }, searches: [EntrySearch.source],
    texts: [DayForm(), EntryForm(), DayHubForm()],
    neededFiles: { try EntryRecord.drafts.files(among: $0, since: $1, in: $2.db) },
    start: { services in await services.mirror(of: EntryRecord.self).begin(with: services) },
    stop: { services in services.mirror(of: EntryRecord.self).end() })
}
