import Contract
import Exchange
import Kit
import Store
import Wire

extension ShownNote: FileShowing {}

/// Markdown texts of no day that the user writes.
package enum NotesFeature {
  package static let feature = Feature(
    name: "notes",
    routes: [
      Route(AddNote.self), Route(GetItem<ShownNote>.self), Route(ListNotes.self), Route(UpdateNote.self),
      Route(AppendToNote.self), Route(AttachFile<ShownNote>.self), Route(RemoveItem<ShownNote>.self),
      Route(MakeNoteFromText.self),
      Route(KeepNoteDraft.self), Route(ListNoteDrafts.self), Route(DiscardNoteDraft.self),
      Route(ImportNotes.self), Route(ExportNotes.self),
      Route(MirrorItems<NoteRecord>.self),
    ],
    migrations: NoteTables.migrations, collections: [NoteLinks.collection],
    day: { try NoteTables.added.items($0, in: $1) }, searches: [NoteSearch.source], texts: [NoteForm()],
    neededFiles: { try NoteRecord.drafts.files(among: $0, since: $1, in: $2.db) },
    start: { services in await services.mirror(of: NoteRecord.self).begin(with: services) },
    stop: { services in services.mirror(of: NoteRecord.self).end() })
}
