import Wire

/// What a file says otherwise of a reader's book than it did when it came last, against what the shelf says. What it does
/// not say stays, and so does what it says as before; where nobody knows what it said, all that it says is new. Tags are
/// only ever added.
struct ChangedContent {
  /// The shelf's, with what only the file has changed.
  private(set) var merged: ShelfContent
  /// The shelf's, with all that the file has changed.
  private(set) var followed: ShelfContent
  /// Whether the file and the shelf have changed the same field, each in its way.
  private(set) var isConflict = false
  private let shelf: ShelfContent
  private let before: ShelfContent?

  init(before: ShelfContent?, now: ShelfContent, shelf: ShelfContent) {
    (self.shelf, self.before, merged, followed) = (shelf, before, shelf, shelf)
    // To want a book says less than anything else.
    take(\.status, now, none: .want)
    take(\.started, now, none: nil)
    take(\.finished, now, none: nil)
    take(\.progress, now, none: BookProgress())
    take(\.rating, now, none: nil)
    take(\.note, now, none: "")
    take(\.quotes, now, none: [])
    let known = shelf.tags + (before?.tags ?? [])
    let new = now.tags.filter { tag in !known.contains { sameBytes($0, tag) } }
    merged.tags += new
    followed.tags += new
  }

  private mutating func take<Value: Equatable>(
    _ field: WritableKeyPath<ShelfContent, Value>, _ file: ShelfContent, none: Value
  ) {
    let (old, new, own) = (before?[keyPath: field], file[keyPath: field], shelf[keyPath: field])
    guard new != old, new != none, new != own else { return }
    followed[keyPath: field] = new
    if own == old || own == none { merged[keyPath: field] = new } else { isConflict = true }
  }
}

extension ShelfContent {
  /// The page and the share of it, of which only one is said.
  fileprivate var progress: BookProgress {
    get { BookProgress(page: page, percent: percent) }
    set { (page, percent) = (newValue.page, newValue.percent) }
  }
}
