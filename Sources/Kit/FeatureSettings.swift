/// The settings of features in config.toml.
package struct FeatureSettings: Sendable, Equatable {
  package var books = BooksConfiguration()
  package var documents = DocumentSettings()
  package var pictures = PictureSettings()
  package var cards = CardSettings()
  package var diary = DiarySettings()

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
