/// The settings of features in config.toml.
package struct FeatureSettings: Sendable, Equatable {
  package var books = BooksConfiguration()
  package var documents = DocumentSettings()
  package var pictures = PictureSettings()
  package var cards = CardSettings()
  package var diary = DiarySettings()
  package var sync = SyncSettings()

  package init() {}
}

/// `[documents]`: the base URLs of the services that know works by DOI and by title.
package struct DocumentSettings: Sendable, Equatable {
  /// Without a trailing slash.
  package var doi = "https://doi.org"
  package var crossref = "https://api.crossref.org"

  package init() {}
}

/// `[pdf]`, as far as it concerns pictures of pages.
package struct PictureSettings: Sendable, Equatable {
  /// Bytes of rendered pages in the cache; with 0 each page is rendered anew.
  package var limit: Int64 = 256 << 20
  /// Whether the next page and the previous one are rendered while the reader rests.
  package var drawsAhead = true

  package init() {}
}

/// `[diary]`.
package struct DiarySettings: Sendable, Equatable {
  /// The title or id of the item from whose text an entry begins if no other template is named; nil if none is.
  package var template: String?

  package init() {}
}

/// `[projects]`.
package struct CardSettings: Sendable, Equatable {
  /// The deadline of a card that is added without one.
  package enum DefaultDeadline: Sendable, Equatable {
    case today, none
  }
  package var defaultDeadline = DefaultDeadline.today
  /// When a day without a time reminds, in minutes after midnight.
  package var remindAt = 9 * 60

  package init() {}
}

/// `[sync]`.
package struct SyncSettings: Sendable, Equatable {
  /// The place over which devices exchange files.
  package enum Target: Sendable, Equatable {
    case folder(path: String)
    case webDAV(url: String, credential: String?)
    case s3(endpoint: String, bucket: String, region: String, prefix: String, usesPath: Bool, credential: String)
  }
  /// Nil if the library is not synced.
  package var target: Target?
  /// The time between two runs without a change here; nil if only `sync/run` and changes start runs.
  package var interval: Duration? = .seconds(300)
  /// Whether `http://` to a public address is accepted.
  package var allowsPlain = false

  package init() {}
}
