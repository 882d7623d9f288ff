import FoundationEssentials
import Glibc
import Wire

/// The paths of the parts of one library. Everything in it is the user's alone.
///
///     <library>/library.sqlite   what the user owns, and its change log
///     <library>/blobs/ab/cdef…   files by their SHA-256
///     <library>/parts/           downloads that are under way or can be resumed
///     <library>/lock             who owns the library now
///     <library>/run/s            the socket, where there is no runtime folder
package struct LibraryFolder: Sendable, Equatable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package var database: String { path + "/library.sqlite" }
  package var blobs: String { path + "/blobs" }
  package var parts: String { path + "/parts" }
  package var lock: String { path + "/lock" }
  package var run: String { path + "/run" }

  /// Creates missing folders, readable by the user only.
  ///
  /// - Throws: `StoreError` for a place where locks or `mmap` do not work, and for one that other users can change.
  package func prepare() throws(StoreError) {
    // First, so that nothing is created or changed in a refused place.
    try refuseOpenParents()
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      // `createDirectory` succeeds for an existing folder, so EEXIST means a file in its place.
      let isFile = systemError(error) == EEXIST
      throw .cannotUseFolder(path: path, reason: isFile ? String(cString: strerror(ENOTDIR)) : errorSentence(error))
    }
    try requireOwn()
    for folder in [blobs, parts] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw .cannotUseFolder(path: folder, reason: String(cString: strerror(errno)))
      }
      try Self.requirePlain(folder)
    }
    // All paths in them must lie below this folder, even if an attacker prepared the library.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: blobs)) ?? [] where name.utf8.count == 2 {
      try Self.requirePlain(blobs + "/" + name)
    }
    if isOnNetwork { throw .networkFileSystem(path: path) }
  }

  /// - Throws: `cannotUseFolder` for a link and for anything that is not a folder; `foreign` for a folder of another
  ///   user.
  private static func requirePlain(_ folder: String) throws(StoreError) {
    var information = stat()
    guard lstat(folder, &information) == 0 else {
      throw .cannotUseFolder(path: folder, reason: String(cString: strerror(errno)))
    }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      throw .cannotUseFolder(path: folder, reason: String(cString: strerror(ENOTDIR)))
    }
    guard information.st_uid == geteuid() else { throw .foreign(path: folder) }
  }

  /// Makes the folder private: a folder that existed before has its own permissions. The owner of the folder could put
  /// a database and a socket into it, even without being able to read ours. A link in its place may belong to the user,
  /// who has moved the library to another disk.
  private func requireOwn() throws(StoreError) {
    var link = stat()
    guard lstat(path, &link) == 0 else { throw .cannotUseFolder(path: path, reason: String(cString: strerror(errno))) }
    let isLink = link.st_mode & S_IFMT == S_IFLNK
    guard !isLink || [geteuid(), 0].contains(link.st_uid) else { throw .foreign(path: path) }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw .cannotUseFolder(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_uid == geteuid() else { throw .foreign(path: path) }
    guard fchmod(descriptor, 0o700) == 0 || information.st_mode & 0o077 == 0 else {
      throw .cannotUseFolder(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Refuses a folder below one in which everybody may rename files: another library could be put in this one's place.
  /// In `/tmp`, with its sticky bit, only the owner of the folder can rename it, who must be the user or root. A group
  /// often contains only the user, so group write permission is accepted.
  ///
  /// - Throws: `foreign` for a folder of another user; `openToOthers` for one in which everybody may rename.
  private func refuseOpenParents() throws(StoreError) {
    func parent(of folder: String) -> String { parentFolder(of: folder) }
    var existing = path
    while access(existing, F_OK) != 0, errno == ENOENT, existing != "/" { existing = parent(of: existing) }
    guard let real = realpath(existing, nil) else {
      throw .cannotUseFolder(path: existing, reason: String(cString: strerror(errno)))
    }
    defer { free(real) }
    // `requireOwn` checks the owner of the library's own folder.
    let nearest = existing == path ? parent(of: String(cString: real)) : String(cString: real)
    var folders = [nearest]
    while folders[0] != "/" { folders.insert(parent(of: folders[0]), at: 0) }
    for parent in folders.reversed() {
      var information = stat()
      guard stat(parent, &information) == 0 else {
        throw .cannotUseFolder(path: parent, reason: String(cString: strerror(errno)))
      }
      guard [geteuid(), 0].contains(information.st_uid) || Self.isUnmapped(information.st_uid) else {
        throw .foreign(path: parent)
      }
      if information.st_mode & S_IWOTH != 0, information.st_mode & S_ISVTX == 0 { throw .openToOthers(path: parent) }
    }
  }

  /// Whether the user is one that a rootless container does not map (see user_namespaces(7)), who owns `/` and its
  /// folders: the user who made the container.
  private static func isUnmapped(_ user: uid_t) -> Bool {
    guard user == 65_534, let map = try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8) else {
      return false
    }
    // "0 0 4294967295": outside of a container all users are mapped.
    return map.split(whereSeparator: \.isWhitespace).last.flatMap { UInt32($0) } != .max
  }

  /// Refuses the remains of a library whose database is missing or empty. A new database would hide the loss, and its
  /// first sweep would delete the files, since no row refers to them.
  ///
  /// A library that was only begun has neither files nor a WAL: SQLite writes the database's first page before them.
  func refuseLostDatabase() throws(StoreError) {
    var information = stat()
    guard stat(database, &information) == 0 ? information.st_size == 0 : errno == ENOENT else { return }
    let hasLog = stat(database + "-wal", &information) == 0 && information.st_size > 0
    if hasLog || !Blobs(folder: blobs).all().isEmpty { throw .broken(path: path, reason: "noDatabase") }
  }

  /// SQLite's WAL needs memory shared by all processes, and `flock` a kernel that both sides share.
  private var isOnNetwork: Bool {
    // A file system on a block device has the device's major number; without one it is in memory, layered, or remote.
    var information = stat()
    if stat(path, &information) == 0, (information.st_dev >> 8) & 0xFFF != 0 { return false }
    guard let real = realpath(path, nil) else { return false }
    defer { free(real) }
    let folder = String(cString: real)
    guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return false }
    // "device place type options …", blanks in a place written as \040. The longest place above the folder is its
    // mount.
    let holder = mounts.split(separator: "\n").compactMap { line -> (place: String, type: Substring)? in
      let words = line.split(separator: " ")
      guard words.count > 2 else { return nil }
      let place = String(words[1].replacing("\\040", with: " "))
      let isAbove = place == "/" || folder == place || folder.hasPrefix(place + "/")
      return isAbove ? (place, words[2]) : nil
    }.max { $0.place.utf8.count < $1.place.utf8.count }
    let networks: Set<Substring> = [
      "9p", "afs", "ceph", "cifs", "coda", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs",
    ]
    return holder.map { networks.contains($0.type) } ?? false
  }
}

/// The system's message for a file error, without a full stop.
package func errorSentence(_ error: any Error) -> String {
  systemError(error).map { String(cString: strerror($0)) } ?? "\(error)"
}

/// The errno of an error; nil for another failure. Foundation does not always pass it on, but has its own codes for the
/// most frequent errors.
private func systemError(_ error: any Error) -> Int32? {
  if let error = error as? POSIXError { return error.code.rawValue }
  guard let error = error as? CocoaError else { return nil }
  if let underlying = error.underlying { return systemError(underlying) }
  switch error.code {
  case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
  case .fileReadNoPermission, .fileWriteNoPermission: return EACCES
  case .fileWriteFileExists: return EEXIST
  case .fileWriteOutOfSpace: return ENOSPC
  case .fileWriteVolumeReadOnly: return EROFS
  default: return nil
  }
}
