/// Subscriptions with their folders, as feed readers exchange them (OPML 2.0).
package struct OutlineDocument: Sendable, Equatable {
  /// An attribute of an outline that OPML and this program have no use for.
  package struct Attribute: Codable, Sendable, Equatable {
    /// The local name.
    package var name: String
    /// The namespace, or an undeclared prefix; nil for none.
    package var space: String?
    package var value: String

    package init(name: String, space: String? = nil, value: String) {
      (self.name, self.space, self.value) = (name, space, value)
    }
  }

  package struct Feed: Sendable, Equatable {
    /// Absolute, http or https, unchanged.
    package var url: String
    package var title: String?
    /// The page for people.
    package var site: String?
    /// The folders that contain it, the outermost first.
    package var folders: [String]
    /// Its further folders: the second and later categories of an outline that is in no folder.
    package var otherFolders: [[String]]
    /// `rss`, `atom` or another value in the file; nil if there is none.
    package var type: String?
    package var note: String?
    /// Our own attributes (`OPML.namespace`) by their names.
    package var extensions: [String: String]
    /// The attributes of other programs, in the order of the file.
    package var others: [Attribute]

    package init(
      url: String, title: String? = nil, site: String? = nil, folders: [String] = [], otherFolders: [[String]] = [],
      type: String? = nil, note: String? = nil, extensions: [String: String] = [:], others: [Attribute] = []
    ) {
      self.url = url
      self.title = title
      self.site = site
      self.folders = folders
      self.otherFolders = otherFolders
      self.type = type
      self.note = note
      self.extensions = extensions
      self.others = others
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
