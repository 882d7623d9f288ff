import FoundationEssentials
import Glibc
import Synchronization

/// The proof that this process owns a library: it exists only while the kernel holds the lock for us.
///
/// The lock is `flock` on `<library>/lock`. The kernel releases it with the process however that ends, so the file of a
/// killed owner is no lock. The file contains the owner and its socket; it is only trusted while the lock is held. Its
/// modification time is that of the locking: older files in the library were left by an earlier owner.
package struct Ownership: ~Copyable, Sendable {
  private let descriptor: Int32
  package let folder: LibraryFolder
  private let place: FilePlace

  /// Acquires the lock.
  ///
  /// - Throws: `StoreError.inUse` with its owner when another process has it, or `cannotUseFile`.
  package static func take(_ folder: LibraryFolder) throws(StoreError) -> Ownership {
    while true {
      // If the file was deleted between its opening and its locking, the lock is on a deleted file.
      let taken = try takeOnce(folder)
      if taken.place.isThere { return taken }
    }
  }

  private static func takeOnce(_ folder: LibraryFolder) throws(StoreError) -> Ownership {
    let descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .cannotUseFile(path: folder.lock, reason: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .inUse(owner: owner(of: folder))
    }
    futimens(descriptor, nil)
    return Ownership(
      descriptor: descriptor, folder: folder, place: FilePlace(folder.lock, descriptor: descriptor))
  }

  /// Makes sure that the lock is still valid: a lock file that was deleted or replaced is created and locked again.
  ///
  /// - Throws: `StoreError.inUse` when another process has locked the new file, or `cannotUseFile`.
  package mutating func hold() throws(StoreError) {
    while !place.isThere {
      do {
        let taken = try Self.take(folder)
        if let owner = Self.owner(reading: descriptor) { taken.announce(owner) }
        self = taken
      } catch .inUse where !Self.isHeld(folder) {
        // A command that only tested the lock held it for a moment.
      }
    }
  }

  /// Writes the owner and its socket into the lock file.
  package func announce(_ owner: Owner) {
    let bytes = Array(owner.text.utf8)
    var taken = stat()
    let isKnown = fstat(descriptor, &taken) == 0
    ftruncate(descriptor, 0)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    // The socket already listens, and files that a client has begun since must not look older than the lock.
    if isKnown { futimens(descriptor, [taken.st_atim, taken.st_mtim]) }
  }

  /// The contents of the lock file, whether or not the lock is held.
  package static func owner(of folder: LibraryFolder) -> Owner? {
    guard let data = FileManager.default.contents(atPath: folder.lock) else { return nil }
    return Owner(text: String(decoding: data, as: UTF8.self))
  }

  private static func owner(reading descriptor: Int32) -> Owner? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return Owner(text: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
  }

  /// Whether some process holds the lock now.
  package static func isHeld(_ folder: LibraryFolder) -> Bool {
    let descriptor = open(folder.lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A shared lock for an instant; a starting owner that collides with it retries `take`.
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return true }
    return false
  }

  deinit {
    ftruncate(descriptor, 0)
    // Explicitly, since a worker that is being started holds copies of our descriptors until its exec.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
