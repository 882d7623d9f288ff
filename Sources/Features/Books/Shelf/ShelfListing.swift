import Contract
import Store
import Wire

extension ItemListing<BookRecord> {
  /// Leaves only books that have this name of this kind.
  mutating func narrow(_ kind: String, _ name: String) {
    narrow("id IN (SELECT book FROM bookName WHERE kind = ? AND name = ?)", [.text(kind), .text(name)])
  }
}

extension ShowShelf {
  enum Sort: String, Choice {
    case added, changed, finished, rating, started, title

    static let note =
      "`added`: the last that came first (default), `changed`, `started`, `finished`: the last first, those without a day "
      + "last; `rating`: the best first; `title`."
  }
}

extension ShowShelf.Sort {
  var order: Keyset {
    let id = Keyset.Key.text("id")
    return switch self {
    case .added: Keyset(.integer("addedAt"), id).descending
    case .changed: .change
    case .started: Keyset(.text("ifnull(started, '')"), id).descending
    case .finished: Keyset(.text("ifnull(finished, '')"), id).descending
    case .rating: Keyset(.integer("CAST(ifnull(rating, 0) * 2 AS INTEGER)"), id).descending
    // As much as tells it from others; of the same beginning the id decides.
    case .title: Keyset(.text("substr(fold(title), 1, 60)"), id)
    }
  }
}
