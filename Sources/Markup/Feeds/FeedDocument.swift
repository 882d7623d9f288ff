import Contract

/// A feed of whatever format, as its document says it. Nothing of it is safe to be shown before `SafeHTML.clean`.
package struct FeedDocument: Sendable, Equatable {
  package enum Format: String, Sendable {
    /// RSS 0.91, 0.92, 2.0 and what calls itself so.
    case rss
    /// RSS 0.90 and 1.0.
    case rdf
    /// Atom 0.3 and 1.0.
    case atom
    /// JSON Feed 1.0 and 1.1.
    case json
  }

  package var format: Format
  /// Plain text; nil where there is none.
  package var title: String?
  /// What the feed is about, plain text.
  package var summary: String?
  /// The page for people, absolute.
  package var site: String?
  package var language: String?
  /// In the document's order. Ids are unique.
  package var entries: [FeedEntry]
  /// The next page of a paged feed (RFC 5005; JSON Feed's `next_url`), absolute.
  package var next: String?
  /// How long the feed says that it need not be asked again.
  package var timeToLive: Duration?
  /// Whether the document ends where it says that it does: one that was cut off does not, and its validators must not
  /// be kept.
  package var isComplete: Bool
  /// Whether it has more than is read.
  package var isTruncated: Bool
}

/// An item of RSS and JSON Feed, an entry of Atom.
package struct FeedEntry: Sendable, Equatable {
  /// Atom's id, RSS's guid, JSON Feed's id; else the link; else made of what the entry says. The same for the same entry
  /// however else it changes.
  package var id: String
  /// Whether `id` is what the feed calls the entry, and nothing that was made up for it.
  package var hasOwnID: Bool
  /// The page for people: absolute, http or https.
  package var link: String?
  /// Plain text; nil where there is none, as is normal.
  package var title: String?
  /// HTML as a stranger wrote it, all there is of the entry, or a summary of it.
  package var html: String?
  /// There was more HTML than is taken of one entry, and `html` is its beginning.
  package var isCut = false
  /// What the links in `html` are relative to.
  package var base: String?
  package var author: Person?
  package var published: FeedDate?
  package var updated: FeedDate?
  package var categories: [String]
  package var enclosures: [Enclosure]
  /// How many answers there are, as far as the feed says.
  package var commentsCount: Int?

  package struct Person: Sendable, Equatable {
    /// Empty where only an address is known.
    package var name: String
    package var address: String?

    package init(name: String, address: String?) {
      self.name = name
      self.address = address
    }
  }

  /// A file that comes with an entry.
  package struct Enclosure: Sendable, Equatable {
    /// Absolute, http or https.
    package var url: String
    /// A media type.
    package var type: String?
    /// In bytes.
    package var size: Int64?
    package var title: String?

    package init(url: String, type: String?, size: Int64?, title: String? = nil) {
      self.url = url
      self.type = type
      self.size = size
      self.title = title
    }
  }
}

/// A date as a feed writes it, and the moment it means if anybody can tell.
package struct FeedDate: Sendable, Equatable {
  package var text: String
  package var instant: Instant?
}

/// Why a document gave no feed.
package enum FeedFailure: Error, Sendable, Equatable {
  /// A page for people, such as a login or "checking your browser", or something else altogether.
  case notAFeed(isPage: Bool)
  /// There is nothing in it.
  case empty
  /// It began as JSON, and ended or broke before it was a feed.
  case broken
}

/// What the feed of a stranger may cost, beyond `MarkupLimits`.
package struct FeedLimits: Sendable {
  package var markup = MarkupLimits()
  /// Entries that are read, from the first on.
  package var entries = 10_000
  /// Bytes of a name, an id, a category; what is longer ends in an ellipsis.
  package var words = 2_000
  /// Bytes of an entry's title. In every script that is more than anybody keeps of one, so that who shortens it for
  /// good sees that it was longer.
  package var title = 8_000
  /// Bytes of an entry's HTML.
  package var body = 2 << 20
  /// Categories, and enclosures, of an entry.
  package var list = 50

  package init() {}
}
