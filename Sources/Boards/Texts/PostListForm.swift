import Contract
import Kit
import Store
import Wire

/// `boards/unread.md`, the unread posts of all boards, newest first, and `boards/board/0192.md`, the stored posts of
/// one board as it is listed. The box is whether a post is read, and the star whether it is saved.
///
///     # Unread posts (2)
///
///     - [ ] 2026-11-20 A new library — Ann · Notices ^k3f2
///     - [ ] ★ 2026-11-19 Winter hours — Ben · Notices ^p9qx
struct PostListForm: LibraryTextForm {
  let collections: Set = [
    PostRecord.collectionName, PostMarkRecord.collectionName, BoardRecord.collectionName,
  ]
  let grows = true
  var editing: (any TextEditing)? { PostListEditing() }

  /// The most posts of a text.
  static let most = 500

  func shows(_ path: TextPath) -> Bool {
    path.segments == ["boards", "unread"] || Self.board(path) != nil
  }

  /// The board whose posts a text lists; nil for the unread ones of all boards.
  static func board(_ path: TextPath) -> String? {
    path.segments.count == 3 && path.segments.starts(with: ["boards", "board"]) ? path.segments[2] : nil
  }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    let (posts, total, title): ([String], Int, String)
    if let id = Self.board(path) {
      guard let board = try snapshot.find(BoardRecord.self, id: id) else { return nil }
      let listing = PostListing(board, onlyUnread: false, isClosed: true)
      posts = try listing.places(after: nil, offset: 0, limit: Self.most, in: snapshot).map(\.place.post)
      (total, title) = (try listing.count(in: snapshot), BoardView.title(of: board, in: snapshot))
    } else {
      let timeline = PostTimeline(list: .unread, db: snapshot.db)
      posts = try timeline.part(ListPart(limit: Self.most)).posts
      (total, title) = (try timeline.total(), snapshot.words(Text("text.unreadPosts")))
    }
    let count = total > posts.count ? "\(posts.count)/\(total)" : String(total)
    return try rendered(posts, below: "# \(PostLine.oneLine(title)) (\(count))", on: path, in: snapshot)
  }

  private func rendered(
    _ posts: [String], below heading: String, on path: TextPath, in snapshot: Snapshot
  ) throws -> RenderedText {
    var rendered = RenderedText(text: heading + "\n\n")
    let lines = try PostLines(on: path, in: snapshot)
    let anchors = try snapshot.services.anchors.anchors(of: posts, in: PostRecord.collectionName, for: snapshot)
    for (id, anchor) in zip(posts, anchors) {
      guard let post = try snapshot.find(PostSummary.self, id: id) else { continue }
      let content = try lines.line(of: post).text
      // Any longer text would be refused at its save.
      guard rendered.text.utf8.count + content.utf8.count < RenderedText.mostBytes else { break }
      let line = rendered.items.count + 2
      rendered.items.append(
        TextItem(
          collection: PostRecord.collectionName, id: id, anchor: anchor, title: post.head.title,
          revision: post.revision, lines: line..<(line + 1), content: content))
      rendered.text += content + " ^" + anchor + "\n"
    }
    return rendered
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard target.collection == BoardRecord.collectionName,
      try snapshot.find(BoardRecord.self, id: target.id) != nil
    else { return nil }
    return TextPath("boards", "board", target.id).map { LineOfText($0) }
  }
}

/// Writes the lines of posts for one client.
struct PostLines {
  private let view: PostView
  private let snapshot: Snapshot
  private let namesBoards: Bool

  init(on path: TextPath, in snapshot: Snapshot) throws {
    self.snapshot = snapshot
    view = try PostView(nil, of: nil, in: snapshot)
    namesBoards = PostListForm.board(path) == nil
  }

  func line(of post: PostSummary) throws -> PostLine {
    let (head, mark) = (post.head, try snapshot.find(PostMarkRecord.self, id: post.id))
    let day = snapshot.services.day(of: head.publishedAt ?? head.at, in: snapshot.reader.zone)
    let title = head.title.isBlank ? snapshot.words(Text("day.noTitle")) : head.title
    let board =
      try namesBoards
      ? head.placements.value().first.flatMap { try snapshot.find(BoardRecord.self, id: $0.board) } : nil
    let origin = [view.displayWriter(of: head), board.map { BoardView.title(of: $0, in: snapshot) } ?? ""]
      .filter { !$0.isBlank }.joined(separator: " · ")
    let words = "\(day) \(title)" + (origin.isEmpty ? "" : " — " + origin)
    return PostLine(isRead: mark?.readAt != nil, isSaved: mark?.savedAt != nil, words: PostLine.oneLine(words))
  }
}

/// A post as one line of a text, without its anchor.
struct PostLine: Equatable {
  var isRead: Bool
  var isSaved: Bool
  /// The date, the title and the origin, which are only shown.
  var words: String

  init(isRead: Bool, isSaved: Bool, words: String) {
    (self.isRead, self.isSaved, self.words) = (isRead, isSaved, words)
  }

  var text: String { "- [\(isRead ? "x" : " ")] " + (isSaved ? "★ " : "") + words }

  /// Parses a line; nil for one that is no item of a list with a box.
  init?(_ line: Substring) {
    let bytes = Array(line.utf8.prefix(6))
    guard bytes.count >= 5, "-*+".utf8.contains(bytes[0]), Array(" [".utf8) == Array(bytes[1...2]),
      " xX".utf8.contains(bytes[3]), bytes[4] == UInt8(ascii: "]"), bytes.count == 5 || bytes[5] == UInt8(ascii: " ")
    else { return nil }
    var rest = line.utf8.dropFirst(6)
    let star = ["★ ", "* "].first { rest.starts(with: $0.utf8) }
    rest = rest.dropFirst(star?.utf8.count ?? 0)
    self.init(isRead: bytes[3] != UInt8(ascii: " "), isSaved: star != nil, words: String(Substring(rest)))
  }

  /// A text of a source, which may have line ends, in one line.
  static func oneLine(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(scalar.isLineEndOrControl ? " " : scalar) }
    return String(scalars)
  }
}
