import Wire

/// A place where the files of a space lie: a folder, or a server that is no more than one.
///
/// Paths are relative: the name of a file, or of one in a folder (`log/…`). A folder is made with its first file.
/// All operations throw `TargetError` or `CancellationError`. Listings may be stale, and nothing is conditional.
package protocol SyncTarget: LogStore, Sendable {
  /// Names and sizes of the regular files in a folder, of other programs too; in the target itself for an empty name.
  /// Empty for a folder that does not exist.
  func files(in folder: String) async throws -> [(name: String, size: Int)]
  /// - Returns: nil for what does not exist, and for what is no file of at most `limit` bytes.
  func file(_ path: String, limit: Int) async throws -> [UInt8]?
  func put(_ bytes: [UInt8], at path: String) async throws
  /// Removing a file that does not exist is no error.
  func remove(at path: String) async throws
}

/// Why a target cannot be used now.
package struct TargetError: Error, Sendable {
  package enum Kind: String, Sendable {
    /// Nobody answers, or not now.
    case unreachable
    /// It does not let us in.
    case refused
    case full
    /// The folder, collection or bucket does not exist.
    case gone
  }

  package var kind: Kind
  /// For people; without secrets.
  package var text: Text
  package var retryAfter: Duration?

  package init(_ kind: Kind, _ text: Text, retryAfter: Duration? = nil) {
    (self.kind, self.text, self.retryAfter) = (kind, text, retryAfter)
  }
}

/// The most files that a listing may have.
let listingLimit = 200_000

// MARK: - Log files and spaces

extension SyncTarget {
  package func list() async throws -> [(name: String, size: Int)] { try await files(in: "log") }
  package func get(_ name: String, limit: Int) async throws -> [UInt8]? { try await file("log/\(name)", limit: limit) }
  package func put(_ name: String, _ bytes: [UInt8]) async throws { try await put(bytes, at: "log/\(name)") }
  package func remove(_ name: String) async throws { try await remove(at: "log/\(name)") }

  /// The newest of the files `space`, `space.2`, …; nil for a target without a space.
  package func space() async throws -> (generation: Int, bytes: [UInt8])? {
    let generations = try await files(in: "").compactMap { Space.generation(fileName: $0.name) }
    for generation in generations.sorted(by: >).prefix(4) {
      let name = generation == 1 ? "space" : "space.\(generation)"
      if let bytes = try await file(name, limit: Space.maximumBytes) { return (generation, bytes) }
    }
    return nil
  }

  package func putSpace(_ name: String, _ bytes: [UInt8]) async throws { try await put(bytes, at: name) }
}
