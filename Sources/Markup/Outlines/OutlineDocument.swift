/// Subscriptions with their folders, as feed readers exchange them (OPML 2.0).
package struct OutlineDocument: Sendable, Equatable {
  package struct Feed: Sendable, Equatable {
    /// Absolute, http or https, unchanged.
    package var url: String
    package var title: String?
    /// The page for people.
    package var site: String?
    /// The folders that contain it, the outermost first.
    package var folders: [String]
    /// `rss`, `atom` or another value in the file; nil if there is none.
    package var type: String?
    package var note: String?
    /// Our own attributes (`OPML.namespace`) by their names.
    package var extensions: [String: String]

    package init(
      url: String, title: String? = nil, site: String? = nil, folders: [String] = [], type: String? = nil,
      note: String? = nil, extensions: [String: String] = [:]
    ) {
      self.url = url
      self.title = title
      self.site = site
      self.folders = folders
      self.type = type
      self.note = note
      self.extensions = extensions
    }
  }

  package var title: String?
  package var feeds: [Feed]
  /// Outlines with an invalid URL: the title, the URL, and the number of `feeds` before it.
  package var refused: [(title: String?, url: String, before: Int)] = []
  /// Whether the file has its proper end, and was read up to it.
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

/// The reason why a file has no subscriptions.
package enum OutlineFailure: Error, Sendable, Equatable {
  /// It is no OPML.
  case notAnOutline
}
