import Contract
import Display
import Store
import Wire

/// The change of one item by an undo or a redo.
struct UndoneChange: Payload {
  var collection: String
  var id: ItemID
  var kind: ChangePayload.Kind
  var title: String?
  var of: ItemID?
  var text: String?
  var display: Display

  struct Display: Payload {
    var title: String
    var kind: String
    static let example = Display(title: "A paper", kind: "back")
    static let fields = ["title": "The title, or its placeholder.", "kind": "The word for `kind`."]
  }

  static let example = UndoneChange(
    collection: "highlights", id: "0193", kind: .added, title: "A paper", of: "0192", text: "the exact words",
    display: .example)
  static let fields = [
    "collection": "The item's collection.", "id": "The item.",
    "kind":
      "What happened to it now: `added` was restored; `updated` has its earlier values, or with a redo the later ones; "
      + "`removed` was removed again.",
    "title": "The item's title, or that of a mark's document; for a removed item its last. Absent if it has none.",
    "of": "The document of a mark.", "text": "The beginning of the marked text.",
    "display": "Strings for people.",
  ]

  /// The most changes listed for one undo.
  static let most = 100
  private static let textLength = 200
}

/// The number of a collection's items with the same change by an undo or a redo.
struct CountedChange: Payload {
  var collection: String
  var kind: ChangePayload.Kind
  var count: Int
  var display: Display

  struct Display: Payload {
    var kind: String
    static let example = Display(kind: "back")
    static let fields = ["kind": "The word for `kind`."]
  }

  static let example = CountedChange(collection: "posts", kind: .added, count: 137, display: .example)
  static let fields = [
    "collection": "The items' collection.", "kind": "What happened to them, as for one item.",
    "count": "The number of items.", "display": "Strings for people.",
  ]
}

extension CountedChange {
  /// Without the individually listed ones.
  init(_ all: UndoneCount, besides listed: Int, in transaction: Transaction) {
    self.init(
      collection: all.collection, kind: ChangePayload.Kind(rawValue: all.kind.rawValue) ?? .updated,
      count: all.count - listed, display: Display(kind: transaction.word(for: all.kind)))
  }
}

extension Transaction {
  /// The effect on an item, in the client's language.
  fileprivate func word(for kind: Change.Kind) -> String {
    let text =
      switch kind {
      case .added: Text("changes.back")
      case .updated: action == .redo ? Text("changes.again") : Text("changes.asBefore")
      case .removed: Text("changes.gone")
      }
    return snapshot.words(text)
  }
}

extension UndoneChange {
  init(_ item: UndoneItem, in transaction: Transaction) {
    self.init(
      collection: item.collection, id: ItemID(unchecked: item.id),
      kind: ChangePayload.Kind(rawValue: item.kind.rawValue) ?? .updated,
      title: (item.whole ?? item.payload)?["title"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 },
      of: item.whole?["id"]?.stringValue.map(ItemID.init(unchecked:)),
      text: item.whole == nil
        ? nil : item.payload?["text"]?.stringValue.map { String($0.unicodeScalars.prefix(Self.textLength)) },
      display: Display(
        title: item.title ?? transaction.snapshot.words(Text("day.noTitle")), kind: transaction.word(for: item.kind)))
  }
}
