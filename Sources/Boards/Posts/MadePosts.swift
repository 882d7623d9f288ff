import Display
import Kit
import SQLite
import Store
import Synchronization

/// A cache of posts as they were last rendered for lists, by audience. A front end that is notified of a change
/// requests its page again, in which one post of thirty has changed.
final class MadePosts: Sendable {
  /// Everything that determines a rendered post except the post itself and its place on the board.
  struct Kind: Hashable {
    var board: String
    var boardName: String
    var reader: Reader
    var style: PostDateStyle
    /// The first moment of the audience's day: “new” and “today” are valid until its end.
    var today: Int64
  }

  /// The other data of a post in a reply.
  struct Look: Equatable {
    var state: PostState
    var place: PostListing.Place
    var isSinceVisit: Bool
  }

  /// The posts of one `Kind`.
  final class Page: Sendable {
    private static let most = 512
    private let posts = Mutex<[String: (look: Look, post: Post)]>([:])

    /// The cached post, rendered anew if it has changed.
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

extension Services {
  var madePosts: MadePosts { memory.object(MadePosts.self) { MadePosts() } }
}
