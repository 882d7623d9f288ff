import FoundationEssentials

/// What is known of a kept body; JSON beside it. It is written after the body, so a body without a record is nothing.
struct CacheRecord: Codable, Equatable {
  /// The whole URL: two of them may have the same name on the disk one day.
  var url: String
  var mediaType: String?
  var validators: Validators?
  var fetchedAt: Date
  /// Until when the service need not be asked.
  var freshUntil: Date
  var size: Int
  /// When the body was last written, in nanoseconds since 1970: a record describes no other bytes than these.
  var bodyStamp: Int
}
