import Display
import HTTP
import Kit
import PDF
import Wire

/// What `config.toml` says. Every key is optional, and what it leaves out is here as its default.
package struct Configuration: Sendable, Equatable {
  package struct Library: Sendable, Equatable {
    /// nil: the system's.
    package var timeZone: Zone?
    /// Minutes after midnight, 0 to 1439.
    package var dayStartsAt = 0
  }

  package struct Network: Sendable, Equatable {
    /// An e-mail address or URL for the `User-Agent`.
    package var contact: String?
    package var offline = false
    /// Origins that may be private addresses.
    package var allow: [Origin] = []
  }

  package struct PDF: Sendable, Equatable {
    /// 1 to 16.
    package var workers = 2
    /// Of one request, 1 to 600 seconds.
    package var timeout: Duration = .seconds(20)
    /// MiB a worker, 128 to 65,536.
    package var memory = 1_024
    package var sandbox = WorkerConfiguration.Sandbox.required
  }

  package var library = Library()
  package var network = Network()
  /// By their names.
  package var credentials: [String: Credential] = [:]
  /// `[books]`, `[projects]`, and `cache` and `ahead` of `[pdf]`.
  package var features = FeatureSettings()
  package var pdf = PDF()
  /// What is allowed and yet cannot work as written: a credential that is named but not defined, or defined for another
  /// origin than the one it would be sent to.
  package var warnings: [ConfigurationError] = []

  /// The defaults.
  package init() {}

  /// The longest file in bytes; a larger one is something else by mistake.
  package static let longestFile = 256 << 10

  /// Reads a file. A missing one is the defaults.
  package static func load(_ path: String) throws(ConfigurationError) -> Configuration {
    guard let file = try ConfigurationBytes.read(path) else { return Configuration() }
    return try Configuration(toml: file.bytes)
  }
}

/// A mistake in `config.toml`.
package struct ConfigurationError: Error, Equatable {
  /// From 1; nil if it concerns the file as a whole.
  package let line: Int?
  /// The key's whole path, such as `pdf.workers`; nil if it concerns no key.
  package let key: String?
  /// The sentence, which names line and key; some have an advice (`Catalogue.advice`). Never holds a secret.
  package let text: Text
  /// The key's path, name by name; empty if it concerns no key.
  let path: [String]
  /// What else is wrong with the file.
  package private(set) var others: [ConfigurationError] = []

  init(line: Int?, path: [String] = [], text: Text) {
    self.line = line
    self.path = path
    key = path.isEmpty ? nil : path.joined(separator: ".")
    self.text = text
  }

  init(_ first: ConfigurationError, with others: [ConfigurationError]) {
    self = first
    self.others = others
  }

  /// The sentences of this and all others.
  package var texts: [Text] { [text] + others.map(\.text) }
}

extension Configuration {
  /// Puts what is written here into the settings of the HTTP client. Base URLs may be private addresses like those of
  /// the `allow` list: whoever wrote them here meant them.
  package func apply(to http: inout HTTPConfiguration) {
    http.contact = network.contact
    http.offline = network.offline
    http.allowedOrigins = Set(network.allow)
    for url in [features.books.google.url, features.books.openLibrary.url, features.books.openLibrary.covers] {
      if let origin = Origin(url) { http.allowedOrigins.insert(origin) }
    }
  }

  /// Puts what is written here into the settings of the PDF workers.
  package func apply(to workers: inout WorkerConfiguration) {
    workers.workers = pdf.workers
    workers.timeout = pdf.timeout
    workers.memory = pdf.memory
    workers.sandbox = pdf.sandbox
  }
}
