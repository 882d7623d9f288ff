import Contract
import Store
import Wire

/// How much of a post is told.
enum PostDetail {
  /// For a list.
  case summary
  case whole(text: String, html: String)
}

/// Shows posts to one client, as one state of the library has them.
struct PostView {
  let snapshot: Snapshot
  private let dates: PostDates
  /// The board that is asked about; of a post on several it is the one to be named.
  private let board: BoardRecord?
  private let lastVisit: Int64?
  /// Whether the board's source has words of its own for posts that another source had first.
  private let hasAccounts: Bool
  /// What was shown before of the board, to readers like this one.
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

  /// One that is listed on the board.
  func post(_ listed: PostListing.Listed) throws -> Post? {
    guard let made else { return try make(listed) }
    guard var post = try made.post(listed.place.post, as: listed.state, make: { try make(listed) }) else { return nil }
    let standing = Standing(listed, of: board)
    // The badges say it too.
    if post.pinned != standing.pinned { return try make(listed) }
    post.sinceVisit = isSinceVisit(standing)
    list(&post, at: standing.at)
    return post
  }

  /// By what the board lists it. Nothing is written anew of a post that has not moved.
  private func list(_ post: inout Post, at: Instant) {
    let listedAt = post.date == at ? nil : at
    guard listedAt != post.listedAt else { return }
    post.listedAt = listedAt
    post.display.listed = listedAt.map { dates.string($0, text: nil) }
  }

  private func make(_ listed: PostListing.Listed) throws -> Post? {
    guard var record = try snapshot.find(PostSummary.self, id: listed.place.post) else { return nil }
    if hasAccounts, let source = board?.source,
      let account = try snapshot.find(PostAccountSummary.self, id: PostAccount.id(of: record.id, from: source))
    {
      record.head.takeContent(of: account.head)
    }
    return try post(record, Standing(listed, of: board), .summary)
  }

  func post(_ id: String) throws -> Post? {
    try snapshot.find(PostSummary.self, id: id).map { try post($0, .summary) }
  }

  /// A post in the words of one of its sources, on a board of that source.
  func post(_ id: String, from source: String) throws -> Post? {
    try snapshot.find(PostRecord.self, id: id).map {
      try post(PostSummary($0.told(by: source, in: snapshot)), .summary, from: source)
    }
  }

  /// `record` in the words that are to be shown; `source` is whose they are, where that is not the first.
  func post(_ record: PostSummary, _ detail: PostDetail, from source: String? = nil) throws -> Post {
    let placements = try record.head.placements.value()
    guard
      let here = placements.first(where: { $0.board == board?.id })
        ?? placements.first(where: { $0.source == source }) ?? placements.first
    else { return try post(record, nil, detail) }
    let standing = Standing(
      source: here.source, pinned: here.pinned == 1, at: Instant(milliseconds: here.at), arrivedAt: here.arrivedAt)
    guard board == nil else { return try post(record, standing, detail) }
    // Not asked about a board: its own is shown, and since when the client was there does not matter.
    let own = try snapshot.find(BoardRecord.self, id: here.board)
    return try PostView(style: dates, of: own, in: snapshot).post(record, standing, detail)
  }

  /// How a post stands on a board.
  private struct Standing {
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

  private func post(_ record: PostSummary, _ standing: Standing?, _ detail: PostDetail) throws -> Post {
    let head = record.head
    let mark = try snapshot.find(PostMarkRecord.self, id: record.id)
    let badges = badges(of: head, isPinned: standing?.pinned ?? false)
    var post = Post(
      id: PostID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, board: board.map { BoardID(unchecked: $0.id) },
      boardDisplayName: board?.displayName,
      source: standing?.source.map { SourceID(unchecked: $0) },
      postId: head.remoteID, title: head.title, titleCut: head.isTitleCut ? true : nil,
      writer: writer(of: head), date: head.publishedAt, dateText: head.publishedText, listedAt: nil,
      editedAt: head.editedAt,
      preview: head.preview, contents: nil, html: nil, whole: head.isWhole, link: head.link, postType: head.kind,
      pinned: standing?.pinned ?? false, viewCount: head.viewCount, commentsCount: head.commentsCount,
      attachmentsCount: head.attachmentsCount, attachments: nil,
      categories: head.categories.json == "[]" ? nil : try head.categories.value(),
      isNewPost: head.isNewPost.map { $0 != 0 }, hasInlineImage: head.hasInlineImage.map { $0 != 0 },
      isAnonymous: head.isAnonymous, isOwner: head.isOwner.map { $0 != 0 }, hasReply: head.hasReply, badges: badges,
      read: mark?.readAt != nil, saved: mark?.savedAt != nil,
      sinceVisit: isSinceVisit(standing), matches: nil, images: nil, versions: nil, freshness: nil, failure: nil,
      display: Post.Display(
        title: head.title.isEmpty ? snapshot.words(Text("boards.noTitle")) : head.title,
        writer: displayWriter(of: head), date: dates.string(head.publishedAt, text: head.publishedText), listed: nil,
        badges: badges.map { snapshot.words(Text("boards.badge.\($0.rawValue)")) }))
    if let standing { list(&post, at: standing.at) }
    if case .whole(let text, let html) = detail {
      post.contents = text
      post.html = html
      post.attachments = try head.attachments.value().map {
        Post.Attachment(url: $0.url, title: $0.title, type: $0.type, size: $0.size)
      }
    }
    return post
  }

  private func isSinceVisit(_ standing: Standing?) -> Bool {
    guard let standing, let lastVisit else { return false }
    return standing.arrivedAt > lastVisit
  }

  /// An anonymous writer's name and address are told to nobody.
  private func writer(of head: PostHead) -> Post.Writer? {
    guard !head.isAnonymous, head.writer != nil || head.address != nil else { return nil }
    return Post.Writer(displayName: head.writer, emailAddress: head.address)
  }

  func displayWriter(of head: PostHead) -> String {
    if head.isAnonymous { return snapshot.words(Text("boards.anonymous")) }
    return head.writer ?? head.address ?? ""
  }

  private func badges(of head: PostHead, isPinned: Bool) -> [Post.Badge] {
    var badges: [Post.Badge] = []
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
