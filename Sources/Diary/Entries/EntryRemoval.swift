import Contract
import Kit
import Store
import Wire

enum RemoveEntry: WriteMethod, ManyItemsMethod {
  static let name = "diary/remove"
  static let summary = "Removes an entry. `changes/undo` restores it."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: EntryID
    var ifRevision: Int64?
    var dryRun: Bool?
    static let example = Params(id: "0192", ifRevision: nil, dryRun: nil)
    static let fields = [
      "id": "The entry.", "ifRevision": "Fails with `conflict` if the entry has another revision.",
      "dryRun": "Only returns the question to ask the user.",
    ]
  }

  struct Result: Payload {
    var removed: EntryID?
    var count: Int?
    var display: Confirmation?
    static let example = Result(removed: "0192", count: nil, display: nil)
    static let fields = [
      "removed": "The removed entry.", "count": "In a dry run: the number of entries that would be removed.",
      "display": "In a dry run: the question to ask the user.",
    ]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let record = try transaction.snapshot.get(EntryRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    if params.dryRun == true {
      let display = Confirmation.deleting(
        Text("diary.confirmRemove"), for: transaction.reader, services: transaction.services)
      return Result(removed: nil, count: 1, display: display)
    }
    try transaction.remove(record)
    return Result(removed: params.id, count: nil, display: nil)
  }
}

enum RemoveAllEntries: RemoveEverythingMethod {
  static let name = "diary/removeAll"
  static let summary =
    "Removes every entry, in one undo step. A dry run returns their number and the `confirm` to pass."
  static let question = "diary.confirmRemoveAll"
  typealias Item = EntryRecord
}
