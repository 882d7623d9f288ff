import Display
import Kit
import SQLite
import Store
import Synchronization

/// Posts of lists as they were last shown to a kind of reader. A front end that is told of a change asks for its page
/// again, where one post of thirty is another than before.
final class MadePosts: Sendable {
  /// All that a post of a list is made of, but itself and its place on the board.
  struct Kind: Hashable {
    var board: String
    var boardName: String
    var reader: Reader
    var style: PostDateStyle
    /// The first moment of the reader's day: what is new or of today is so until its end.
    var today: Int64
  }

  /// What else a reply says of one.
  struct Look: Equatable {
    var state: PostState
    var place: PostListing.Place
    var isSinceVisit: Bool
  }

  /// Those of one kind.
  final class Page: Sendable {
    private static let most = 512
    private let posts = Mutex<[String: (look: Look, post: Post)]>([:])

    /// The post, made anew where it is not what it was.
    func post(_ id: String, as look: Look, make: () throws -> Post?) rethrows -> Post? {
      if let known = posts.withLock({ $0[id] }), known.look == look { return known.post }
      guard let made = try make() else { return nil }
      posts.withLock { posts in
        if posts.count >= Self.most { posts.removeAll() }
        posts[id] = (look, made)
      }
      return made
    }
  }

  private static let most = 8
  private let pages = Mutex<[Kind: Page]>([:])

  func page(_ kind: Kind) -> Page {
    pages.withLock { pages in
      if let known = pages[kind] { return known }
      if pages.count >= Self.most { pages.removeAll() }
      let made = Page()
      pages[kind] = made
      return made
    }
  }
}

/// Whether a post and what the reader made of it are what they were: its revision, what changes without one, its marks.
struct PostState: Sendable, Equatable {
  private var values: [Int64?]

  private static let names =
    ["post.revision"] + PostRecord.fields.names(of: .isQuiet).filter { $0 != "bodyMark" }.map { "post.\($0)" } + [
      "readAt", "savedAt",
    ]
  /// What a statement with `joins` selects, for `init`.
  static let columns = names.joined(separator: ", ")

  /// Joins what it is made of to a statement in which `id` is a post's.
  static func joins(_ id: StaticString) -> String {
    "LEFT JOIN post ON post.id = \(id) LEFT JOIN postMark ON postMark.id = \(id)"
  }

  /// From the columns behind the first few.
  init(_ row: Columns, from start: Int) {
    values = (start..<start + Self.names.count).map { row.isNull($0) ? nil : row.integer($0) }
  }
}

extension Services {
  var madePosts: MadePosts { memory.object(MadePosts.self) { MadePosts() } }
}
