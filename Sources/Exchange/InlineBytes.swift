import FoundationEssentials
import Kit
import Store
import Wire

/// A file that goes out with a reply, for clients without a common file system.
package enum InlineBytes {
  /// What fits into a reply.
  static let limit = 12 << 20

  /// The file in base64, when the client has room for it; a larger one is refused.
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
