/// Subscriptions as readers of feeds exchange them (OPML 2.0), in their folders.
package struct OutlineDocument: Sendable, Equatable {
  package struct Feed: Sendable, Equatable {
    /// Absolute, http or https, as it was written.
    package var url: String
    package var title: String?
    /// The page for people.
    package var site: String?
    /// The folders it lies in, the outermost first.
    package var folders: [String]
    /// `rss`, `atom` or what else the file says, nil where it says nothing.
    package var type: String?
    package var note: String?

    package init(
      url: String, title: String? = nil, site: String? = nil, folders: [String] = [], type: String? = nil,
      note: String? = nil
    ) {
      self.url = url
      self.title = title
      self.site = site
      self.folders = folders
      self.type = type
      self.note = note
    }
  }

  package var title: String?
  package var feeds: [Feed]
  /// Outlines that name an address which is none: what they call it, the address, and how many of `feeds`
  /// stand before it.
  package var refused: [(title: String?, url: String, before: Int)] = []
  /// Whether the file ends where it says that it does, and was read to there.
  package var isComplete = true

  package init(title: String? = nil, feeds: [Feed]) {
    self.title = title
    self.feeds = feeds
  }

  package static func == (left: OutlineDocument, right: OutlineDocument) -> Bool {
    left.title == right.title && left.feeds == right.feeds && left.isComplete == right.isComplete
      && left.refused.elementsEqual(right.refused) { $0.title == $1.title && $0.url == $1.url }
  }
}

/// Why a file gave no subscriptions.
package enum OutlineFailure: Error, Sendable, Equatable {
  /// It is no OPML.
  case notAnOutline
}
