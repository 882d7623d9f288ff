import Contract
import Kit
import Store
import Wire

/// A bookmark or a memo, of which a page has at most one.
protocol PageMark: Mark {
  /// Its type name in replies.
  static var name: String { get }
  /// The key of its heading.
  static var titleKey: String { get }
  /// Its name, for the heading; nil without one.
  var name: String? { get }
  static var example: Self { get }
}

extension BookmarkRecord: PageMark {
  static let name = "Bookmark"
  static let titleKey = "documents.pageTitle"
  var name: String? { title }
  static let example = BookmarkRecord(
    id: "0194", revision: 44, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), document: "0192", page: 2, title: "The proof")
}

extension MemoRecord: PageMark {
  static let name = "Memo"
  static let titleKey = "documents.memoTitle"
  var name: String? { nil }
  static let example = MemoRecord(
    id: "0195", revision: 45, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), document: "0192", page: 2, text: "Look this up.")
}

/// A bookmark in replies.
typealias Bookmark = ItemJSON<ShownPageMark<BookmarkRecord>>
/// A memo in replies.
typealias Memo = ItemJSON<ShownPageMark<MemoRecord>>

/// A bookmark or a memo for one client.
struct ShownPageMark<Item: PageMark>: SnapshotItem {
  static var name: String { Item.name }
  static var example: Item { Item.example }

  let item: Item
  private let snapshot: Snapshot

  init(_ record: Item, in snapshot: Snapshot) { (item, self.snapshot) = (record, snapshot) }

  static var derived: [DerivedMember<Self>] {
    [
      DerivedMember("link", "The stable link of its page.", example: "commonplace:/documents/0192#page=2") {
        $0.item.link
      },
      DerivedMember(
        "state",
        "`orphan`: its page is not in the present file, and `page` is its number in an earlier one. "
          + "`documents/setMemo` and `documents/setBookmark` move it to another page by its id.", example: nil
      ) { $0.item.isOrphan ? MarkState.orphan : nil },
      DerivedMember("display", of: "PageMark.Display", "Strings for people.") {
        DerivedMember("title", "Its name, if it has one, and its label, with the page from 1.", example: "Page 3") {
          shown in
          // People count pages from 1.
          let label = shown.snapshot.words(Text(Item.titleKey, ["page": String(shown.item.page + 1)]))
          return shown.item.name.map { "\($0) (\(label))" } ?? label
        }
      },
    ]
  }
}
