import Contract
import Display
import Kit
import Store
import Wire

/// An item that a save has removed.
struct NamedItem: Payload {
  var collection: String
  var id: ItemID
  var title: String
  static let example = NamedItem(collection: "projects", id: "0192", title: "Call Ann")
  static let fields = ["collection": "Its collection.", "id": "The item.", "title": "Its title."]
}

/// An item that is missing in a saved text, and was not removed.
struct HeldItem: Payload {
  var collection: String
  var id: ItemID
  var anchor: String
  var title: String
  var line: Int
  static let example = HeldItem(collection: "projects", id: "0192", anchor: "k3f2", title: "Call Ann", line: 4)
  static let fields = [
    "collection": "Its collection.", "id": "The item.", "anchor": "For `remove`.", "title": "Its title.",
    "line": "The line of `text` after which it stood, from 0.",
  ]
}

/// An item with fields that others had changed too. They have the values of the text now.
struct ReplacedValues: Payload {
  var collection: String
  var id: ItemID
  var line: Int
  var message: String
  var former: JSONValue
  static let example = ReplacedValues(
    collection: "projects", id: "0192", line: 2, message: "phone had changed this too; your version replaced it.",
    former: ["deadline": "2026-11-24", "ifRevision": 42])
  static let fields = [
    "collection": "Its collection.", "id": "The item.", "line": "Its line in `text`, from 0.",
    "message": "A sentence for people.",
    "former":
      "The others' values, as params of the collection's `update`, which restores them; with `ifRevision`, so that it "
      + "fails if the item was changed again.",
  ]
}

/// A place of a text that was not saved as it is written.
struct UnsavedPlace: Payload {
  enum Kind: String, Choice {
    case conflict, readOnly, unsaved, anchor, day

    init(_ kind: TextProblem.Kind) {
      self =
        switch kind {
        case .conflict: .conflict
        case .readOnly: .readOnly
        case .unsaved: .unsaved
        case .anchor: .anchor
        case .day: .day
        }
    }
  }

  var range: WrittenRange
  var kind: Kind
  var message: String
  var collection: String?
  var id: ItemID?
  static let example = UnsavedPlace(
    range: .example, kind: .conflict, message: "This was changed elsewhere.", collection: "projects", id: "0192")
  static let fields = [
    "range": "The place, in `text`.",
    "kind":
      "`conflict`: changed elsewhere in the same lines; `readOnly`: shown only, and put back; `unsaved`: cannot be "
      + "stored there; `anchor`: unknown, or twice; `day`: not a date.",
    "message": "A sentence for people.", "collection": "The collection of the item, if it is one of the library.",
    "id": "The item.",
  ]
}

/// The result of a save of a text.
struct SavedText: Payload {
  var uri: String
  var saved: Bool
  var base: String
  var edits: [WrittenEdit]
  var added: Int
  var changed: Int
  var moved: Int
  var removed: [NamedItem]
  var held: [HeldItem]
  var unsaved: [UnsavedPlace]
  var replaced: [ReplacedValues]?
  var undo: Int64?

  static let example = SavedText(
    uri: "commonplace:///text/projects/board.md", saved: true, base: "3f9a02c1", edits: [.example], added: 1,
    changed: 0, moved: 0, removed: [.example], held: [], unsaved: [],
    replaced: nil, undo: 42)
  static let fields = [
    "uri": "The text.", "saved": "Whether everything in it is in the library.",
    "base": "For the next `text/save`, after `edits`.",
    "edits":
      "LSP's edits of `text`, which the client applies: anchors of new lines, and what others have changed. Empty for a "
      + "file, which stays as the editor wrote it.",
    "added": "The number of new items.", "changed": "The number of changed items.",
    "moved": "The number of items that were moved.", "removed": "The removed items.",
    "held":
      "Items that are missing in the text and were not removed, because many are, or the text may be damaged. They are "
      + "removed by the same save, of the same `base`, with `remove`.",
    "unsaved": "Places that were not saved as they are written.",
    "replaced":
      "Items with fields that others had changed too, and that have the values of `text` now; absent for none.",
    "undo": "The clock of the commit, for `changes/undo`; absent if nothing was changed.",
  ]
  static let limits: [String: FieldLimits] = ["uri": .form(.namingFiles)]

  init(
    uri: String, saved: Bool, base: String, edits: [WrittenEdit], added: Int, changed: Int, moved: Int,
    removed: [NamedItem], held: [HeldItem], unsaved: [UnsavedPlace], replaced: [ReplacedValues]?,
    undo: Int64?
  ) {
    (self.uri, self.saved, self.base, self.edits) = (uri, saved, base, edits)
    (self.added, self.changed, self.moved) = (added, changed, moved)
    (self.removed, self.held, self.unsaved) = (removed, held, unsaved)
    (self.replaced, self.undo) = (replaced, undo)
  }

  init(_ outcome: TextSaveOutcome, uri: String, base: String, edits: [WrittenEdit], in transaction: Transaction) {
    let snapshot = transaction.snapshot
    let lines = TextLines.split(outcome.text)
    self.init(
      uri: uri, saved: outcome.isWhole, base: base, edits: edits, added: outcome.added, changed: outcome.changed,
      moved: outcome.moved,
      removed: outcome.removed.map {
        NamedItem(collection: $0.key.collection, id: ItemID(unchecked: $0.key.id), title: $0.title)
      },
      held: outcome.held.map {
        HeldItem(
          collection: $0.key.collection, id: ItemID(unchecked: $0.key.id), anchor: $0.anchor, title: $0.title,
          line: $0.line)
      },
      unsaved: outcome.problems.map { problem in
        UnsavedPlace(
          range: WrittenRange(problem.lines, of: lines, in: snapshot.reader.positionEncoding),
          kind: UnsavedPlace.Kind(problem.kind), message: snapshot.words(problem.message),
          collection: problem.item?.collection, id: problem.item.map { ItemID(unchecked: $0.id) })
      },
      replaced: outcome.replaced.isEmpty
        ? nil
        : outcome.replaced.map {
          ReplacedValues(
            collection: $0.key.collection, id: ItemID(unchecked: $0.key.id), line: $0.line,
            message: snapshot.words($0.message), former: .object($0.former))
        }, undo: outcome.isChange ? transaction.clock : nil)
  }
}
