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

  init(_ style: PostDateStyle?, of board: BoardRecord?, in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    self.board = board
    dates = PostDates(style ?? .default, in: snapshot)
    lastVisit = try board.flatMap {
      try BoardSelection.lastVisit(of: snapshot.caller.clientName, to: $0.id, in: snapshot)
    }
  }

  func post(_ id: String) throws -> Post? {
    try snapshot.find(PostSummary.self, id: id).map { try post($0, .summary) }
  }

  func post(_ record: PostSummary, _ detail: PostDetail) throws -> Post {
    let head = record.head
    let placements = try head.placements.value()
    let here = placements.first { $0.board == board?.id } ?? placements.first
    let shown = try board ?? here.flatMap { try snapshot.find(BoardRecord.self, id: $0.board) }
    let mark = try snapshot.find(PostMarkRecord.self, id: record.id)
    let badges = badges(of: head)
    var post = Post(
      id: PostID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, board: shown.map { BoardID(unchecked: $0.id) },
      boardDisplayName: shown?.displayName, source: here.map { SourceID(unchecked: $0.source) },
      postId: here?.remoteID ?? head.remoteID, title: head.title, titleCut: head.isTitleCut ? true : nil,
      writer: writer(of: head), date: head.publishedAt, dateText: head.publishedText, editedAt: head.editedAt,
      preview: head.preview, contents: nil, html: nil, whole: head.isWhole, link: head.link, postType: head.kind,
      pinned: here?.pinned == 1, viewCount: head.viewCount, commentsCount: head.commentsCount,
      attachmentsCount: head.attachmentsCount, attachments: nil,
      categories: head.categories.json == "[]" ? nil : try head.categories.value(),
      isNewPost: head.isNewPost.map { $0 != 0 }, hasInlineImage: head.hasInlineImage.map { $0 != 0 },
      isAnonymous: head.isAnonymous, isOwner: head.isOwner.map { $0 != 0 }, hasReply: head.hasReply, badges: badges,
      read: mark?.readAt != nil, saved: mark?.savedAt != nil,
      sinceVisit: lastVisit.map { visit in here.map { $0.arrivedAt > visit } ?? false } ?? false, matches: nil,
      display: Post.Display(
        title: head.title.isEmpty ? snapshot.words(Text("boards.noTitle")) : head.title,
        writer: displayWriter(of: head), date: dates.string(head.publishedAt, text: head.publishedText),
        badges: badges.map { snapshot.words(Text("boards.badge.\($0.rawValue)")) }))
    if case .whole(let text, let html) = detail {
      post.contents = text
      post.html = html
      post.attachments = try head.attachments.value().map {
        Post.Attachment(url: $0.url, title: $0.title, type: $0.type, size: $0.size)
      }
    }
    return post
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

  private func badges(of head: PostHead) -> [Post.Badge] {
    var badges: [Post.Badge] = []
    if dates.isToday(head.publishedAt) { badges.append(.new) }
    if head.kind == "notice" {
      badges.append(.notice)
    } else if head.hasReply {
      badges.append(.reply)
    }
    if let count = head.attachmentsCount, count > 0 { badges.append(.attachment) }
    return badges
  }
}
