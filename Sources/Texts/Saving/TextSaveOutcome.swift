import Kit
import Store
import Wire

/// The items that a save may remove without confirmation.
enum GrantedRemoval: Sendable {
  /// The number that the rules of a save allow.
  case usual
  case anchors(Set<String>)
  case all
}

/// The result of a save.
struct TextSaveOutcome: Sendable {
  struct Removed: Sendable {
    var key: ItemKey
    var anchor: String?
    var title: String
    /// The line after which it stood.
    var line: Int
  }

  /// An item that is missing in the text, and was not removed.
  struct Held: Sendable {
    var key: ItemKey
    var anchor: String
    var title: String
    /// The line after which it stood.
    var line: Int
  }

  /// An item with fields that others have changed too, and whose values the save has replaced.
  struct Replaced: Sendable {
    var key: ItemKey
    /// From 0.
    var line: Int
    var message: Text
    /// The others' values, as params of the collection's `update`, with the revision that the save has made.
    var former: JSONObject
  }

  var path: TextPath
  /// The text without byte order mark and the CR of DOS line ends.
  var text: String
  var added = 0
  var changed = 0
  var moved = 0
  var removed: [Removed] = []
  var held: [Held] = []
  var replaced: [Replaced] = []
  /// Places that were not saved as they are written.
  var problems: [TextProblem] = []
  /// The items of the text as it was sent, for the next save of it.
  var items: [TextItem] = []
  /// The parsed items with their ids, for the text that the client should have now.
  var written: [(lines: Range<Int>, id: String?, isSaved: Bool)] = []

  /// Whether the library was changed.
  var isChange: Bool { added + changed + moved + removed.count > 0 }
  /// Whether everything in the text is in the library.
  var isWhole: Bool { held.isEmpty && !problems.contains { [.unsaved, .conflict, .day].contains($0.kind) } }
}
