import Contract
import Display
import Store
import Wire

/// What a card keeps of the file that it came from, in its `foreign` column.
struct StoredSource: Codable, Sendable {
  var source: ForeignSource
  /// Where in its file it stood, so that an export has the order of the file.
  var place: Int
  /// The path of the file, of a task that nothing but its text tells from others: the same line in another file is
  /// another task. Nil where it came as bytes.
  var file: String?

  init(_ source: ForeignSource, place: Int, file: String? = nil) {
    self.source = source
    self.place = place
    self.file = file
  }

  /// nil where a card came from no file.
  init?(_ record: ProjectRecord) throws {
    guard let foreign = record.foreign else { return nil }
    self = try StoredJSON<StoredSource>(stored: foreign).value()
  }
}

extension StoredSource {
  /// The files that cards have come from, where a card keeps that, and our own that they were taken from last
  /// (`MergeBase`).
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

  /// What the next card of one that came again keeps: its text, but not what stood around it beside its zones.
  var ofNext: StoredSource {
    var next = self
    next.source.before = source.format == .ics ? ICalendarComponent.zones(in: source.before) : ""
    next.source.after = ""
    next.source.head = nil
    next.file = nil
    return next
  }
}

extension ForeignTask {
  /// A card in the terms of all formats. Its blockers are ids of cards.
  init(_ record: ProjectRecord, columns: BoardColumns) {
    card = record
    state = Self.state(of: record.state, in: columns)
    (created, modified) = (record.writtenAt, record.updatedAt)
  }

  static func state(of column: String, in columns: BoardColumns) -> State {
    if !columns.isOpen(column) { return .done }
    return sameBytes(column, columns.first.state) ? .todo : .doing
  }

  /// The same card, for purposes of an import: the fields that both sides can change. Blockers as ids of cards.
  func isSameCard(as other: ForeignTask) -> Bool {
    if let column, let there = other.column, !sameBytes(column, there) { return false }
    var (left, right) = (self, other)
    // A card that is done has passed its rule on to the next one; a file may keep it.
    if left.state == .done, right.state == .done {
      (left.recurrence, right.recurrence) = (nil, nil)
    }
    return left.says(right)
  }
}
