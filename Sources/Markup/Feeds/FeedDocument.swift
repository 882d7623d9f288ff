import Contract

/// The content of a feed in any format. None of it is safe to show without `SafeHTML.clean`.
package struct FeedDocument: Sendable, Equatable {
  package enum Format: String, Sendable {
    /// RSS 0.91, 0.92, 2.0 and variants.
    case rss
    /// RSS 0.90 and 1.0.
    case rdf
    /// Atom 0.3 and 1.0.
    case atom
    /// JSON Feed 1.0 and 1.1.
    case json
    /// A web page without a feed, see ``PageList``.
    case page
  }

  package var format: Format
  /// Plain text; nil if there is none.
  package var title: String?
  /// The feed's description, plain text.
  package var summary: String?
  /// The page for people, absolute.
  package var site: String?
  package var language: String?
  /// In the document's order. Ids are unique.
  package var entries: [FeedEntry]
  /// The next page of a paged feed (RFC 5005; JSON Feed's `next_url`), absolute.
  package var next: String?
  /// The time until the feed should be fetched again, as it states.
  package var timeToLive: Duration?
  /// Whether the document has its proper end. For a document that was cut off, its validators must not be stored.
  package var isComplete: Bool
  /// Whether it has more entries than were read.
  package var isTruncated: Bool
}

/// An item of RSS and JSON Feed, an entry of Atom.
package struct FeedEntry: Sendable, Equatable {
  /// Atom's id, RSS's guid, JSON Feed's id; else the link; else computed from the content. Stable when the entry
  /// changes.
  package var id: String
  /// Whether `id` is from the feed, and not made up.
  package var hasOwnID: Bool
  /// The page for people: absolute, http or https.
  package var link: String?
  /// Plain text; nil if there is none, which is common.
  package var title: String?
  /// Untrusted HTML: the whole content of the entry, or a summary.
  package var html: String?
  /// Whether `html` is cut off at the limit.
  package var isCut = false
  /// The base URL of links in `html`.
  package var base: String?
  package var author: Person?
  package var published: FeedDate?
  package var updated: FeedDate?
  package var categories: [String]
  package var enclosures: [Enclosure]
  /// The number of comments, if the feed states it.
  package var commentsCount: Int?

  package struct Person: Sendable, Equatable {
    /// Empty if only an address is known.
    package var name: String
    package var address: String?

    package init(name: String, address: String?) {
      self.name = name
      self.address = address
    }
  }

  /// Whether a media type is of something that is played.
  package static func isRecording(_ type: String) -> Bool {
    type.lowercased().hasPrefix("audio/") || type.lowercased().hasPrefix("video/")
  }

  /// A file attached to an entry.
  package struct Enclosure: Sendable, Equatable {
    /// Absolute, http or https.
    package var url: String
    /// A media type.
    package var type: String?
    /// In bytes.
    package var size: Int64?
    package var title: String?
    /// In seconds.
    package var duration: Int?

    package init(url: String, type: String?, size: Int64?, title: String? = nil, duration: Int? = nil) {
      self.duration = duration
      self.url = url
      self.type = type
      self.size = size
      self.title = title
    }
  }
}

/// A date as the feed writes it, and its instant if it can be determined.
package struct FeedDate: Sendable, Equatable {
  package var text: String
  package var instant: Instant?
}

/// The reason why a document is no feed.
package enum FeedFailure: Error, Sendable, Equatable {
  /// A web page, such as a login or "checking your browser", or something else altogether.
  case notAFeed(isPage: Bool)
  /// The document is empty.
  case empty
  /// It began as JSON, and is invalid or cut off.
  case broken
}

/// The limits for an untrusted feed, beyond `MarkupLimits`.
package struct FeedLimits: Sendable {
  package var markup = MarkupLimits()
  /// The number of entries that are read.
  package var entries = 10_000
  /// Bytes of a name, an id, a category; longer ones end in an ellipsis.
  package var words = 2_000
  /// Bytes of an entry's title. More than any caller stores, so that a caller which shortens it can tell that it was
  /// longer.
  package var title = 8_000
  /// Bytes of an entry's HTML.
  package var body = 2 << 20
  /// The number of categories, and of enclosures, of an entry.
  package var list = 50

  package init() {}
}
