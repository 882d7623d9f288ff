import Contract
import Kit
import SearchEngine
import Store
import Wire

enum RenameJournal: LongWriteMethod {
  static let name = "diary/renameJournal"
  static let summary =
    "Renames a journal. With the name of another journal the two become one, and without a name its entries are in "
    + "none. One `changes/undo` restores all of it."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var from: String
    var to: String?
    static let example = Params(from: "Work", to: "Office")
    static let fields = [
      "from": "The journal, in any case and width.",
      "to": "Its new name, which may be the same in another spelling. Default: none.",
    ]
    static let limits: [String: FieldLimits] = [
      "from": .length(1...EntryDetails.longest, notBlank: true), "to": .length(0...EntryDetails.longest),
    ]
  }

  struct Result: Payload {
    var count: Int
    var merged: Bool
    static let example = Result(count: 12, merged: false)
    static let fields = [
      "count": "The number of entries that were changed.",
      "merged": "Whether other entries had the new name already.",
    ]
  }

  /// The entries of the journal when the first slice began.
  struct Position: Sendable {
    fileprivate var ids: ArraySlice<String>
    /// The folded name of the journal.
    fileprivate let from: String
    fileprivate let to: String
    fileprivate let isMerged: Bool
    fileprivate var count = 0
  }

  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result> {
    var position = try position ?? begin(params, in: transaction.snapshot)
    while let id = position.ids.first {
      guard transaction.hasRoom else { return .more(position) }
      position.ids.removeFirst()
      // It may have been removed since, or moved to another journal, by another client.
      guard let entry = try transaction.snapshot.find(EntryRecord.self, id: id),
        sameBytes(foldedText(entry.details.journal), position.from)
      else { continue }
      let changed = try transaction.change(entry) { $0.details.journal = position.to }
      if changed.revision != entry.revision { position.count += 1 }
    }
    return .done(Result(count: position.count, merged: position.isMerged))
  }

  private static func begin(_ params: Params, in snapshot: Snapshot) throws -> Position {
    let journal = try Journals.condition(of: params.from, in: snapshot.db)
    let to = EntryDetails.oneLine(params.to ?? "")
    // The same journal in another spelling is no other one.
    let from = foldedText(EntryDetails.oneLine(params.from))
    let isSame = sameBytes(foldedText(to), from)
    let other = isSame ? nil : try Journals.spellings(of: to, in: snapshot.db).first
    let ids = try snapshot.db.texts("SELECT id FROM diaryEntry WHERE \(journal.sql) ORDER BY id", journal.values)
    return Position(ids: ids[...], from: from, to: other ?? to, isMerged: other != nil)
  }
}
