/// What a service gave with an answer so that it can be asked later whether that still holds. Verbatim, with quotes and
/// `W/`, since a service compares bytes.
///
/// `HTTPResponse.validators` hands them out with every complete 200 and 304; completeness of the bytes is all that the
/// client can judge. **Keep them only after the body has been parsed**: a page that says "checking your browser" has
/// validators too, and who keeps those never sees the feed again.
package struct Validators: Sendable, Hashable, Codable {
  /// The URL whose answer had them, after redirects. They are sent to this URL only.
  package var url: String
  /// As the service wrote it.
  package var etag: String?
  /// As the service wrote it.
  package var lastModified: String?

  package init(url: String, etag: String?, lastModified: String?) {
    self.url = url
    self.etag = etag
    self.lastModified = lastModified
  }
}
