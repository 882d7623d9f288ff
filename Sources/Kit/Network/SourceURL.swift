import HTTP
import Wire

/// The URL of a feed, a forum or a calendar as a user writes it.
package enum SourceURL {
  /// The key of the error for a URL that contains credentials.
  package static let secretKey = "boards.secretInURL"

  /// In the form that is sent. The scheme may be omitted: it is https then. A URL is stored, shown and exported, so
  /// it must not contain credentials.
  ///
  /// - Throws: `invalidURL`, with the field.
  package static func checked(_ text: String, field: String) throws(RPCError) -> String {
    var text = text
    while let first = text.unicodeScalars.first, first.properties.isWhitespace { text.unicodeScalars.removeFirst() }
    while let last = text.unicodeScalars.last, last.properties.isWhitespace { text.unicodeScalars.removeLast() }
    if text.lowercased().hasPrefix("feed://") { text = "http://" + text.dropFirst(7) }
    if text.lowercased().hasPrefix("feed:") { text = String(text.dropFirst(5)) }
    if let scheme = ["webcal://", "webcals://"].first(where: text.lowercased().hasPrefix) {
      text = "https://" + text.dropFirst(scheme.utf8.count)
    }
    if !text.contains("://"), !text.isEmpty { text = "https://" + text }
    let url: WebURL
    do {
      url = try WebURL(text)
    } catch {
      var failure = RPCError(error)
      if case .invalidURL(reason: "urlUser") = error {
        failure = RPCError(
          .invalidURL,
          text: Text(
            secretKey, ["url": WebURL.masked(text), "place": SecretPlace.written]))
      }
      failure.data["field"] = .string(field)
      throw failure
    }
    guard sameBytes(url.masked, url.text) else {
      throw RPCError(
        .invalidURL, text: Text(secretKey, ["url": url.masked, "place": SecretPlace.written]),
        data: ["field": .string(field)])
    }
    return url.text
  }
}
