import Glibc
import Store
import Synchronization
import Wire

/// A picture in a file.
package struct PictureFile: Sendable, Equatable {
  package var path: String
  /// In pixels.
  package var width: Int
  package var height: Int
  /// In bytes.
  package var size: Int64

  package init(path: String, width: Int, height: Int, size: Int64) {
    (self.path, self.width, self.height, self.size) = (path, width, height, size)
  }
}

/// The existing pictures, and which of them must be removed.
///
/// A picture that was handed out stays for a minute and while its client is connected. Beyond `limit` the others are
/// removed, the least recently used first, and before them pictures that were rendered ahead and never requested. A
/// client that stays connected and turns page after page must not fill the disk: beyond `hardLimit` only the minute
/// counts. Requests that would exceed `ceiling` within a minute are refused, so that clients together cannot fill the
/// disk either.
package final class PictureShelf: Sendable {
  /// In bytes and milliseconds.
  package struct Limits: Sendable, Equatable {
    package var limit: Int64
    package var hardLimit: Int64
    package var ceiling: Int64
    /// The limit for pictures that were rendered ahead and never requested.
    package var aheadLimit: Int64 = 64 << 20
    package var minimumAge: Int64 = 60_000

    package init(limit: Int64) {
      self.limit = limit
      hardLimit = max(1 << 30, 2 * limit)
      ceiling = 2 * hardLimit
    }
  }

  /// The conditions that prevent a picture from being removed.
  package struct Leases: Sendable {
    /// Milliseconds.
    package var now: Int64
    package var isConnected: @Sendable (String) -> Bool

    package init(now: Int64, isConnected: @escaping @Sendable (String) -> Bool) {
      (self.now, self.isConnected) = (now, isConnected)
    }
  }

  private struct Entry {
    var picture: PictureFile
    var lastUse: Int64
    /// The clients to which it was handed out; none yet for a picture that was rendered ahead.
    var clients: Set<String>
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var size: Int64 = 0
    /// The bytes reserved for pictures that are being rendered.
    var reserved: Int64 = 0

    mutating func remove(_ key: String) -> PictureFile? {
      guard let entry = entries.removeValue(forKey: key) else { return nil }
      size -= entry.picture.size
      return entry.picture
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// The bytes of all existing pictures.
  package var size: Int64 { state.withLock(\.size) }

  package func isCached(_ key: String) -> Bool { state.withLock { $0.entries[key] != nil } }

  /// Hands a picture to a client.
  package func use(_ key: String, by client: String, at now: Int64) -> PictureFile? {
    state.withLock { state in
      guard var entry = state.entries[key] else { return nil }
      // The cache folder is the user's to empty.
      guard access(entry.picture.path, R_OK) == 0 else {
        _ = state.remove(key)
        return nil
      }
      entry.lastUse = now
      entry.clients.insert(client)
      state.entries[key] = entry
      return entry.picture
    }
  }

  /// Adds a picture.
  ///
  /// - Parameter client: the client that requested it; nil if it was rendered ahead.
  /// - Returns: the picture that is on the shelf afterwards: an existing one has precedence.
  package func keep(_ picture: PictureFile, as key: String, for client: String?, at now: Int64) -> PictureFile {
    let known = state.withLock { state -> PictureFile? in
      if let known = state.entries[key] { return known.picture }
      state.entries[key] = Entry(picture: picture, lastUse: now, clients: client.map { [$0] } ?? [])
      state.size += picture.size
      return nil
    }
    if known != nil { unlink(picture.path) }
    return known ?? picture
  }

  /// Removes a picture from the shelf and deletes its file, unless another picture has the path by now.
  package func remove(_ key: String, keeping path: String? = nil) {
    let removed = state.withLock { $0.remove(key) }
    if let removed, removed.path != path { unlink(removed.path) }
  }

  /// Makes sure that there is room for a picture before it is rendered. `release` must follow.
  ///
  /// - Throws: `busy`; nothing is reserved then.
  package func reserve(_ bytes: Int64, within limits: Limits, _ leases: Leases) throws(RPCError) {
    makeRoom(for: bytes, within: limits, leases)
    let isRoom = state.withLock { state in
      guard state.size + state.reserved + bytes <= limits.ceiling else { return false }
      state.reserved += bytes
      return true
    }
    guard isRoom else {
      throw RPCError(
        code: RPCError.Code.busy, kind: .busy,
        text: Text("documents.picturesFull", ["limit": String(limits.ceiling >> 20)]),
        data: ["retryAfter": .integer(limits.minimumAge / 1_000)])
    }
  }

  package func release(_ bytes: Int64) {
    state.withLock { $0.reserved -= bytes }
  }

  /// Removes removable pictures until there is room for so many bytes below the limit.
  package func makeRoom(for bytes: Int64 = 0, within limits: Limits, _ leases: Leases) {
    let removed = state.withLock { state -> [PictureFile] in
      let unasked = state.entries.filter { $0.value.clients.isEmpty }.sorted { $0.value.lastUse < $1.value.lastUse }
      var unaskedSize = unasked.reduce(0) { $0 + $1.value.picture.size }
      var removed: [PictureFile] = []
      for (key, entry) in unasked
      where unaskedSize > limits.aheadLimit || state.size + state.reserved + bytes > limits.limit {
        removed += [state.remove(key)].compactMap(\.self)
        unaskedSize -= entry.picture.size
      }
      guard state.size + state.reserved + bytes > limits.limit else { return removed }
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        let excess = state.size + state.reserved + bytes - limits.limit
        guard excess > 0, leases.now - entry.lastUse > limits.minimumAge else { break }
        let isLeased = entry.clients.contains(where: leases.isConnected)
        if isLeased, state.size + state.reserved + bytes <= limits.hardLimit { continue }
        removed += [state.remove(key)].compactMap(\.self)
      }
      return removed
    }
    for picture in removed { unlink(picture.path) }
  }
}
