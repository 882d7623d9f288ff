import FoundationEssentials

/// A cached response on disk.
package struct CachedFile: Sendable, Equatable {
  /// Not deleted for at least ten minutes after it was last returned.
  package let path: String
  /// In bytes.
  package let size: Int
  /// The `Content-Type` as the service states it; known to be wrong often.
  package let mediaType: String?
  /// When the service last confirmed this body.
  package let fetchedAt: Date
  /// Whether the body has expired and the service could not be reached.
  package let isStale: Bool
}
