import Store
import Synchronization
import Wire

/// A file of items that another device has added, whole and checked.
package struct FetchedFile: Sendable {
  /// A temporary file in the library's folder. It has to be moved.
  package var path: String
  /// Its SHA-256, in lower-case hexadecimal.
  package var hash: String

  package init(path: String, hash: String) { (self.path, self.hash) = (path, hash) }
}

/// Imports a file that another device has added; false if no item of the feature refers to it.
package typealias FileImporter = @Sendable (_ file: FetchedFile, Services) async throws -> Bool

/// The files among `ids` that are retained though no item shows them. What was stored before `moment`, in milliseconds,
/// need not be inspected.
package typealias RetainedFiles =
  @Sendable (_ ids: Set<String>, _ moment: Int64, _ snapshot: Snapshot) throws -> Set<String>

/// Requests for files that only other devices have, from the features whose items refer to them.
package final class FileRequests: Sendable {
  private struct State {
    var fetch: (@Sendable (_ hash: String) -> Void)?
    /// Requested before anybody fetched: the first request may precede the work that starts after it.
    var early: Set<String> = []
  }
  private let state = Mutex(State())
  private static let maximumEarly = 100

  /// Sets who fetches files from other devices; it must only schedule work.
  package func serve(by fetch: @escaping @Sendable (_ hash: String) -> Void) {
    let early = state.withLock { state in
      state.fetch = fetch
      defer { state.early = [] }
      return state.early
    }
    early.forEach(fetch)
  }

  /// Has a file fetched, if this library is shared. The items that refer to it are reported as changed once it is here.
  package func request(_ hash: String) {
    let fetch = state.withLock { state in
      if state.fetch == nil, state.early.count < Self.maximumEarly { state.early.insert(hash) }
      return state.fetch
    }
    fetch?(hash)
  }
}

extension Services {
  package var fileRequests: FileRequests { memory.object(FileRequests.self) { FileRequests() } }
}

extension Snapshot {
  /// Requires a file to be here.
  ///
  /// - Parameters:
  ///   - text: what people are told if only another device has it.
  ///   - isFetching: whether it is fetched then.
  /// - Throws: `RPCError` of the kind `elsewhere`, `DatabaseError`.
  package func requireFile(_ hash: String, text: Text? = nil, fetching isFetching: Bool = true) throws {
    guard try BlobsElsewhere.contains(hash, in: db) else { return }
    if isFetching { services.fileRequests.request(hash) }
    throw RPCError(.elsewhere, text: text)
  }
}
