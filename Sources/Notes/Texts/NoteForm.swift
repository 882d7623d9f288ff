import Contract
import Kit
import Store
import Wire

/// `notes/Dune.md`: the text of the note of this title, or with this former title, byte for byte; `notes/id/0192.md`:
/// of the note with this id.
struct NoteForm: LibraryTextForm {
  let collections: Set = [NoteRecord.collectionName]
  var editing: (any TextEditing)? {
    WrittenItemEditing(NoteRecord.self) { id, path, snapshot in
      if path.segments.count == 3 { return sameBytes(id, path.segments[2]) }
      return try Self.notes(called: path.segments[1], in: snapshot).contains { sameBytes($0, id) }
    }
  }

  /// The segment of paths by id.
  private static let byID = "id"

  func shows(_ path: TextPath) -> Bool {
    let parts = path.segments
    return parts[0] == "notes" && (parts.count == 2 || parts.count == 3 && parts[1] == Self.byID)
  }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let id = try Self.id(path, in: snapshot), let note = try snapshot.find(NoteRecord.self, id: id) else {
      return nil
    }
    return RenderedText(of: note, in: snapshot)
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard let note = try snapshot.find(NoteRecord.self, id: target.id),
      let path = try Self.path(of: note, in: snapshot)
    else { return nil }
    return LineOfText(path, line: TextLines.count(in: note.text, upTo: target.offset))
  }

  /// The path by the title, if that names this note and no other one.
  private static func path(of note: NoteRecord, in snapshot: Snapshot) throws -> TextPath? {
    if let path = TextPath(NoteRecord.collectionName, note.title),
      try notes(called: note.title, in: snapshot) == [note.id]
    {
      return path
    }
    return TextPath(NoteRecord.collectionName, byID, note.id)
  }

  /// - Throws: `ambiguous` for a title of several notes; `DatabaseError`.
  private static func id(_ path: TextPath, in snapshot: Snapshot) throws -> String? {
    if path.segments.count == 3 { return path.segments[2] }
    let ids = try notes(called: path.segments[1], in: snapshot)
    guard ids.count > 1 else { return ids.first }
    let paths = ids.compactMap { TextPath(NoteRecord.collectionName, byID, $0)?.text }
    throw RPCError(
      .ambiguous,
      text: Text("notes.ambiguous", ["title": path.segments[1], "paths": paths.joined(separator: ", ")]))
  }

  /// The notes with a title; without one, those that had it.
  private static func notes(called title: String, in snapshot: Snapshot) throws -> [String] {
    try LinkReads(snapshot).items(of: NoteRecord.collectionName, called: title)
  }
}
