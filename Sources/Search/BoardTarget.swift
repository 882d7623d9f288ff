import Contract
import Store
import Wire

/// The parts of a post that a search on boards can be narrowed to, in the order in which they are offered.
enum BoardTarget: String, Choice {
  case all, title, contents, writer

  /// The label of a target for people.
  func label(in snapshot: Snapshot) -> String {
    snapshot.words(Text("search.target.\(rawValue)"))
  }
}
