/// What a file says otherwise of a book than it did when it came last, against what the shelf has of it. What it does not
/// say any more stays; the stars of other readers, which are others in every export, are left out.
struct ChangedFacts: Sendable {
  /// The shelf's, with what only the file has changed.
  private(set) var merged: BookFacts
  /// The shelf's, with all that the file has changed.
  private(set) var followed: BookFacts
  /// Whether the file and the shelf have changed the same field, each in its way.
  private(set) var isConflict = false
  private let shelf: BookFacts

  var isNone: Bool { !isConflict && merged == shelf }

  init(before: BookFacts, now: BookFacts, shelf: BookFacts) {
    self.shelf = shelf
    merged = shelf
    followed = shelf
    take(\.title, before, now)
    take(\.subtitle, before, now)
    take(\.authors, before, now)
    take(\.publisher, before, now)
    take(\.published, before, now)
    take(\.description, before, now)
    take(\.isbns, before, now)
    take(\.pageCount, before, now)
    take(\.language, before, now)
    take(\.infoLink, before, now)
  }

  private mutating func take<Value: Equatable>(
    _ field: WritableKeyPath<BookFacts, Value>, _ before: BookFacts, _ now: BookFacts
  ) {
    let (old, new, own) = (before[keyPath: field], now[keyPath: field], shelf[keyPath: field])
    let none = BookFacts()[keyPath: field]
    guard new != old, new != none, new != own else { return }
    followed[keyPath: field] = new
    if own == old || own == none { merged[keyPath: field] = new } else { isConflict = true }
  }
}
