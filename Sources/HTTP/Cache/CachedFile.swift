import FoundationEssentials

/// An answer on the disk.
package struct CachedFile: Sendable, Equatable {
  /// Stays where it is for as long as it is kept, at the least ten minutes after it was last handed out.
  package let path: String
  /// In bytes.
  package let size: Int
  /// The `Content-Type` as the service states it; known to be wrong often.
  package let mediaType: String?
  /// When the service last said that this is what it has.
  package let fetchedAt: Date
  /// Whether the service could not be asked, though what it said no longer holds.
  package let isStale: Bool
}
