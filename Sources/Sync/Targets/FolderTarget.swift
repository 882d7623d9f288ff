import Glibc
import Kit
import Store
import Wire

/// A folder that another program carries, or a disk.
///
/// A file appears whole: it is written as `.NAME.tmp`, synced and renamed. Links are not followed inside of the folder,
/// and no time of a file counts.
package struct FolderTarget: SyncTarget {
  private let path: String

  /// - Parameter path: absolute.
  package init(path: String) { self.path = path }

  package func files(in folder: String) async throws -> [(name: String, size: Int)] {
    try await run { root, _ in try root.folder(folder)?.files() ?? [] }
  }

  package func file(_ path: String, limit: Int) async throws -> [UInt8]? {
    try await run { root, _ in
      let (folder, name) = Self.parts(path)
      return try root.folder(folder)?.bytes(name, limit: limit)
    }
  }

  package func put(_ bytes: [UInt8], at path: String) async throws {
    try await run { root, checkCancelled in
      let (folder, name) = Self.parts(path)
      if try root.folder(folder) == nil { try root.make(folder) }
      guard let place = try root.folder(folder) else { throw FileFailure(path: root.path, ENOENT) }
      try checkCancelled()
      try place.put(bytes, name)
    }
  }

  package func remove(at path: String) async throws {
    try await run { root, _ in
      let (folder, name) = Self.parts(path)
      try root.folder(folder)?.remove(name)
    }
  }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    let parts = path.split(separator: "/").map(String.init)
    return (parts.dropLast().joined(separator: "/"), parts.last ?? "")
  }

  private func run<Result: Sendable>(
    _ body: @escaping @Sendable (TargetFolder, () throws -> Void) throws -> Result
  ) async throws -> Result {
    do {
      return try await onThread { [path] checkCancelled in
        // A stick that is not in, or a share that is not mounted.
        guard let root = try TargetFolder(path) else {
          throw TargetError(.gone, Text("sync.target.noFolder", ["path": path]))
        }
        return try body(root, checkCancelled)
      }
    } catch let failure as FileFailure {
      throw Self.error(failure)
    }
  }

  static func error(_ failure: FileFailure) -> TargetError {
    let kind: TargetError.Kind =
      if failure.isDiskFull {
        .full
      } else if [EACCES, EPERM, EROFS, ELOOP, ENOTDIR].contains(failure.errno) {
        .refused
      } else {
        .unreachable
      }
    return TargetError(kind, RPCError(failure).text)
  }
}

/// A folder that stays open: its files are read and written in it even if it is moved meanwhile.
private final class TargetFolder {
  let path: String
  private let descriptor: Int32

  /// - Returns: nil if it does not exist.
  convenience init?(_ path: String) throws {
    try self.init(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path)
  }

  private init?(_ descriptor: Int32, _ path: String) throws {
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(path: path, errno)
    }
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit { close(descriptor) }

  /// A folder in it, itself for an empty name; nil if it does not exist.
  func folder(_ name: String) throws -> TargetFolder? {
    if name.isEmpty { return self }
    return try TargetFolder(
      openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), "\(path)/\(name)")
  }

  /// With all folders on the way, the name of each synced in the one that has it.
  func make(_ name: String) throws {
    var (place, parts) = (self, name.split(separator: "/").map(String.init)[...])
    while let part = parts.popFirst() {
      let path = "\(place.path)/\(part)"
      guard mkdirat(place.descriptor, part, 0o700) == 0 || errno == EEXIST else { throw FileFailure(path: path, errno) }
      try place.sync()
      guard !parts.isEmpty else { return }
      // A folder on the way may be a link to a larger disk; only the last one may not, as in `folder`.
      guard let inner = try TargetFolder(openat(place.descriptor, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path)
      else { throw FileFailure(path: path, ENOENT) }
      place = inner
    }
  }

  func files() throws -> [(name: String, size: Int)] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileFailure(path: path, errno) }
    guard let stream = fdopendir(copy) else {
      close(copy)
      throw FileFailure(path: path, ENOMEM)
    }
    defer { closedir(stream) }
    var files: [(name: String, size: Int)] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw FileFailure(path: path, errno) }
        return files
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name, name != ".", name != ".." else { continue }
      var information = stat()
      // What has gone since is not there.
      guard fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      guard files.count < listingLimit else {
        throw TargetError(.refused, Text("sync.target.tooManyFiles", ["place": path]))
      }
      files.append((name, Int(information.st_size)))
    }
  }

  func bytes(_ name: String, limit: Int) throws -> [UInt8]? {
    do {
      return try GivenFile(opening: name, in: descriptor, limit: limit, followingLinks: false).bytes()
    } catch let failure as FileFailure where [ENOENT, ELOOP, ENXIO].contains(failure.errno) {
      return nil
    } catch is RPCError {
      return nil
    }
  }

  func put(_ bytes: [UInt8], _ name: String) throws {
    let temporary = ".\(name).tmp"
    unlinkat(descriptor, temporary, 0)
    do {
      let file = try NewFile(at: temporary, in: descriptor)
      try file.write(bytes)
      try file.sync()
      guard renameat(descriptor, temporary, descriptor, name) == 0 else {
        throw FileFailure(path: "\(path)/\(name)", errno)
      }
    } catch {
      unlinkat(descriptor, temporary, 0)
      throw error
    }
    try sync()
  }

  func remove(_ name: String) throws {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw FileFailure(path: "\(path)/\(name)", errno)
    }
  }

  private func sync() throws {
    // Some file systems have nothing to sync for a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileFailure(path: path, errno) }
  }
}
