import Contract
import Kit
import SQLite
import Store
import Wire

/// The open cards of an agenda, as many as its limit.
struct AgendaCards {
  /// A day of a card by which an agenda lists it.
  enum Day: String {
    case deadline, start

    /// Selects the first cards of one column within bounds, with their places. The index of the day is in this order, so
    /// SQLite reads these cards and no others.
    ///
    /// A start counts only for a card that is not for someday.
    var statement: String {
      let order = "\(rawValue), ifnull(time, '~'), \(CardPriority.order), id"
      return """
        SELECT \(order) FROM project WHERE board = ? AND state = ? AND \(rawValue) >= ? AND \(rawValue) <= ? \
          \(self == .start ? "AND NOT someday " : "")ORDER BY \(order) LIMIT ?
        """
    }

    func of(_ record: ProjectRecord) -> CalendarDay? { self == .start ? record.start : record.deadline }
  }

  /// Where a card is in the order of a day.
  private struct Place {
    var day: String
    var time: String
    /// By `CardPriority.order`.
    var number: Int
    var id: String

    static func precedes(_ one: Self, _ other: Self) -> Bool {
      let (places, others) = ((one.day, one.time, one.number), (other.day, other.time, other.number))
      return places == others ? one.id.utf8.lexicographicallyPrecedes(other.id.utf8) : places < others
    }
  }

  private let lanes: CardLanes
  private let view: ProjectView
  private let limit: Int
  private var count = 0
  /// Whether there were more cards than the limit.
  private(set) var hasMore = false

  init(in lanes: CardLanes, limit: Int, _ view: ProjectView) {
    (self.lanes, self.limit, self.view) = (lanes.only(open: true), limit, view)
  }

  /// Cards with a day within bounds, as many as are left of the limit, in the order of that day.
  ///
  /// - Parameter first: nil for all days until the last.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  mutating func read(
    by day: Day, from first: CalendarDay?, through last: CalendarDay
  ) throws -> [(day: CalendarDay, card: Project)] {
    let left = limit - count
    let found = try places(by: day, from: first?.description ?? "", through: last.description, most: left + 1)
    if found.count > left { hasMore = true }
    count += min(found.count, left)
    return try found.prefix(left).compactMap { place in
      guard let record = try view.snapshot.find(ProjectRecord.self, id: place.id), let day = day.of(record) else {
        return nil
      }
      return (day, try Project(view.shown(record), isListed: true))
    }
  }

  private func places(by day: Day, from first: String, through last: String, most: Int) throws -> [Place] {
    try firstRows(most, of: lanes.selected, by: Place.precedes) { lane, end in
      var places: [Place] = []
      let bounds = [lane.board, lane.state, first, end?.day ?? last].map { SQLValue.text($0) }
      try view.snapshot.db.each(day.statement, bounds + [.integer(most)]) { row in
        places.append(Place(day: row.text(0), time: row.text(1), number: row.int(2), id: row.text(3)))
      }
      return places
    }
  }

  /// The days within the window on which recurring cards will be due after their present deadline.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`, `RPCError` for a stored rule that is none.
  mutating func foreseen(from first: CalendarDay, to last: CalendarDay) throws -> [ForeseenCard] {
    var foreseen: [ForeseenCard] = []
    let (sql, values) = ForeseenCard.candidates(through: last, lanes.condition())
    try view.snapshot.db.scan(sql, values) { row in
      var record = ProjectRecord()
      (record.id, record.title, record.time) = (row.text(0), row.text(1), row.optionalText(3))
      record.deadline = CalendarDay(row.text(2))
      record.recurrence = try StoredJSON<Recurrence>(stored: row.text(4)).value()
      record.foreign = row.optionalText(5)
      for (day, time) in try record.foreseen(from: first, to: last, zone: view.snapshot.reader.zone) {
        guard foreseen.count < limit else {
          hasMore = true
          return true
        }
        var later = record
        later.time = time
        foreseen.append(
          ForeseenCard(
            card: ProjectID(unchecked: record.id), title: record.title, day: day, time: time,
            display: .init(time: view.time(later))))
      }
      return false
    }
    return foreseen
  }
}
