import Exchange
import Kit
import Store

/// The mirror of the diary: a file per entry, named by its day and its id.
extension EntryRecord: MirroredItem {
  static let mirrorTable = "diaryMirror"
  static let mirrorName = "diary"
  static let mirrorTexts = (
    doing: "doing.mirrorEntries", edited: "diary.mirror.edited", setAside: "diary.mirror.setAside"
  )
  static let mirroredColumns = ["text", "day", "tags", "starred", "frontMatter"] + EntryDetails.texts.map(\.name)

  static func isMirrorName(_ name: String, of id: String) -> Bool { name.hasSuffix("-\(id).md") }

  /// The name states the day at the time of writing.
  static func isWritten(_ value: String, of column: String, in name: String) -> Bool {
    column == "day" && value == String(name.prefix(10))
  }

  static func mirrored(_ content: String) -> MirroredContent {
    let file = MarkdownFile(parsing: content)
    var values = ["text": file.text, "tags": JSONList.json(file.tags), "starred": file.isStarred ? "1" : "0"]
    (values["day"], values["frontMatter"]) = (file.matter["day"], file.frontMatter)
    for (name, path) in EntryDetails.texts { values[name] = file.details[keyPath: path] }
    return MirroredContent(
      id: file.matter["id"], revision: file.revision, values: values, hasOthers: false)
  }

  func mirroredName(isTaken: (String) -> Bool) -> String { MarkdownFile.name(of: self) }

  func mirroredFile(as revision: FileRevision, text: String) -> [UInt8] {
    MarkdownFile(self, as: revision, text: text).bytes
  }
}
