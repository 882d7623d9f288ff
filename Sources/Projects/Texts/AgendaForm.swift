import Contract
import Kit
import SQLite
import Store
import Wire

/// `projects/agenda.md`: the open cards of all boards by the day on which they are due, below the events of calendars.
///
///     ## Overdue
///
///     - [ ] Return the book due:2026-11-24 ^k3f2
///
///     ## Today
///
///     > 14:00–14:30 Dentist, High Street (Family)
///
///     - [ ] Call Ann about [[Dune]] due:2026-11-26 ^p9qx
struct AgendaForm: LibraryTextForm {
  let collections = BoardForm().collections.union([CalendarRecord.collectionName])
  let grows = true
  let followsDay = true
  var editing: (any TextEditing)? { AgendaEditing() }

  func shows(_ path: TextPath) -> Bool { path.segments == ["projects", "agenda"] }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    let cards = try Self.cards(in: snapshot)
    let today = snapshot.services.libraryToday
    let events = try AgendaEvents(
      from: today, through: today.adding(days: AgendaSection.daysOfWeek), limit: Self.mostEvents, in: snapshot)
    var text = BoardText()
    for section in AgendaSection.allCases {
      let lane = StoredColumn(state: section.rawValue, title: nil, isOpen: true)
      let title = snapshot.words(section.title)
      text.add(heading: title, title, lane)
      let cards = cards[section] ?? []
      text.add(quoted: section.days(from: today).flatMap { events.lines(on: $0, from: today) }, isLast: cards.isEmpty)
      let anchors = try snapshot.services.anchors.anchors(
        of: cards.map(\.id), in: ProjectRecord.collectionName, for: snapshot)
      for (card, anchor) in zip(cards, anchors) {
        guard try text.add(card, anchor, in: lane, snapshot) else {
          text.cut(snapshot.words(Text("text.cut")))
          return text.rendered
        }
      }
    }
    return text.rendered
  }

  private static let mostEvents = 200

  /// The open cards of the boards that are not archived: those with a day first, and those for someday last.
  private static func cards(in snapshot: Snapshot) throws -> [AgendaSection: [ProjectRecord]] {
    let boards = try CardBoards(in: snapshot)
    let open = CardLanes(of: boards, boards.current).only(open: true).condition()
    let waiting = Readiness.waiting(for: CardLanes(of: boards).only(open: true))
    var waitingIDs: Set<String> = []
    try snapshot.db.each(waiting.sql, waiting.values) { waitingIDs.insert($0.text(0)) }
    let records = try ProjectRecord.all(
      in: snapshot.db,
      """
      WHERE \(open.sql) ORDER BY someday, deadline IS NULL, deadline, time IS NULL, time,
        \(CardPriority.order), board, rank, id
      """, open.values)
    let today = snapshot.services.libraryToday
    return Dictionary(grouping: records) { AgendaSection($0, isWaiting: waitingIDs.contains($0.id), on: today) }
  }
}

/// A part of the agenda. The raw value is the lane of its cards.
enum AgendaSection: String, CaseIterable {
  case overdue, today, week, later, waiting

  /// A card that is due is shown as due even if it waits for another one.
  ///
  /// - Parameter isWaiting: whether it waits for an open card.
  init(_ card: ProjectRecord, isWaiting: Bool, on today: CalendarDay) {
    if let deadline = card.deadline, deadline <= today {
      self = deadline < today ? .overdue : .today
    } else if card.isSomeday {
      self = .later
    } else if isWaiting || card.start.map({ $0 > today }) ?? false {
      self = .waiting
    } else {
      self = card.deadline.map { $0 <= today.adding(days: Self.daysOfWeek) } ?? false ? .week : .later
    }
  }

  var title: Text { Text("text.agenda.\(rawValue)") }

  /// In how many days a card that is written into this part is due; nil if it has no day of its own.
  var distance: Int? {
    switch self {
    case .today: 0
    case .week: Self.daysOfWeek
    case .overdue, .later, .waiting: nil
    }
  }

  /// The days after today that count as this week.
  static let daysOfWeek = 7

  /// The days whose events are listed in it.
  func days(from today: CalendarDay) -> [CalendarDay] {
    switch self {
    case .today: [today]
    case .week: (1...Self.daysOfWeek).map { today.adding(days: $0) }
    case .overdue, .later, .waiting: []
    }
  }
}
