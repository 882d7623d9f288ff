import Contract
import Kit
import Store

package struct EntryID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// An entry as stored.
struct EntryRecord: StoredItem {
  static let collectionName = "diary"
  static let tableName = "diaryEntry"

  var id = ""
  var revision: Int64 = 0
  /// When it was inserted into the library.
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var text = ""
  var day = CalendarDay(daysSince1970: 0)
  var timeZone = ""
  var writtenAt = Instant(milliseconds: 0)
  /// In the user's order, without duplicates; see `TagList`.
  var tags: [String] = []
  var isStarred = false
  var details = EntryDetails()
  /// The lines of its file's front matter that no other field states; empty if it has none.
  var frontMatter = ""
  /// The file and entry that it was imported from (`ImportedEntry.origin`), and its state there at the last import
  /// (`EntryState`). They are columns of the entry, so that undoing an import restores them too.
  var origin: String?
  var importedState: String?
  /// The file of ours that it was last imported from, as JSON (`MergeBase`); likewise.
  var mergeBase: String?
  /// The members of its entry of Day One that no field states, as JSON, for an export without loss; likewise.
  var dayOne: String?

  static let fields = Fields<Self> {
    Field("text", \.text, "The whole text, byte for byte; absent in lists.")
      .settable(
        as: String.self, "The whole text, stored byte for byte. Its first line that is not blank is the title.",
        limits: .length(0...TitledText.maximumLength), clearable: false
      ) { text, entry, _ in entry.text = text }.omittedInLists.followed.merged(.text)
    Field("day", \.day, "The day that it is about, the same in every zone.")
      .settable(
        as: GivenDay.self,
        "The day that it is about. Default for a new one: today in the client's zone; a day begins at the library's "
          + "`dayStartsAt`.",
        clearable: false
      ) { day, entry, snapshot in entry.day = try day.day("day", leaning: .back, in: snapshot) }
      .followed.merged(.ours)
    Field("timeZone", \.timeZone, "The time zone where it was written.")
    Field(
      "writtenAt", \.writtenAt, "When it was written; no update changes it. For an imported entry, as its file states.")
    Field.tags(
      "tags", \.tags,
      "Its tags, in the order given. A `#word` that a method writes into the text is one too, unless the call gives `tags`."
    )
    Field("starred", \.isStarred, .flag, "Whether the user starred it.").settable(clearable: false).followed
    EntryDetails.fields.of(\.details)
    Field(
      "frontMatter", \.frontMatter, matter,
      "The other lines of its file's front matter; absent in lists, and without any."
    ).settable(
      as: String.self,
      "The front matter of its file in YAML beside the other fields, without the lines `---` and the last line end, "
        + "stored as it is for the export. A key of another field, such as `tags`, is refused.",
      limits: .length(0...longestFrontMatter)
    ) { text, entry, _ in
      entry.frontMatter = try MarkdownFile.checked(frontMatter: text)
    }.omittedInLists.followed.merged(.text)
    Field("origin", \.origin).internal
    Field("came", \.importedState).internal
    Field("taken", \.mergeBase).internal
    Field("dayOne", \.dayOne).internal
  }

  static let longestFrontMatter = 100_000

  private static var matter: FieldType<String> {
    let type = FieldType<String>.text(0...longestFrontMatter)
    return type.traveling(as: type.wire.omitted(where: \.isEmpty))
  }
}
