import Contract
import Display
import Store
import Wire

/// The source of an imported card, stored in its `foreign` column.
struct StoredSource: Codable, Sendable {
  var source: TaskSource
  /// The position in its file, so that an export keeps the order of the file.
  var place: Int
  /// The path of the file, for a task that only its text identifies: the same line in another file is another task. Nil
  /// for an import of bytes.
  var file: String?

  init(_ source: TaskSource, place: Int, file: String? = nil) {
    self.source = source
    self.place = place
    self.file = file
  }

  /// nil for a card that was not imported.
  init?(_ record: ProjectRecord) throws {
    guard let stored = record.foreign else { return nil }
    self = try StoredJSON<StoredSource>(stored: stored).value()
  }
}

extension StoredSource {
  /// The files from which cards were imported, as far as cards store that, and our own files from which they were last
  /// imported (`MergeBase`).
  static func files(in snapshot: Snapshot) throws -> [String] {
    var files: [String] = []
    try snapshot.db.each(
      """
      SELECT json_extract("foreign", '$.file') AS file FROM project WHERE "foreign" IS NOT NULL AND file > ''
      UNION SELECT json_extract(came, '$.path') AS file FROM project WHERE came IS NOT NULL AND file > ''
      """
    ) { files.append($0.text(0)) }
    return files
  }

  /// The source of the next card in a series: its text, without the text around it except zones.
  var ofNext: StoredSource {
    var next = self
    next.source.before = source.format == .ics ? ICalendarComponent.zones(in: source.before) : ""
    next.source.after = ""
    next.source.head = nil
    next.file = nil
    return next
  }
}

extension ExternalTask {
  /// A card in the terms of all formats. Its blockers are ids of cards.
  init(_ record: ProjectRecord, boards: CardBoards) {
    card = record
    state = Self.state(of: record.state, in: boards.columns(of: record.board))
    isOnArchivedBoard = boards[record.board]?.isArchived ?? false
    (created, modified) = (record.writtenAt, record.updatedAt)
  }

  static func state(of column: String, in columns: BoardColumns) -> State {
    if !columns.isOpen(column) { return .done }
    return sameBytes(column, columns.first.state) ? .todo : .doing
  }

  /// Whether it is the same card for an import: the fields that both sides can change. Blockers are ids of cards.
  func isSameCard(as other: ExternalTask) -> Bool {
    if let column, let there = other.column, !sameBytes(column, there) { return false }
    var (left, right) = (self, other)
    // A finished card has passed its rule on to the next one; a file may still have it.
    if left.state == .done, right.state == .done {
      (left.recurrence, right.recurrence) = (nil, nil)
    }
    return left.says(right)
  }
}
