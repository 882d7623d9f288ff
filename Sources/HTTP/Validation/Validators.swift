/// The validators of a response, for a later conditional request. Verbatim, with quotes and `W/`, since services
/// compare bytes.
///
/// `HTTPResponse.validators` returns them for every complete 200 and 304; the client can only check that the bytes are
/// complete. **Store them only after the body has been parsed**: a page with the text "checking your browser" has
/// validators too, and with those stored the feed would never be fetched again.
package struct Validators: Sendable, Hashable, Codable {
  /// The URL of the response, after redirects. They are sent to this URL only.
  package var url: String
  /// Verbatim.
  package var etag: String?
  /// Verbatim.
  package var lastModified: String?

  package init(url: String, etag: String?, lastModified: String?) {
    self.url = url
    self.etag = etag
    self.lastModified = lastModified
  }
}
