import FoundationEssentials
import Kit
import Store
import Wire

/// A file within a reply, for clients without a common file system.
package enum InlineBytes {
  /// The limit for one reply, in bytes.
  static let limit = 12 << 20

  /// The file in base64, once the client has room for it.
  ///
  /// - Throws: an `RPCError` if it cannot be read or is too large.
  package static func base64(of path: String, _ progress: Progress) async throws -> String {
    try await progress.room()
    do {
      return try await onThread { _ in
        Data(try GivenFile(opening: path, limit: limit).bytes()).base64EncodedString()
      }
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
  }
}
