import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

enum ListProjects: ReadMethod {
  static let name = "projects/list"
  static let summary =
    "Cards of a board or of all boards, narrowed by column, deadline, tag, what stands in them, and what holds them up."
  static let effects: Effects = .reads

  enum Sort: String, Choice {
    case board, deadline, changed, priority, urgency
  }

  struct Params: Payload {
    var board: String?
    var allBoards: Bool?
    var archived: Bool?
    var state: String?
    var isOpen: Bool?
    var overdue: Bool?
    var includeClosed: Bool?
    var blocked: Bool?
    var ready: Bool?
    var later: Bool?
    var tag: String?
    var priority: Int?
    var properties: [String: String]?
    var parent: ProjectID?
    var lanes: LaneKey?
    var lane: String?
    var from: GivenDay?
    var to: GivenDay?
    var query: String?
    var sort: Sort?
    var offset: Int?
    var after: String?
    var limit: Int?
    var preview: ProjectPreview?
    static let example = Params(
      board: nil, allBoards: nil, archived: nil, state: "todo", isOpen: nil, overdue: true, includeClosed: nil,
      blocked: false, ready: nil, later: nil, tag: "errands", priority: nil, properties: nil, parent: nil, lanes: nil,
      lane: nil, from: nil, to: nil,
      query: "book", sort: .deadline, offset: nil, after: nil, limit: 20, preview: nil)
    static let fields = [
      "board": CardBoards.paramNote, "allBoards": "The cards of all boards that are not archived, board by board.",
      "archived": "With `allBoards`: those of archived boards too.",
      "state": "Only this column, by its name or its shown title.",
      "isOpen": "Only cards in open columns, or only those in closed ones.",
      "overdue": "Only cards that are overdue, or only those that are not.",
      "includeClosed": "With `overdue: true`: includes cards in closed columns whose deadline is before today.",
      "blocked": "Only cards blocked by an open card, or only those that are not.",
      "ready":
        "Only cards that can be worked on now, or only those that cannot: open, not `later`, and not blocked.",
      "later":
        "Only open cards that are out of sight, for someday or with a start to come, or only the others.",
      "tag":
        "Only cards with this tag or one below it (`a/b` for `a`, and `+a.b` for the project `+a`), ignoring case, width "
        + "and composition.",
      "priority": "Only cards of this priority or a higher one: `1` for the highest.",
      "properties": "Only cards with all of these properties, ignoring case, width and composition.",
      "parent": "Only the sub-tasks of this card. Without `board`, those on any board.",
      "lanes": "Only the cards of one lane of the board grouped by this: \(LaneKey.note)",
      "lane": "The lane, as `projects/board` answers it. Default: the cards that are in none.",
      "from": "The earliest deadline.", "to": "The latest deadline.",
      "query": "Words that title, body or tags must contain, the last as a prefix. Empty matches all.",
      "sort":
        "`board`: by column, in manual order (default), `deadline`: earliest first (default with `overdue`, `from` or "
        + "`to`), `changed`: last changed first, `priority`: 1 first, then by deadline, `urgency`: open cards first, the most "
        + "urgent first, as Taskwarrior computes it: 12 for the deadline (0.2 of it two weeks before, rising to 1 a week "
        + "after), 8 if it blocks an open card, 6, 3.9 or 1.8 for a priority of 1 to 4, 5, or 6 to 9, 5 if its start has "
        + "come, 4 if begun, 2 for an age of a year, up to 1 for tags, 15 for the tag `next`, 0.8 for a body, -3 if `later`, -5 if `blocked`.",
      "offset": "The number of items to skip.", "after": "`next` of the previous page.",
      "limit": "Maximum number. Default 100. A page of very long cards is shorter.",
      "preview": "The part of each body to include.",
    ]
    static let limits: [String: FieldLimits] = [
      "board": CardBoards.paramLimits, "state": .length(1...200), "tag": .length(1...TagList.longest, notBlank: true),
      "query": .length(0...1_000), "priority": .range(1...9), "properties": .length(1...ProjectProperty.most),
      "offset": .atLeast(0),
      "after": .length(1...256), "limit": .range(1...1_000), "lane": .length(1...TagList.longest),
    ]
    static let atMostOne = [["offset", "after"], ["state", "isOpen"], ["board", "allBoards"]]
  }
  typealias Result = Page<Project>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Project> {
    let view = try ProjectView(params.preview, in: snapshot)
    let isByDay = params.overdue == true || params.from != nil || params.to != nil
    let isOfAll = params.allBoards == true || params.parent != nil && params.board == nil
    let boards =
      isOfAll
      ? params.archived == true || params.allBoards != true ? view.boards.all : view.boards.current
      : [try view.board(named: params.board)]
    var listing = ProjectListing(params.sort ?? (isByDay ? .deadline : .board), view, boards)
    if let state = params.state {
      listing.narrow(to: try lanes(named: state, on: boards, of: view.boards, in: snapshot))
    }
    if let isOpen = params.isOpen { listing.narrow(toOpen: isOpen) }
    if let overdue = params.overdue { narrow(&listing, overdue, params.includeClosed ?? false, view) }
    if let from = try params.from?.day("from", leaning: .ahead, in: snapshot) {
      listing.narrow("deadline >= ?", [.text(from.description)])
    }
    if let to = try params.to?.day("to", leaning: .ahead, in: snapshot) {
      listing.narrow("deadline <= ?", [.text(to.description)])
    }
    if let blocked = params.blocked { narrow(&listing, blocked: blocked, view) }
    if let ready = params.ready {
      if ready { listing.narrow(toOpen: true) }
      narrow(&listing, ready, Readiness.ready(in: CardLanes(of: view.boards), on: view.today))
    }
    if let later = params.later {
      let open = CardLanes(of: view.boards).only(open: true).condition()
      let condition = Readiness.later(on: view.today)
      narrow(&listing, later, ("\(condition.sql) AND \(open.sql)", condition.values + open.values))
    }
    if let tag = params.tag.map(ProjectSearch.tags.condition) { listing.narrow(tag.sql, tag.values) }
    if let priority = params.priority { listing.narrow("priority <= ?", [.integer(Int64(priority))]) }
    for (name, value) in (params.properties ?? [:]).sorted(by: { $0.key < $1.key }) {
      let condition = ProjectProperty.condition(name, value)
      listing.narrow(condition.sql, condition.values)
    }
    if let lanes = params.lanes {
      let condition = lanes.condition(params.lane)
      listing.narrow(condition.sql, condition.values)
    } else if params.lane != nil {
      throw RPCError.invalidParams(field: "lanes", reason: Text("param.missing", ["field": "lanes"]))
    }
    if let parent = params.parent { listing.narrow("parent = ?", [.text(parent.text)]) }
    try listing.narrow(toWords: params.query ?? "")
    return try listing.page(ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 100))
  }

  /// The columns with a name. Several boards may have one of this title, each by a state of its own.
  ///
  /// - Throws: `invalidParams` with the titles of the existing columns, if there is none, or several on one board.
  private static func lanes(
    named name: String, on some: [CardBoardRecord], of boards: CardBoards, in snapshot: Snapshot
  ) throws -> Set<CardLanes.Lane> {
    let named = some.flatMap { board in
      boards.columns(of: board.id).named(name, in: snapshot).map { CardLanes.Lane(board: board.id, state: $0.state) }
    }
    if named.isEmpty || some.count == 1 && named.count > 1 {
      _ = try boards.columns(ofAll: some).require(named: name, in: snapshot)
    }
    return Set(named)
  }

  private static func narrow(
    _ listing: inout ProjectListing, _ overdue: Bool, _ includesClosed: Bool, _ view: ProjectView
  ) {
    let today = SQLValue.text(view.today.description)
    if overdue {
      // The index of deadlines begins with the column.
      if !includesClosed { listing.narrow(toOpen: true) }
      listing.narrow("deadline < ?", [today])
    } else {
      let open = CardLanes(of: view.boards).only(open: true).condition()
      listing.narrow("NOT (deadline IS NOT NULL AND deadline < ? AND \(open.sql))", [today] + open.values)
    }
  }

  private static func narrow(
    _ listing: inout ProjectListing, _ isWanted: Bool, _ condition: (sql: String, values: [SQLValue])
  ) {
    listing.narrow("\(isWanted ? "" : "NOT ")(\(condition.sql))", condition.values)
  }

  private static func narrow(_ listing: inout ProjectListing, blocked: Bool, _ view: ProjectView) {
    let waiting = Readiness.waiting(for: CardLanes(of: view.boards).only(open: true))
    listing.narrow("id \(blocked ? "" : "NOT ")IN (\(waiting.sql))", waiting.values)
  }
}

extension ListProjects.Sort {
  /// Cards without a deadline are after all days; by place, the order within one column.
  func order(on today: CalendarDay) -> Keyset {
    switch self {
    case .board: Keyset(.text("rank"), .text("id"))
    case .deadline: Keyset(.text("ifnull(deadline, '~')"), .text("ifnull(time, '~')"), .text("id"))
    case .changed: .change
    case .priority:
      Keyset(
        .integer(CardPriority.order), .text("ifnull(deadline, '~')"), .text("ifnull(time, '~')"), .text("id"))
    case .urgency:
      Keyset(.integer("(completedAt IS NOT NULL)"), .integer(Urgency.sql(on: today)).descending, .text("id"))
    }
  }
}
