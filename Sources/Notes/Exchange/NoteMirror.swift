import Exchange
import Kit
import Store

/// The mirror of the notes: a file per note, named by its title, all in one folder.
extension NoteRecord: MirroredItem {
  static let mirrorTable = "noteMirror"
  static let mirrorName = "library's notes"
  static let mirrorTexts = (
    doing: "doing.mirrorNotes", edited: "notes.mirror.edited", setAside: "notes.mirror.setAside"
  )
  static let mirroredColumns = ["text", "tags", "frontMatter"]

  static func mirrored(_ content: String) -> MirroredContent {
    let file = NoteFile(parsing: content)
    return MirroredContent(
      id: file.identity?.id, revision: file.identity?.revision,
      values: ["text": file.text, "tags": JSONList.json(file.tags), "frontMatter": file.frontMatter],
      // What somebody adds to the front matter is that of the note.
      hasOthers: false)
  }

  func mirroredName(isTaken: (String) -> Bool) -> String {
    let stem = NoteFile.Names.stem(of: self)
    let name = stem + ".md"
    return isTaken(name) ? "\(stem)-\(id).md" : name
  }

  func mirroredFile(as revision: FileRevision, text: String) -> [UInt8] {
    NoteFile(self, as: revision, text: text).bytes
  }
}
