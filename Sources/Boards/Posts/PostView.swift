import Contract
import Store
import Wire

/// Shows posts to one client, from one state of the library.
struct PostView {
  let snapshot: Snapshot
  private let dates: PostDates
  /// The requested board; of a post on several boards, the one to be named.
  private let board: BoardRecord?
  private let lastVisit: Int64?
  /// Whether the board's source has its own content for posts that another source had first.
  private let hasAccounts: Bool
  /// The posts of the board rendered earlier for the same audience.
  private let made: MadePosts.Page?

  init(_ style: PostDateStyle?, of board: BoardRecord?, in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    self.board = board
    let dates = PostDates(style ?? .default, in: snapshot)
    self.dates = dates
    lastVisit = try board.flatMap {
      try BoardSelection.lastVisit(of: snapshot.caller.clientName, to: $0.id, in: snapshot)
    }
    let hasAccounts =
      try board.flatMap { board in
        try snapshot.db.first("SELECT 1 FROM postAccount WHERE source = ? LIMIT 1", [.text(board.source)]) { _ in true }
      } ?? false
    self.hasAccounts = hasAccounts
    made = board.flatMap { board in
      hasAccounts
        ? nil
        : snapshot.services.madePosts.page(
          .init(
            board: board.id, boardName: board.displayName, reader: snapshot.reader, style: style ?? .default,
            today: dates.today.lowerBound))
    }
  }

  /// A post that is listed on the board.
  func post(_ listed: PostListing.Listed) throws -> Post? {
    guard let made else { return try make(listed).map(Self.listed) }
    let look = MadePosts.Look(
      state: listed.state, place: listed.place, isSinceVisit: isSinceVisit(BoardPlace(listed, of: board)))
    return try made.post(listed.place.post, as: look) { try make(listed).map(Self.listed) }
  }

  /// A post of a list.
  static func listed(_ post: ShownPost) throws -> Post { try Post(post, isListed: true) }

  private func make(_ listed: PostListing.Listed) throws -> ShownPost? {
    guard var record = try snapshot.find(PostSummary.self, id: listed.place.post) else { return nil }
    if hasAccounts, let source = board?.source,
      let account = try snapshot.find(PostAccountSummary.self, id: PostAccount.id(of: record.id, from: source))
    {
      record.head.takeContent(of: account.head)
    }
    return shown(record, BoardPlace(listed, of: board), try mark(of: record))
  }

  func post(_ id: String) throws -> Post? {
    try snapshot.find(PostSummary.self, id: id).map { try Self.listed(shown($0)) }
  }

  /// A post with the content of one of its sources, on a board of that source.
  func post(_ id: String, from source: String) throws -> Post? {
    try snapshot.find(PostRecord.self, id: id).map {
      try Self.listed(shown(PostSummary($0.described(by: source, in: snapshot)), from: source))
    }
  }

  /// `record` with the content to be shown; `source` is the content's source, if it is not the first.
  func shown(_ record: PostSummary, from source: String? = nil) throws -> ShownPost {
    let placements = try record.head.placements.value()
    guard
      let here = placements.first(where: { $0.board == board?.id })
        ?? placements.first(where: { $0.source == source }) ?? placements.first
    else { return shown(record, nil, try mark(of: record)) }
    let place = BoardPlace(
      source: here.source, pinned: here.pinned == 1, at: Instant(milliseconds: here.at), arrivedAt: here.arrivedAt)
    guard board == nil else { return shown(record, place, try mark(of: record)) }
    // No board was requested: the post's own board is shown, and the client's last visit does not matter.
    let own = try snapshot.find(BoardRecord.self, id: here.board)
    var shown = try PostView(style: dates, of: own, in: snapshot).shown(record, place, mark(of: record))
    shown.display.board = own.map { BoardView.title(of: $0, in: snapshot) }
    shown.display.source = try snapshot.find(SourceRecord.self, id: here.source)?.shownTitle
    return shown
  }

  /// The place of a post on a board.
  private struct BoardPlace {
    var source: String?
    var pinned: Bool
    var at: Instant
    var arrivedAt: Int64

    init(source: String?, pinned: Bool, at: Instant, arrivedAt: Int64) {
      (self.source, self.pinned, self.at, self.arrivedAt) = (source, pinned, at, arrivedAt)
    }

    init(_ listed: PostListing.Listed, of board: BoardRecord?) {
      self.init(
        source: board?.source, pinned: listed.place.pinned == 1, at: Instant(milliseconds: listed.place.at),
        arrivedAt: listed.arrivedAt)
    }
  }

  private init(style dates: PostDates, of board: BoardRecord?, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.dates = dates
    self.board = board
    (lastVisit, hasAccounts, made) = (nil, false, nil)
  }

  private func mark(of record: PostSummary) throws -> PostMarkRecord? {
    try snapshot.find(PostMarkRecord.self, id: record.id)
  }

  private func shown(_ record: PostSummary, _ place: BoardPlace?, _ mark: PostMarkRecord?) -> ShownPost {
    let head = record.head
    let badges = badges(of: head, isPinned: place?.pinned ?? false)
    let listedAt = place.flatMap { $0.at == head.publishedAt ? nil : $0.at }
    return ShownPost(
      item: record, board: board, source: place?.source, isPinned: place?.pinned ?? false,
      mark: mark, badges: badges,
      display: ShownPost.Display(
        title: head.title.isEmpty ? snapshot.words(Text("day.noTitle")) : head.title,
        writer: displayWriter(of: head), date: dates.string(head.publishedAt, text: head.publishedText),
        listed: listedAt.map { dates.string($0, text: nil) },
        badges: badges.map { snapshot.words(Text("boards.badge.\($0.rawValue)")) }),
      isSinceVisit: isSinceVisit(place), listedAt: listedAt)
  }

  private func isSinceVisit(_ place: BoardPlace?) -> Bool {
    guard let place, let lastVisit else { return false }
    return place.arrivedAt > lastVisit
  }

  func displayWriter(of head: PostHead) -> String {
    if head.isAnonymous { return snapshot.words(Text("boards.anonymous")) }
    return head.writer ?? head.address ?? ""
  }

  private func badges(of head: PostHead, isPinned: Bool) -> [PostBadge] {
    var badges: [PostBadge] = []
    if dates.isToday(head.publishedAt) { badges.append(.new) }
    if head.kind == "notice" {
      badges.append(.notice)
    } else {
      if isPinned { badges.append(.pinned) }
      if head.hasReply { badges.append(.reply) }
    }
    if let count = head.attachmentsCount, count > 0 { badges.append(.attachment) }
    return badges
  }
}
