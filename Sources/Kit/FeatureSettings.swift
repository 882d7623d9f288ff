import Contract

/// The settings of features in config.toml.
package struct FeatureSettings: Sendable, Equatable {
  package var books = BooksConfiguration()
  package var documents = DocumentSettings()
  package var pictures = PictureSettings()
  package var cards = CardSettings()
  package var diary = DiarySettings()
  package var sync = SyncSettings()
  package var hooks = HookSettings()
  package var boards = BoardSettings()

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
  /// The journal of an entry that is added without one; nil for none.
  package var journal: String?

  package init() {}
}

/// `[hooks]`.
package struct HookSettings: Sendable, Equatable {
  /// The program that is run after changes, and its arguments; empty for none.
  package var changed: [String] = []
  /// The time after which it is killed.
  package var limit: Duration = .seconds(60)

  package init() {}
}

/// `[boards]`.
package struct BoardSettings: Sendable, Equatable {
  /// The most bytes of an attachment that is downloaded.
  package var attachmentLimit = 512 << 20

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
  /// The kinds of places over which devices exchange files.
  package enum Kind: String, Choice {
    case folder, webdav, s3
  }

  /// The place over which devices exchange files.
  package enum Target: Sendable, Equatable {
    case folder(path: String)
    case webDAV(url: String, credential: String?)
    case s3(endpoint: String, bucket: String, region: String, prefix: String, usesPath: Bool, credential: String)
  }

  /// Nil if the library is not synced.
  package var kind: Kind?
  /// The path of the folder, or the URL of the server.
  package var place: String?
  package var credential: String?
  package var bucket: String?
  package var region = "us-east-1"
  package var prefix = ""
  /// Whether the bucket is a part of the path, not of the host's name.
  package var usesPath = true
  /// The time between two runs without a change here; nil if only changes and `sync/run` start one.
  package var interval: Duration? = .seconds(300)
  /// Whether files that other devices have added are fetched at once; else when they are opened.
  package var fetchesAllFiles = true
  /// Whether `http://` to a public address is accepted.
  package var allowsPlain = false

  package init() {}

  /// Nil if the library is not synced, or if a key is missing.
  package var target: Target? {
    guard let kind, let place else { return nil }
    switch kind {
    case .folder: return .folder(path: place)
    case .webdav: return .webDAV(url: place, credential: credential)
    case .s3:
      guard let bucket, let credential else { return nil }
      return .s3(
        endpoint: place, bucket: bucket, region: region, prefix: prefix, usesPath: usesPath, credential: credential)
    }
  }
}
