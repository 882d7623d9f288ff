import Contract
import Kit
import Store
import Wire

/// The user's own data of a book.
struct BookOnShelf: ShownObject {
  static let name = "BookOnShelf"
  let record: BookRecord
  let pageCount: Int?

  static let members = Members<Self> {
    DerivedMember("id", "The book on the shelf, for `books/updateOnShelf`.", example: "0192") {
      BookID(unchecked: $0.record.id)
    }
    MemberGroup(fields[..<progress].filter(\.isShown), example: example) { $0.record }
    DerivedMember(
      "progress", "The user's reading progress.",
      example: ["page": 120, "percent": 50]
    ) { BookProgress($0.record.content, pageCount: $0.pageCount) }
    MemberGroup(fields[progress...].filter(\.isShown), example: example) { $0.record }
    DerivedMember("timesRead", "How often it was read to its end.", example: 1) { shown in
      let content = shown.record.content
      return content.earlierReads.count { $0.isWhole } + (content.status == .read ? 1 : 0)
    }
  }

  private static let fields = BookRecord.fields.all
  /// Replaces the page, from which it is computed.
  private static let progress = fields.firstIndex { $0.name == "page" } ?? fields.endIndex

  private static let example: BookRecord = {
    var record = BookRecord()
    record.content = .example
    (record.citationKey, record.addedAt) = ("han2017", Instant(milliseconds: 1_795_225_445_678))
    return record
  }()
}
