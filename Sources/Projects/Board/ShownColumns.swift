import Contract
import Kit
import Store

/// The columns as an undo and a conflict show them.
struct ShownColumns: SnapshotItem {
  static let name = "Columns"
  static let example = ColumnsRecord.usual()

  let item: ColumnsRecord
  private let title: String

  init(_ record: ColumnsRecord, in snapshot: Snapshot) throws {
    item = record
    title = try ProjectWords.titles(of: record.columns.value(), in: snapshot)
  }

  static let head = [DerivedMember<Self>("revision", "For `ifRevision`.", example: 42) { $0.item.revision }]
  static let derived = [
    DerivedMember<Self>("board", "The board of the columns.", example: "default") {
      CardBoardID(unchecked: CardBoardRecord.id(ofColumns: $0.item.id))
    },
    DerivedMember<Self>("display", of: "Columns.Display", "Strings for people.") {
      DerivedMember("title", "The titles of the columns.", example: "To do, done") {
        $0.title
      }
    },
  ]
}
