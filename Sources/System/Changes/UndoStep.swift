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
    static let fields = ["title": "The title of the item changed, or of a mark's document; empty if it has none."]
  }

  static let example = UndoStep(clock: 41, label: "documents/toggleBookmark", display: .example)
  static let fields = [
    "clock": "The commit.",
    "label": "The method that made the commit; for an undo, the method that made the reverted one.",
    "display": "Strings for people.",
  ]
}

extension UndoStep {
  private static let longestTitle = 120

  /// - Parameter label: the method that made the change.
  init(clock: Int64, label: String, title: String?) {
    (self.clock, self.label) = (clock, label)
    display = Display(title: String((title ?? "").prefix(Self.longestTitle)))
  }

  /// A commit of the log.
  init(of commit: Int64, in transaction: Transaction) throws {
    var known = CommitSubject.Known()
    let snapshot = transaction.snapshot
    let subject = try transaction.services.library.subject(of: commit, known: &known, in: snapshot)
    let record = try CommitRecord.log(in: snapshot, before: commit + 1, limit: 1).first
    self.init(clock: commit, label: record?.label ?? "", title: subject?.title)
  }
}
