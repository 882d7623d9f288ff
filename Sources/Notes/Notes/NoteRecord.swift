import Contract
import Exchange
import Kit
import Store
import Wire

/// A note as it is stored, and the declaration of its fields.
struct NoteRecord: WrittenItem, ExchangedItem {
  static let collectionName = "notes"
  static let tableName = "note"
  static let drafts = DraftTable("noteDraft", item: "note", content: "text")

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  /// Never blank.
  var text = ""
  /// In the user's order, without duplicates; see `TagList`.
  var tags: [String] = []
  /// The lines between the fences of its file; empty if it has none.
  var frontMatter = ""
  /// The file that it was last imported from, as JSON (`MergeBase`).
  var mergeBase: String?

  /// Always that of the text: reading it from its column sets nothing.
  var title: String {
    get { NoteText.title(of: text) }
    set {}
  }

  static let fields = Fields<Self> {
    Field("text", \.text, "The whole text in Markdown, byte for byte; absent in lists.")
      .settable(
        as: String.self, "The whole text, stored byte for byte. Its first line that is not blank is the title.",
        limits: .length(0...TitledText.maximumLength), clearable: false
      ) { text, note, _ in note.text = text }.omittedInLists.followed.merged(.text).searched(.body)
    Field("title", \.title, "Its title: the first line that is not blank, without the marks of a heading.")
      .searched(.title).shared(.own)
    Field.tags(
      "tags", \.tags,
      "Its tags, in the order given. A `#word` that a method writes into the text is one too, unless the call gives `tags`."
    )
    Field("frontMatter", \.frontMatter, .text(0...100_000), "The front matter of its file; absent in lists.")
      .settable(
        as: String.self,
        "The front matter of its file in YAML, without the lines `---` and the last line end, stored as it is for the "
          + "export.", limits: .length(0...100_000)
      ) { text, note, _ in note.frontMatter = NoteText.frontMatter(text) }.omittedInLists.followed.merged(.text)
    Field("taken", \.mergeBase).internal
  }

  func check() throws {
    if TitledText(text).isBlank { throw RPCError.invalidParams(field: "text", reason: Text("param.blank")) }
    // Such a line would end it in a file.
    if frontMatter.split(whereSeparator: \.isNewline).contains(where: { $0 == "---" || $0 == "..." }) {
      throw RPCError.invalidParams(field: "frontMatter", reason: Text("param.invalid"))
    }
  }
}

enum NoteText {
  /// As long as the name of a file, which may become a title. Longer first lines are paragraphs.
  private static let longestTitle = 255

  /// The title by which a note is listed, searched and linked.
  static func title(of text: String) -> String {
    let text = TitledText(text)
    let name = text.name
    return name.utf8.count <= longestTitle ? name : text.titleBeginning ?? name
  }

  /// The front matter as it is stored: without line ends at its end.
  static func frontMatter(_ text: String) -> String {
    var lines = text[...]
    while lines.last?.isNewline == true { lines.removeLast() }
    return String(lines)
  }
}
