import Contract
import Exchange
import Kit
import Store
import Wire

/// The progress of an import. Each row is a book of an earlier import, a book that is on the shelf already, a new one,
/// or one that waits for the user's decision. Only identical repeated rows are skipped.
struct BookImport: Sendable {
  var index = 0
  var counts = ImportCounts()
  private var seen: [String: JSONObject] = [:]
  private var numbered = NumberedRows()
  private var matcher: ShelfMatcher
  private let documents: DocumentPaths

  /// - Parameter documents: the documents that the books' files may be.
  init(linking documents: DocumentPaths, in snapshot: Snapshot) throws {
    self.documents = documents
    matcher = try ShelfMatcher(in: snapshot)
    counts.undecided = 0
  }

  mutating func take(_ row: BookFile.Row, isDryRun: Bool, in transaction: Transaction) throws {
    index += 1
    let row = documents.linked(row)
    let (book, place) = (row.book, row.place)
    let id = DerivedID.text(of: "books/\(book.origin)")
    if let other = seen[book.origin] {
      if other == book.row {
        counts.notes.append(ImportNote(.repeated, at: place, title: book.facts.title ?? ""))
        return
      }
      let second = DerivedID.text(of: "books/\(book.origin)/\(JSONValue.object(book.row).description)")
      return try ask(.repeated, row, second, candidates: [.init(book: id, score: 1)], isDryRun, transaction)
    }
    seen[book.origin] = book.row
    // It waits for a decision, or the user has skipped it; that applies to this content of the row only.
    let review = try transaction.snapshot.find(BookReviewRecord.self, id: id)
    let open = review.flatMap { [nil, DecideBook.Choice.skip.rawValue].contains($0.decision) ? $0 : nil }
    if let open, try open.book.value().row == book.row { return meet(open, row) }
    if let known = try known(book, id, in: transaction.snapshot) {
      try numbered.note(book, as: known.id)
      return try compare(row, with: known, id, isDryRun, transaction)
    }
    if let first = numbered.first(with: book), book.facts.title != nil {
      return try unite(row, id, with: first, isDryRun, transaction)
    }
    let matches = matcher.matches(book)
    let candidates = matches.prefix(5).map { BookReviewRecord.Candidate(book: $0.id, score: $0.score) }
    guard book.facts.title != nil else {
      return try ask(.noTitle, row, id, candidates: candidates, isDryRun, transaction)
    }
    // A changed row does not replace the decision that the user was asked for.
    if let open, [.similar, .numberOfAnother].contains(open.reason) {
      return try ask(open.reason, row, id, candidates: candidates, isDryRun, transaction)
    }
    guard let best = matches.first else { return try add(book, id, isDryRun, transaction) }
    if best.hasSameNumber {
      guard best.score >= BookLikeness.sameNumber, best.titles != .other else {
        return try ask(.numberOfAnother, row, id, candidates: candidates, isDryRun, transaction)
      }
      return try join(row, id, to: best.id, isDryRun, transaction)
    }
    let same = matches.filter { $0.score >= BookLikeness.same && $0.titles == .same }
    if same.count == 1, !same[0].hasOtherNumber { return try join(row, id, to: same[0].id, isDryRun, transaction) }
    try ask(.similar, row, id, candidates: candidates, isDryRun, transaction)
  }

  /// The book that this row was or became before; for our own files also the book with its id.
  private func known(_ book: ImportedBook, _ id: String, in snapshot: Snapshot) throws -> BookRecord? {
    let named = try snapshot.db.first(
      "SELECT book FROM bookName WHERE kind = 'origin' AND name = ? LIMIT 1", [.text(book.origin)]
    ) { $0.text(0) }
    if let named { return try snapshot.find(BookRecord.self, id: named) }
    guard let slash = book.origin.firstIndex(of: "/") else { return nil }
    let isOurs = ["jsonl", "csv"].contains(book.origin[..<slash])
    return isOurs
      ? try snapshot.find(BookRecord.self, id: String(book.origin[book.origin.index(after: slash)...])) : nil
  }

  /// Merges a row of an earlier import: if only the file has changed, the library follows. An origin that is only a
  /// number may refer to another book by now; then this book is not overwritten.
  private mutating func compare(
    _ row: BookFile.Row, with known: BookRecord, _ id: String, _ isDryRun: Bool, _ transaction: Transaction
  ) throws {
    let (current, facts) = (known.content, try known.facts.value())
    let own = try Self.row(of: row.book.origin, in: known).map {
      try ReaderPosition.row($0, on: current, in: transaction.db)
    }
    if let own, own.row == row.book.row {
      // An earlier version read the row in another way: it left the series in the title.
      let read = own.facts == row.book.facts ? nil : try Self.changedFacts(row.book, since: own, on: known)
      let merged = read.flatMap { $0.conflicts.isEmpty && $0.merged != facts ? $0.merged : nil }
      if merged == nil { counts.known += 1 } else { counts.updated += 1 }
      // The library was moved, or an earlier version left the cover out.
      let cover = row.book.cover.flatMap { known.coverFile == $0 ? nil : $0 }
      if merged != nil || cover != nil, !isDryRun {
        try transaction.change(known) { record in
          record.coverFile = cover ?? record.coverFile
          guard let merged else { return }
          try record.take(merged)
          try record.keep(row.book)
        }
      }
      return
    }
    // For a file that was never imported, the row of the last other import.
    let before = own ?? known.importedRows.first
    // The shelf's links to documents stay, whatever the file has; new ones are added.
    let added = current.unlinked(
      row.book.content.documents.filter { before?.content.documents.contains($0) != true })
    let content = row.book.content.with(documents: current.documents)
    let contentBefore = before?.content.with(documents: current.documents)
    let candidates = [
      BookReviewRecord.Candidate(book: known.id, score: BookLikeness.score(row.book.facts, facts))
    ]
    guard Self.isLike(row.book, facts) || before.map({ Self.isLike(row.book, $0.facts) }) ?? false else {
      let reason: BookReviewRecord.Reason = row.book.isNamedByTitle ? .similar : .numberOfAnother
      return try ask(reason, row, id, candidates: candidates, isDryRun, transaction)
    }
    let epoch = transaction.services.library.identity.epoch
    let isShelfUnchanged = row.book.revision == ExportedBook.revision(of: known, epoch: epoch)
    let changed = try Self.changedFacts(row.book, since: isShelfUnchanged ? nil : own, on: known)
    // Content that the shelf has from elsewhere is no change of its own, unless the file stated something else before.
    let merge = try own.map { try Self.changedContent($0.content, content, on: current) }
    let isMerged = merge.map { $0.conflicts.isEmpty } ?? false
    let isContentKnown =
      added.isEmpty && (content == contentBefore || content == current || isMerged && merge?.merged == current)
    let isWhole = contentBefore == current || isShelfUnchanged
    let isFileAhead = isContentKnown || isWhole || isMerged
    // Without an earlier row it is unknown which side has changed, except for a file of our own, which states its
    // revision.
    let isDisputed = !(changed?.conflicts.isEmpty ?? true)
    let hasChanged = isDisputed || changed?.isChange ?? false
    let isUnclear = own == nil && !isShelfUnchanged && hasChanged
    if isContentKnown, !hasChanged {
      counts.known += 1
    } else if isFileAhead, !isUnclear, !isDisputed {
      if !isDryRun {
        try transaction.change(known) { record in
          if !isContentKnown {
            record.content = (isWhole ? content : merge?.merged ?? content).with(documents: current.documents + added)
          }
          if let changed, changed.merged != facts { try record.take(changed.merged) }
          try record.keep(row.book)
        }
        try Self.settle(id, .same, in: transaction)
      }
      counts.updated += 1
    } else {
      let same = [BookReviewRecord.Candidate(book: known.id, score: 1)]
      try ask(.changed, row, id, candidates: same, isDryRun, transaction)
    }
  }

  /// Whether two books with the same origin can be the same. A missing title is no contradiction. An id of another
  /// program stays with its book when the title is corrected; an origin made of a number or a title does not turn
  /// another volume into it.
  private static func isLike(_ row: ImportedBook, _ other: BookFacts) -> Bool {
    guard let title = row.facts.title, let otherTitle = other.title, title != otherTitle else { return true }
    return BookLikeness.score(row.facts, other) >= BookLikeness.sameNumber
      && (row.hasName || BookTitle(row.facts).relation(to: BookTitle(other)) != .other)
  }

  /// The last row of an origin from which a book on the shelf was imported.
  private static func row(of origin: String, in record: BookRecord) -> ImportedBook? {
    record.importedRows.first { sameBytes($0.origin, origin) }
  }

  /// The changes of a row since the one before; for a file of our own, since the line that the shelf would write. nil
  /// if there is neither: the row of another program cannot be compared here.
  private static func changedFacts(
    _ book: ImportedBook, since before: ImportedBook?, on record: BookRecord
  ) throws -> ItemMerge<BookFacts>? {
    let shelf = try record.facts.value()
    func merged(_ before: BookFacts) throws -> ItemMerge<BookFacts> {
      try ItemMerge(BookFacts.fields, base: before, ours: shelf, theirs: book.facts, silence: BookFacts())
    }
    if let before { return try merged(before.facts) }
    guard let format = ["csv", "jsonl"].first(where: { sameBytes(book.origin, "\($0)/\(record.id)") }) else {
      return nil
    }
    var written = shelf
    if format == "csv" {
      written = try BookTableFormat.facts(in: BookTableFormat.line(ExportedBook(record, epoch: ""))) ?? shelf
    }
    written.bound()
    return try merged(written)
  }

  /// The changes of a row in the user's content since the one before; without one, all its content.
  private static func changedContent(
    _ before: ShelfContent?, _ now: ShelfContent, on shelf: ShelfContent
  ) throws -> ItemMerge<ShelfContent> {
    var merge = try ItemMerge(
      ShelfContent.fields, base: before, ours: shelf, theirs: now, silence: ShelfContent())
    if let before {
      merge.merged.removeReplaced(since: before, by: now)
      merge.merged.addCountedReads(since: before, by: now, on: shelf)
    }
    return merge
  }

  /// Resolves a waiting row after a later one has been imported.
  private static func settle(_ id: String, _ choice: DecideBook.Choice, in transaction: Transaction) throws {
    guard let review = try transaction.snapshot.find(BookReviewRecord.self, id: id), review.decision == nil else {
      return
    }
    try transaction.change(review) { $0.decision = choice.rawValue }
  }

  private mutating func add(_ book: ImportedBook, _ id: String, _ isDryRun: Bool, _ transaction: Transaction) throws {
    if !isDryRun {
      _ = try Self.place(book, id, in: transaction)
      try Self.settle(id, .new, in: transaction)
    }
    try numbered.note(book, as: id)
    counts.added += 1
  }

  /// A row with the number of an earlier one under another origin: the same book, unless the two contradict each other.
  private mutating func unite(
    _ row: BookFile.Row, _ id: String, with first: NumberedRows.Book, _ isDryRun: Bool, _ transaction: Transaction
  ) throws {
    let score = BookLikeness.score(row.book.facts, first.facts)
    let title = row.book.facts.title ?? ""
    let titles = BookTitle(row.book.facts).relation(to: BookTitle(first.facts))
    let isSame = score >= BookLikeness.sameNumber && titles != .other
    let differences = try ContentDifferences.notes(
      first.content, against: row.book.content, at: row.place, title: title)
    guard isSame, differences.isEmpty else {
      let candidates = [BookReviewRecord.Candidate(book: first.id, score: isSame ? 1 : score)]
      return try ask(isSame ? .repeated : .numberOfAnother, row, id, candidates: candidates, isDryRun, transaction)
    }
    counts.notes.append(
      ImportNote(
        .repeated, at: row.place, title: title, isSkipped: false, field: "isbn", text: Text("books.import.sameNumber")))
    // In a dry run the book of the earlier row may not exist.
    guard let record = try transaction.snapshot.find(BookRecord.self, id: first.id) else {
      let isKnown = try first.content.filled(from: row.book.content) == first.content
      if isKnown { counts.known += 1 } else { counts.updated += 1 }
      return try numbered.note(row.book, as: first.id)
    }
    try join(row, id, to: record.id, isDryRun, transaction)
  }

  private mutating func join(
    _ row: BookFile.Row, _ review: String, to id: String, _ isDryRun: Bool, _ transaction: Transaction
  ) throws {
    let record = try transaction.snapshot.get(BookRecord.self, id: id)
    let (own, content) = (record.content, row.book.content)
    if !isDryRun {
      try Self.join(row.book, to: record, in: transaction)
      try Self.settle(review, .same, in: transaction)
    }
    try numbered.note(row.book, as: id)
    counts.notes += try ContentDifferences.notes(
      own, against: content, at: row.place, title: row.book.facts.title ?? "")
    if try own.filled(from: content) == own { counts.known += 1 } else { counts.updated += 1 }
  }

  /// A row that was asked about before, unchanged: it still waits, or the decision stands.
  private mutating func meet(_ review: BookReviewRecord, _ row: BookFile.Row) {
    if review.decision == nil { wait(row) } else { counts.known += 1 }
  }

  private mutating func wait(_ row: BookFile.Row) {
    counts.undecided = (counts.undecided ?? 0) + 1
    counts.notes.append(ImportNote(.undecided, at: row.place, title: row.book.facts.title ?? ""))
  }

  private mutating func ask(
    _ reason: BookReviewRecord.Reason, _ row: BookFile.Row, _ id: String,
    candidates: [BookReviewRecord.Candidate], _ isDryRun: Bool, _ transaction: Transaction
  ) throws {
    // A row that has changed since replaces the waiting one.
    let asked = try transaction.snapshot.find(BookReviewRecord.self, id: id)
    if let asked, try asked.book.value().row == row.book.row { return meet(asked, row) }
    wait(row)
    if isDryRun { return }
    var record = asked ?? BookReviewRecord()
    record.id = id
    record.title = row.book.facts.title ?? ""
    record.book = try StoredJSON(row.book)
    record.reason = reason
    record.candidates = try StoredJSON(candidates)
    record.line = row.place.line ?? row.place.number
    record.decision = nil
    if let asked {
      try transaction.change(asked) { $0 = record }
      return
    }
    try transaction.insert(record)
  }

  // MARK: - Operations that a decision uses too

  /// Adds a new book to the shelf.
  static func place(_ book: ImportedBook, _ id: String, in transaction: Transaction) throws -> BookRecord {
    var record = BookRecord()
    // A file of our own keeps its ids.
    let own = book.origin.split(separator: "/", maxSplits: 1).last.map(String.init) ?? ""
    let isOurs = book.origin.hasPrefix("jsonl/") && ItemID(validating: own) != nil
    record.id = isOurs ? own : id
    record.content = book.content
    // A book with passages was begun; neither file states more.
    if book.program == .kindle || book.origin.hasPrefix(KOReaderStatistics.origin) { record.content.status = .reading }
    record.sameAs = try StoredJSON(book.sameAs.filter { ItemID(validating: $0) != nil })
    record.addedAt = book.addedAt ?? transaction.now
    record.origins = try StoredJSON([book.origin])
    try record.keep(book)
    if let key = book.citationKey, let free = try? CitationKey.given(key, for: record.id, in: transaction.snapshot) {
      record.citationKey = free
    }
    return try transaction.place(record, book.facts)
  }

  /// Merges a row into the same book on the shelf: the file fills missing values, existing ones stay.
  @discardableResult
  static func join(_ book: ImportedBook, to record: BookRecord, in transaction: Transaction) throws -> BookRecord {
    try transaction.change(record) { record in
      record.content = try record.content.filled(from: book.content)
      var facts = try record.facts.value()
      let before = facts
      facts.fill(from: book.facts)
      if facts != before { try record.take(facts) }
      try name(&record, book)
    }
  }

  /// Applies the row's changes, whatever the shelf states. Values missing in the row are not removed.
  @discardableResult
  static func follow(_ book: ImportedBook, _ record: BookRecord, in transaction: Transaction) throws -> BookRecord {
    let facts = try record.facts.value()
    let before = row(of: book.origin, in: record)
    let changed = try changedFacts(book, since: before, on: record)
    let content = try changedContent(before?.content, book.content, on: record.content)
    let documents = record.content.documents
    let added = record.content.unlinked(book.content.documents)
    return try transaction.change(record) { record in
      record.content = content.followed.with(documents: documents + added)
      if let changed, changed.followed != facts { try record.take(changed.followed) }
      try name(&record, book)
    }
  }

  private static func name(_ record: inout BookRecord, _ book: ImportedBook) throws {
    let origins = try record.origins.value()
    if !origins.contains(book.origin) { record.origins = try StoredJSON(origins + [book.origin]) }
    try record.keep(book)
  }
}
