import Contract
import Kit
import Store
import Wire

/// The commit that the next undo reverts, or the next redo restores.
struct UndoStep: Payload {
  var clock: Int64
  var label: String
  var display: Display

  struct Display: Payload {
    var title: String
    static let example = Display(title: "A paper")
    static let fields = ["title": "The title of what it was about, of a mark its document's; empty where it has none."]
  }

  static let example = UndoStep(clock: 41, label: "documents/toggleBookmark", display: .example)
  static let fields = [
    "clock": "The commit.", "label": "The method that made it, or that had made what an undo took back.",
    "display": "Strings for people.",
  ]
}

extension UndoStep {
  /// - Parameters:
  ///   - clock: the clock to return, if that is not `commit`'s, such as one that is not in the log yet.
  ///   - commit: the commit that determines the subject.
  init(clock: Int64? = nil, of commit: Int64, in transaction: Transaction) throws {
    var known = CommitSubject.Known()
    let snapshot = transaction.snapshot
    let subject = try transaction.services.library.subject(of: commit, known: &known, in: snapshot)
    self.clock = clock ?? commit
    label = try CommitRecord.log(in: snapshot, before: commit + 1, limit: 1).first?.label ?? transaction.label
    display = Display(title: String((subject?.title ?? "").prefix(120)))
  }

  init(_ commit: Int64, in transaction: Transaction) throws { try self.init(of: commit, in: transaction) }
}
