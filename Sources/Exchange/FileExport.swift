import FoundationEssentials
import Glibc
import Kit
import Store
import Wire

/// Something on its way to a path. It gets its name when all of it is there; what fails leaves nothing. Nothing that is
/// there is overwritten unless `overwrite` says so, and nothing is ever written through a link.
package struct FileExport {
  package let path: String
  /// Beside it, under a name that nobody else uses.
  package let part: String
  package let overwrite: Bool
  /// Says where the part is to the daemon that follows one that was killed; see ``Leftovers``.
  private let note: String

  package init(to path: String, overwrite: Bool = false, services: Services) {
    self.init(to: path, overwrite: overwrite, id: services.newID(), parts: services.folder.parts)
  }

  /// `parts` is the library's folder for what is on its way.
  package init(to path: String, overwrite: Bool = false, id: String, parts: String) {
    self.path = path
    self.overwrite = overwrite
    part = "\(path).\(id).part"
    note = "\(parts)/\(id)\(Leftovers.noteEnding)"
  }

  /// `checkCancelled` is asked once more before the file gets its name: who was told that it was given up finds none.
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

  /// The first third of `writeFile`, for what must be looked at before it gets its name.
  package func writePart(_ body: (borrowing NewFile) throws -> Void) throws {
    // Said before the work, not after it.
    try checkPlace()
    try completing {
      leaveNote()
      let file = try NewFile(at: part)
      try body(file)
    }
  }

  /// The second: the bytes are on the disk before the name is. Whatever else looks at the part meanwhile finds it there,
  /// also when this fails.
  package func syncPart() throws {
    try sync(part, O_NOFOLLOW)
  }

  /// The third: gives the part its name.
  package func complete() throws {
    try completing {
      try checkPlace()
      if overwrite {
        // Also in the place of a file that came meanwhile; a link that did is replaced itself.
        guard rename(part, path) == 0 else { throw FileFailure(path: path, errno) }
      } else {
        try Self.place(part, at: path)
      }
      unlink(note)
      try syncFolder()
    }
  }

  /// Gives a file another name that nothing has. Unlike a rename, a link never takes the place of another file; where the
  /// file system has no links, as on most sticks and cards, the place is taken first.
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

  /// Without a note, as where the library's own disk is full, the file is as good.
  private func leaveNote() {
    symlink(part, note)
  }

  /// Refuses a place that is taken. Only a plain file may be overwritten.
  package func checkPlace() throws {
    var information = stat()
    guard lstat(path, &information) == 0 else { return }
    guard overwrite, Self.isFile(path) else { throw FileFailure(path: path, EEXIST) }
  }

  /// Whether a plain file is there, and no link to one.
  package static func isFile(_ path: String) -> Bool {
    var information = stat()
    return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  /// The name is on the disk as the bytes are.
  private func syncFolder() throws {
    try sync(parentFolder(of: path), O_DIRECTORY)
  }

  private func sync(_ path: String, _ flag: Int32) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | flag)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    defer { close(descriptor) }
    // Not every file system can sync a folder.
    guard fsync(descriptor) == 0 || flag == O_DIRECTORY && errno == EINVAL else { throw FileFailure(path: path, errno) }
  }

  /// `body` is given the folder's path.
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
      // Onto nothing, or an empty folder that somebody made meanwhile; anything else makes it fail.
      guard rename(part, path) == 0 else { throw FileFailure(path: path, errno) }
      unlink(note)
    }
    try syncFolder()
  }

  private func completing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      unlink(note)
      throw error
    }
  }
}

extension RPCError {
  /// Why something could not be written, in words.
  ///
  /// - Parameter replaceable: The method could write over a file at the path, if it were told to.
  package init(writing failure: FileFailure, replaceable: Bool = false) {
    self.init(failure, otherwise: Self.unwritten(failure, replaceable: replaceable))
  }

  private static func unwritten(_ failure: FileFailure, replaceable: Bool) -> RPCError {
    switch failure.errno {
    case EEXIST where replaceable && FileExport.isFile(failure.path):
      return RPCError(.exists, text: Text("file.replaceable", ["path": failure.path]))
    case EEXIST, ENOTEMPTY: return RPCError(.exists, text: Text("file.exists", ["path": failure.path]))
    // What is made anew lacks nothing but the folder that it was to come into.
    case _ where failure.isMissing:
      let folder = parentFolder(of: failure.path)
      return RPCError(.notFound, text: Text("file.noFolder", ["path": folder]))
    default:
      return RPCError(.notAllowed, text: Text("file.unwritten", ["path": failure.path, "reason": failure.reason]))
    }
  }
}
