/// Why nothing of a document could be read. What is merely broken is read as far as it goes, and says so.
package enum MarkupFailure: Error, Sendable, Equatable {
  /// libxml2 is not there, or is too old.
  case unavailable(String)
  /// More bytes than are read. The limit is in bytes.
  case tooLarge(limit: Int)
  case noMemory
}
