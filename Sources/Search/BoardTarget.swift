import Contract
import Store
import Wire

/// The parts of a post to which a search on boards can be limited, in the order of display.
enum BoardTarget: String, Choice {
  case all, title, contents, writer

  /// The label of a target for people.
  func label(in snapshot: Snapshot) -> String {
    snapshot.words(Text("search.target.\(rawValue)"))
  }
}
