import Contract
import Kit
import Store
import Wire

/// `diary/entry/0192.md`: the text of one entry, byte for byte.
struct EntryForm: LibraryTextForm {
  let collections: Set = [EntryRecord.collectionName]
  var editing: (any TextEditing)? {
    WrittenItemEditing(EntryRecord.self) { id, path, _ in sameBytes(id, path.segments[2]) }
  }

  static func path(of id: String) -> TextPath? { TextPath("diary", "entry", id) }

  func shows(_ path: TextPath) -> Bool { path.segments.count == 3 && path.segments.starts(with: ["diary", "entry"]) }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    try snapshot.find(EntryRecord.self, id: path.segments[2]).map { RenderedText(of: $0, in: snapshot) }
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard let record = try snapshot.find(EntryRecord.self, id: target.id), let path = Self.path(of: target.id) else {
      return nil
    }
    return LineOfText(path, line: TextLines.count(in: record.text, upTo: target.offset))
  }
}
