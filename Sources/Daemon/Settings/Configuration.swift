import Display
import HTTP
import Kit
import PDF
import Wire

/// The settings of `config.toml`. Every key is optional; missing ones have their defaults.
package struct Configuration: Sendable, Equatable {
  package struct Library: Sendable, Equatable {
    /// nil means the system's.
    package var timeZone: Zone?
    /// Minutes after midnight, 0 to 1439.
    package var dayStartsAt = 0
  }

  package struct Network: Sendable, Equatable {
    /// An e-mail address or URL for the `User-Agent`.
    package var contact: String?
    package var offline = false
    /// Origins that may have private addresses.
    package var allow: [Origin] = []
  }

  package struct PDF: Sendable, Equatable {
    /// 1 to 16.
    package var workers = 2
    /// Time limit of one request, 1 to 600 seconds.
    package var timeout: Duration = .seconds(20)
    /// MiB per worker, 128 to 65,536.
    package var memory = 1_024
    package var sandbox = WorkerConfiguration.Sandbox.required
  }

  /// The limits of one session of `commonplace mcp`.
  package struct Agents: Sendable, Equatable {
    package var commitsPerMinute = 60
    package var itemsPerCommit = 100
    /// MiB of all answers together.
    package var readLimit = 64
    package var answerTokens = 8_000
  }

  package var library = Library()
  package var network = Network()
  /// Credentials by name.
  package var credentials: [String: Credential] = [:]
  /// `[books]`, `[documents]`, `[diary]`, `[projects]`, and `cache` and `ahead` of `[pdf]`.
  package var features = FeatureSettings()
  package var pdf = PDF()
  package var agents = Agents()
  /// Settings that are valid and yet cannot work: a credential that is used but not defined, or defined for another
  /// origin than the one to which it would be sent.
  package var warnings: [ConfigurationError] = []

  /// The defaults.
  package init() {}

  /// The largest allowed file in bytes; a larger one is not a configuration.
  package static let longestFile = 256 << 10

  /// Reads a file. A missing one gives the defaults.
  ///
  /// - Throws: `ConfigurationError`.
  package static func load(_ path: String) throws(ConfigurationError) -> Configuration {
    guard let file = try ConfigurationBytes.read(path) else { return Configuration() }
    return try Configuration(toml: file.bytes)
  }
}

extension Configuration {
  /// Applies these settings to the HTTP client. Base URLs may have private addresses like those of the `allow` list,
  /// since the user chose them.
  package func apply(to http: inout HTTPConfiguration) {
    http.contact = network.contact
    http.offline = network.offline
    http.allowedOrigins = Set(network.allow)
    let (books, documents) = (features.books, features.documents)
    for url in [
      books.google.url, books.aladin.url, books.openLibrary.url, books.openLibrary.covers, books.ndl.url,
      documents.doi, documents.crossref,
    ] {
      if let origin = Origin(url) { http.allowedOrigins.insert(origin) }
    }
    if features.sync.kind != .folder, let origin = features.sync.place.flatMap({ Origin($0) }) {
      http.allowedOrigins.insert(origin)
    }
  }

  /// Applies these settings to the PDF workers.
  package func apply(to workers: inout WorkerConfiguration) {
    workers.workers = pdf.workers
    workers.timeout = pdf.timeout
    workers.memory = pdf.memory
    workers.sandbox = pdf.sandbox
  }
}
