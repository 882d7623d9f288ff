import HTTP
import Kit
import Wire

/// From where a document is added, or fetched again.
enum GivenSource: Sendable {
  case web(String)
  /// A web URL that no person typed.
  case unconfirmed(String)
  /// With the file URL, if it was given as one.
  case file(path: String, url: String?)
  /// A file whose bytes stay where they are, with the file URL, if it was given as one.
  case linked(path: String, url: String?)
  /// A file among the daemon's caches, such as an upload: it is not there for long, so it is no origin.
  case temporary(path: String)
  case bytes(String)

  init(path: String, with services: Services) {
    self = path.hasPrefix(services.caches + "/") ? .temporary(path: path) : .file(path: path, url: nil)
  }

  /// The same file, whose bytes stay where they are.
  ///
  /// - Throws: `invalidParams` unless it is a file that stays.
  func leftInPlace() throws(RPCError) -> GivenSource {
    guard case .file(let path, let url) = self else {
      throw .invalidParams(field: "link", reason: Text("documents.linkNotFile"))
    }
    return .linked(path: path, url: url)
  }

  /// Whether it has to be downloaded.
  var isAway: Bool { address != nil }

  /// The URL to download from; nil if the source is not downloaded.
  var address: String? {
    switch self {
    case .web(let url), .unconfirmed(let url): url
    case .file, .linked, .temporary, .bytes: nil
    }
  }

  var isTyped: Bool { if case .unconfirmed = self { false } else { true } }

  /// How an error names it.
  var name: String {
    switch self {
    case .web(let url), .unconfirmed(let url): WebURL.masked(url)
    case .file(let path, _), .linked(let path, _), .temporary(let path): path
    case .bytes: "data"
    }
  }

  /// The document's origin as it is stored, without secrets.
  var origin: String? {
    switch self {
    case .web(let url), .unconfirmed(let url): WebURL.storable(url)
    case .file(let path, _), .linked(let path, _): path
    case .temporary, .bytes: nil
    }
  }

  /// The URL from which it could be fetched again.
  var url: String? {
    switch self {
    case .web(let url), .unconfirmed(let url): WebURL.storable(url)
    case .file(_, let url), .linked(_, let url): url
    case .temporary, .bytes: nil
    }
  }
}
