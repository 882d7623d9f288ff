import FoundationEssentials
import Glibc
import Wire

/// Where the parts of one library lie. Everything in it is the user's alone.
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

  /// Makes the folders that are missing, readable by nobody else, and refuses a place where locks or `mmap` lie, and one
  /// that others can change.
  package func prepare() throws(StoreError) {
    // First, so that nothing is made or changed where it is refused.
    try refuseOpenParents()
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      // A folder that is there already is none, so what “exists” is a file in its place.
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
    // What is written, read and removed in them by name is below this folder, whoever made the library.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: blobs)) ?? [] where name.utf8.count == 2 {
      try Self.requirePlain(blobs + "/" + name)
    }
    if isOnNetwork { throw .networkFileSystem(path: path) }
  }

  /// - Throws: `cannotUseFolder` for a link and for anything else that is no folder; `foreign` for one of another user.
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

  /// A folder that was there before keeps its old permissions; a library is private all the same. Who owns the folder
  /// could put a database and a socket of their own into it, also where they cannot read ours. A link in its place may be
  /// the user's own, who has moved the library to another disk.
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

  /// Where everybody may write, everybody may rename: another library could be put in this one's place. In `/tmp`, with
  /// its sticky bit, nobody can but the owner of the folder, who has to be the user or root. A group is often the user's
  /// alone, so what a group may write is no reason.
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
    // Whose the library's own folder is, `requireOwn` asks.
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

  /// In a container without root, the owner of `/` and of its folders is a user whom the container does not know (see
  /// user_namespaces(7)); it is whoever made the container.
  private static func isUnmapped(_ user: uid_t) -> Bool {
    guard user == 65_534, let map = try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8) else {
      return false
    }
    // "0 0 4294967295": outside of a container everybody is known.
    return map.split(whereSeparator: \.isWhitespace).last.flatMap { UInt32($0) } != .max
  }

  /// Refuses what is left of a library whose database is gone or empty. A new one would stand in its place as if nothing
  /// had been lost, and its first sweep would take the files that no row of it names.
  ///
  /// A library that is only begun has neither files nor a log: SQLite writes the database's first page before that.
  func refuseLostDatabase() throws(StoreError) {
    var information = stat()
    guard stat(database, &information) == 0 ? information.st_size == 0 : errno == ENOENT else { return }
    let hasLog = stat(database + "-wal", &information) == 0 && information.st_size > 0
    if hasLog || !Blobs(folder: blobs).all().isEmpty { throw .broken(path: path, reason: "noDatabase") }
  }

  /// SQLite's WAL needs memory shared by all processes, and `flock` a kernel that both sides share.
  private var isOnNetwork: Bool {
    // What lies on a block device has its major number; without one it is in memory, layered, or far away.
    var information = stat()
    if stat(path, &information) == 0, (information.st_dev >> 8) & 0xFFF != 0 { return false }
    guard let real = realpath(path, nil) else { return false }
    defer { free(real) }
    let folder = String(cString: real)
    guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return false }
    // "device place type options …", blanks in a place written as \040. The longest place above the folder holds it.
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

/// Why a file could not be used, in the system's words, without a full stop.
package func errorSentence(_ error: any Error) -> String {
  systemError(error).map { String(cString: strerror($0)) } ?? "\(error)"
}

/// What the system answered; nil for another failure. Foundation does not always hand that on, but has numbers of its own
/// for what is met most.
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
