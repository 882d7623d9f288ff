import FoundationEssentials

/// The metadata of a cached body, stored as JSON beside it. It is written after the body, so a body without a record is
/// ignored.
struct CacheRecord: Codable, Equatable {
  /// The whole URL, to detect a collision of file names.
  var url: String
  var mediaType: String?
  var validators: Validators?
  var fetchedAt: Date
  /// Until when the cached body can be used without a request.
  var freshUntil: Date
  var size: Int
  /// When the body was last written, in nanoseconds since 1970: the record is only valid for these bytes.
  var bodyStamp: Int
}
