import FoundationEssentials
import Glibc
import Kit
import Store
import Wire

/// Writes a file or folder to a path. It gets its name only when it is complete; a failure leaves nothing. Existing
/// files are overwritten only with `overwrite`, and never through a symbolic link.
package struct FileExport {
  package let path: String
  private let place: NamedPlace
  /// The path of the unfinished file, beside the destination, with a unique name.
  package let part: String
  package let overwrite: Bool
  /// The same for the next daemon.
  private let namedPart: String
  /// A link to the part for the next daemon, in case this one is killed; see ``Leftovers``.
  private let note: String

  package init(to path: String, overwrite: Bool = false, services: Services) {
    self.init(to: path, overwrite: overwrite, id: services.newID(), parts: services.folder.parts)
  }

  /// `parts` is the library's folder for unfinished files.
  package init(to path: String, overwrite: Bool = false, id: String, parts: String) {
    self.path = path
    self.overwrite = overwrite
    place = NamedPlace(path)
    part = "\(place.path).\(id).part"
    namedPart = "\(path).\(id).part"
    note = "\(parts)/\(id)\(Leftovers.noteEnding)"
  }

  /// Calls `checkCancelled` once more before the file gets its name, so that a cancelled export leaves no file.
  ///
  /// - Throws: `FileFailure`, or the error of `checkCancelled` or `body`.
  package func writeFile(
    checkCancelled: () throws -> Void = {}, _ body: (borrowing NewFile) throws -> Void
  ) throws {
    try writePart(body)
    try completing {
      try checkCancelled()
      try syncPart()
      try checkCancelled()
    }
    try complete()
  }

  /// The first step of `writeFile`, for files that must be checked before they get their name.
  ///
  /// - Throws: `FileFailure`, or the error of `body`.
  package func writePart(_ body: (borrowing NewFile) throws -> Void) throws {
    // Before the work, not after it.
    try checkPlace()
    try completing {
      leaveNote()
      let file = try NewFile(at: part)
      try body(file)
    }
  }

  /// The second step: syncs the bytes to disk before the file gets its name. If it fails, the part stays, since another
  /// process may read it.
  ///
  /// - Throws: `FileFailure`.
  package func syncPart() throws {
    try sync(part, O_NOFOLLOW)
  }

  /// The third step: gives the part its name.
  ///
  /// - Throws: `FileFailure`, with EEXIST if the path is in use.
  package func complete() throws {
    try completing {
      try checkPlace()
      if overwrite {
        // Also replaces a file that was created meanwhile; a symbolic link is replaced itself.
        guard rename(part, place.path) == 0 else { throw FileFailure(path: path, errno) }
      } else {
        try Self.place(part, at: place.path)
      }
      unlink(note)
      try syncFolder()
    }
  }

  /// Renames a file to a name that must not exist. Unlike a rename, a hard link never replaces another file. On file
  /// systems without hard links, as on most memory cards, an empty file reserves the name first.
  ///
  /// - Throws: `FileFailure`, with EEXIST if the name exists.
  package static func place(
    _ part: String, at path: String, link: (String, String) -> Int32 = { Glibc.link($0, $1) }
  ) throws {
    if link(part, path) == 0 {
      unlink(part)
      return
    }
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw FileFailure(path: path, errno) }
    _ = try NewFile(at: path)
    guard rename(part, path) == 0 else {
      let failure = FileFailure(path: path, errno)
      unlink(path)
      throw failure
    }
  }

  package func abandon() {
    unlink(part)
    unlink(note)
  }

  /// A missing note, as on a full disk, does not affect the file.
  private func leaveNote() {
    symlink(namedPart, note)
  }

  /// - Throws: `FileFailure` with EEXIST if the path is in use; with `overwrite`, only if it is no regular file.
  package func checkPlace() throws {
    var information = stat()
    guard lstat(place.path, &information) == 0 else { return }
    guard overwrite, Self.isFile(place.path) else { throw FileFailure(path: path, EEXIST) }
  }

  /// Whether the path is a regular file, and no link to one.
  package static func isFile(_ path: String) -> Bool {
    var information = stat()
    return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  /// Syncs the folder, so that the file's name is on disk too.
  private func syncFolder() throws {
    try sync(parentFolder(of: place.path), O_DIRECTORY)
  }

  private func sync(_ path: String, _ flag: Int32) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | flag)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    defer { close(descriptor) }
    // Not every file system can sync a folder.
    guard fsync(descriptor) == 0 || flag == O_DIRECTORY && errno == EINVAL else { throw FileFailure(path: path, errno) }
  }

  /// Writes a folder. `body` is called with the path of the unfinished folder.
  ///
  /// - Throws: `FileFailure`, or the error of `checkCancelled` or `body`.
  package func writeFolder(checkCancelled: () throws -> Void = {}, _ body: (String) throws -> Void) throws {
    try checkPlace()
    try completing {
      leaveNote()
      guard mkdir(part, 0o700) == 0 else { throw FileFailure(path: part, errno) }
      let folder = try OpenFolder(opening: part)
      try body(part)
      try checkCancelled()
      try folder.syncAll()
      try checkCancelled()
      // Replaces nothing or an empty folder that was created meanwhile; otherwise it fails.
      guard rename(part, place.path) == 0 else { throw FileFailure(path: path, errno) }
      unlink(note)
    }
    try syncFolder()
  }

  /// Writes the parts of a spool into a folder, each as a file of its name, which may be in folders: `novels/Dune.md`.
  ///
  /// - Parameter beside: the files that their texts show.
  /// - Throws: `FileFailure`, or the error of `checkCancelled`.
  package func writeFolder(
    _ spool: ExportSpool, beside: FilesBeside, _ progress: Progress, checkCancelled: () throws -> Void
  ) throws {
    try writeFolder(checkCancelled: checkCancelled) { folder in
      try spool.each(progress, checkCancelled: checkCancelled) { name, bytes in
        for slash in name.indices where name[slash] == "/" {
          let inner = folder + "/" + name[..<slash]
          guard mkdir(inner, 0o700) == 0 || errno == EEXIST else { throw FileFailure(path: inner, errno) }
        }
        try NewFile(at: folder + "/" + name).write(bytes)
      }
      try beside.write(into: folder, checkCancelled: checkCancelled)
    }
  }

  /// Writes the parts of a spool into a file, one after the other.
  ///
  /// - Throws: `FileFailure`, or the error of `checkCancelled`.
  package func writeFile(_ spool: ExportSpool, _ progress: Progress, checkCancelled: () throws -> Void) throws {
    try writeFile(checkCancelled: checkCancelled) { file in
      try spool.each(progress, checkCancelled: checkCancelled) { _, bytes in try file.write(bytes) }
    }
  }

  private func completing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      unlink(note)
      // The user knows the named path.
      guard let failure = error as? FileFailure else { throw error }
      throw FileFailure(path: place.named(failure.path), failure.errno)
    }
  }
}

extension RPCError {
  /// The error for a failed write.
  ///
  /// - Parameter replaceable: whether the method could overwrite a file at the path.
  package init(writing failure: FileFailure, replaceable: Bool = false) {
    self.init(failure, otherwise: Self.unwritten(failure, replaceable: replaceable))
  }

  private static func unwritten(_ failure: FileFailure, replaceable: Bool) -> RPCError {
    switch failure.errno {
    case EEXIST where replaceable && FileExport.isFile(failure.path):
      return RPCError(.exists, text: Text("file.replaceable", ["path": failure.path]))
    case EEXIST, ENOTEMPTY: return RPCError(.exists, text: Text("file.exists", ["path": failure.path]))
    // Only the folder of a new file can be missing.
    case _ where failure.isMissing:
      let folder = parentFolder(of: failure.path)
      return RPCError(.notFound, text: Text("file.noFolder", ["path": folder]))
    default:
      return RPCError(.notAllowed, text: Text("file.unwritten", ["path": failure.path, "reason": failure.reason]))
    }
  }
}
