import FoundationEssentials
import Glibc
import Synchronization

/// The proof that this process owns a library: it exists only while the kernel holds the lock for us.
///
/// The lock is `flock` on `<library>/lock`, which the kernel drops with the process however it ends, so a lock left by
/// a killed owner is no lock. The file says who owns the library and where to reach them; it is only believed while
/// the lock is held. Its time is that at which the lock was taken: what lies in the library and is older was left by
/// somebody before.
package struct Ownership: ~Copyable, Sendable {
  private let descriptor: Int32
  package let folder: LibraryFolder
  private let place: FilePlace

  /// Takes the lock.
  ///
  /// - Throws: `StoreError.inUse` with its owner when another process has it, or `cannotUseFile`.
  package static func take(_ folder: LibraryFolder) throws(StoreError) -> Ownership {
    while true {
      // Whoever removed the file between its opening and its locking has left us a lock on nothing.
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

  /// Makes sure that the lock is still one: a file that was removed or replaced is made and locked anew.
  ///
  /// - Throws: `StoreError.inUse` when another process has locked the new file, or `cannotUseFile`.
  package mutating func hold() throws(StoreError) {
    while !place.isThere {
      do {
        let taken = try Self.take(folder)
        if let owner = Self.owner(reading: descriptor) { taken.announce(owner) }
        self = taken
      } catch .inUse where !Self.isHeld(folder) {
        // A command that only looked whether the lock is held had it for a moment.
      }
    }
  }

  /// Writes into the lock file where this owner can be reached.
  package func announce(_ owner: Owner) {
    let bytes = Array(owner.text.utf8)
    var taken = stat()
    let isKnown = fstat(descriptor, &taken) == 0
    ftruncate(descriptor, 0)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    // The socket listens already, and what a client has begun since is nobody's leftover.
    if isKnown { futimens(descriptor, [taken.st_atim, taken.st_mtim]) }
  }

  /// What the lock file says, whether or not anybody holds the lock.
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
    // A shared lock of an instant; a starting owner that meets it tries again (`take` is retried by whoever starts).
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return true }
    return false
  }

  deinit {
    ftruncate(descriptor, 0)
    // By name, since a worker that is just being started holds our descriptors until it is loaded.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// Who owns a library, as its lock file says.
package struct Owner: Sendable, Equatable {
  package var pid: Int32
  package var socket: String
  package var version: String
  package var epoch: String
  /// Whether a bridge started it, so that it may end when nobody needs it.
  package var isAutomatic: Bool

  package init(pid: Int32, socket: String, version: String, epoch: String, isAutomatic: Bool) {
    self.pid = pid
    self.socket = socket
    self.version = version
    self.epoch = epoch
    self.isAutomatic = isAutomatic
  }

  var text: String {
    """
    pid \(pid)
    socket \(socket)
    version \(version)
    epoch \(epoch)
    automatic \(isAutomatic)

    """
  }

  init?(text: String) {
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      guard let blank = line.firstIndex(of: " ") else { continue }
      fields[line[..<blank]] = String(line[line.index(after: blank)...])
    }
    guard let pid = fields["pid"].flatMap({ Int32($0) }), pid > 0, let socket = fields["socket"] else { return nil }
    self.init(
      pid: pid, socket: socket, version: fields["version"] ?? "", epoch: fields["epoch"] ?? "",
      isAutomatic: fields["automatic"] == "true")
  }
}
