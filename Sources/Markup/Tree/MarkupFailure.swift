/// The reason why a document cannot be read at all. A malformed document is read as far as possible, and marked so.
package enum MarkupFailure: Error, Sendable, Equatable {
  /// libxml2 is missing, or too old.
  case unavailable(String)
  /// The document is too large. The limit is in bytes.
  case tooLarge(limit: Int)
  case noMemory
}
