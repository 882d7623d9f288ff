import FoundationEssentials
import HTTP
import Wire

/// Where a document comes from, as a user writes it: an http or https URL, or a file URL. A secret in it is sent and
/// not stored: the stored form is `WebURL.storable`.
enum DocumentURL {
  case web(String)
  case file(path: String)

  init?(_ text: String) {
    try? self.init(checking: text)
  }

  init(checking text: String) throws(RPCError) {
    let trimmed = text.trimmingWhitespace()
    if trimmed.lowercased().hasPrefix("file:") {
      guard let url = URL(string: trimmed), url.isFileURL,
        url.host() == nil || url.host() == "" || url.host() == "localhost",
        url.path().hasPrefix("/")
      else { throw RPCError(.invalidURL, text: Text("documents.badFileURL"), data: ["field": "url"]) }
      self = .file(path: url.path(percentEncoded: false))
      return
    }
    do {
      _ = try WebURL(trimmed)
      self = .web(trimmed)
    } catch {
      throw Self.withScheme(trimmed) ?? RPCError(error, url: trimmed)
    }
  }

  /// The refusal of a text that would be a URL if it had a scheme. The refusal suggests the URL with a scheme; no
  /// scheme is assumed.
  private static func withScheme(_ text: String) -> RPCError? {
    guard !text.contains("://"), text.contains("/"), let url = try? WebURL("https://" + text), url.origin.isPlausible
    else { return nil }
    return RPCError(
      .invalidURL, text: Text("documents.noScheme", ["url": WebURL.masked(text), "suggestion": url.masked]),
      data: ["field": "url"])
  }
}

extension Origin {
  /// Whether its host resembles one: words and paths do not.
  fileprivate var isPlausible: Bool { host.dropLast().contains(".") || isLocalhost }
}
