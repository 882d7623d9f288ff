import Contract
import Daemon
import FoundationEssentials
import Glibc
import Store
import Wire

/// Copies a backup to the library's place. The copy is created beside it under another name and checked there, so
/// that a failure leaves nothing and the place is never half full.
struct Restoring {
  let backup: String
  let place: Place

  /// A partial copy is named after the library and the process that writes it: `commonplace.4711.partial`.
  private static let ending = ".partial"

  /// The time at which the backup was made; nil if it cannot be read.
  var date: Instant? {
    AbsolutePath.isFolder(backup) ? CopyDate.date(of: LibraryFolder(backup)) : CopyDate.date(ofArchive: backup)
  }

  /// - Returns: the daemon's report on the copy, `{"ok": true, …}`, or on the import of the archive.
  /// - Throws: `Failure` if the place is occupied, if the backup is not one or is damaged, or if it cannot be copied.
  func run() async throws(Failure) -> JSONValue {
    let library = place.paths.library
    try requireFree(library)
    let isFolder = AbsolutePath.isFolder(backup)
    guard access(isFolder ? LibraryFolder(backup).database : backup, R_OK) == 0 else {
      throw place.voice.failure(.notFound, Text("command.noBackup", ["path": backup]))
    }
    // The files of a library in use are not a consistent state.
    if isFolder, Ownership.isHeld(LibraryFolder(backup)) {
      throw place.voice.failure(.libraryInUse, Text("command.backupInUse", ["path": backup]))
    }
    let partial = library + ".\(getpid())" + Self.ending
    let disk = try parent(of: library)
    removeStale(beside: library)
    do {
      if isFolder {
        try copy(LibraryFolder(backup), to: LibraryFolder(partial))
      }
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      throw notWritten(library, error)
    }
    do {
      let report = try await fill(partial, isFolder: isFolder)
      try sync(disk, for: library)
      try settle(partial, at: library)
      return report
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      throw error
    }
  }

  /// The folder in which the library's is created.
  private func parent(of library: String) throws(Failure) -> OpenFolder {
    let parent = parentFolder(of: library)
    do {
      try FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      // It may be a link.
      return try OpenFolder(opening: parent + "/.")
    } catch {
      throw notWritten(library, error)
    }
  }

  private func notWritten(_ library: String, _ error: any Error) -> Failure {
    let reason = (error as? FileFailure)?.reason ?? errorSentence(error)
    return place.voice.failure(.file, Text("command.notWritten", ["path": library, "reason": reason]))
  }

  /// Copies the database and the files; nothing else belongs to a library that nobody serves.
  private func copy(_ backup: LibraryFolder, to copy: LibraryFolder) throws {
    let files = FileManager.default
    try files.createDirectory(
      atPath: copy.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try files.copyItem(atPath: backup.database, toPath: copy.database)
    // A copy of a library that was not closed has its newest changes there.
    let log = "-wal"
    if files.fileExists(atPath: backup.database + log) {
      try files.copyItem(atPath: backup.database + log, toPath: copy.database + log)
    }
    if files.fileExists(atPath: backup.blobs) { try files.copyItem(atPath: backup.blobs, toPath: copy.blobs) }
  }

  private func requireFree(_ library: String) throws(Failure) {
    var information = stat()
    guard lstat(library, &information) == 0 else { return }
    let names = try? FileManager.default.contentsOfDirectory(atPath: library)
    guard information.st_mode & S_IFMT == S_IFDIR, names?.isEmpty == true else {
      throw place.voice.failure(.conflict, occupied(library))
    }
  }

  /// The text names the commands that replace the library: a daemon that still serves it must be stopped first.
  private func occupied(_ library: String) -> Text {
    let option = place.options.library == nil ? "" : " --library \(ShellWord.quoted(library))"
    let aside = [library + ".old"] + (2...100).map { "\(library).old\($0)" }
    let free = aside.first { access($0, F_OK) != 0 } ?? library + ".old"
    let command = [
      "commonplace stop" + option, "mv \(ShellWord.quoted(library)) \(ShellWord.quoted(free))",
      "commonplace restore \(ShellWord.quoted(backup))" + option,
    ].joined(separator: " && ")
    return Text("command.libraryExists", ["library": library, "command": command])
  }

  /// Opens the copy in this process, and checks it, or imports the archive into it.
  private func fill(_ partial: String, isFolder: Bool) async throws(Failure) -> JSONValue {
    let copy = try Place(Paths.Options(library: partial))
    let conversation = try await Conversation.open(copy, from: .own)
    do throws(Failure) {
      let report: JSONValue
      if isFolder {
        report = try await conversation.askPatiently(KnownMethod.check, [:])
        guard report["ok"] == true else {
          throw place.voice.failure(.brokenLibrary, Text("command.backupDamaged", ["path": backup]))
        }
      } else {
        report = try await conversation.askPatiently(KnownMethod.importLibrary, ["path": .string(backup)])
      }
      await conversation.end()
      return report
    } catch {
      await conversation.end()
      throw error
    }
  }

  /// Writes the copy to the disk, before it gets the library's name.
  ///
  /// - Parameter disk: A folder of the same disk that was opened before the first write.
  /// - Throws: `Failure` if the disk reports an error or is full.
  private func sync(_ disk: borrowing OpenFolder, for library: String) throws(Failure) {
    do {
      try disk.syncAll()
    } catch {
      throw notWritten(library, error)
    }
  }

  /// Removes the partial copies of restores that were killed.
  private func removeStale(beside library: String) {
    let folder = parentFolder(of: library)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = folder == "/" ? "/" + name : folder + "/" + name
      guard path.hasPrefix(library + "."), path.hasSuffix(Self.ending),
        let pid = pid_t(path.dropFirst(library.count + 1).dropLast(Self.ending.count)), pid > 0,
        pid == getpid() || kill(pid, 0) != 0 && errno == ESRCH, !Ownership.isHeld(LibraryFolder(path))
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private func settle(_ partial: String, at library: String) throws(Failure) {
    // Only an empty folder is replaced.
    guard rename(partial, library) == 0 else {
      if errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR {
        throw place.voice.failure(.conflict, occupied(library))
      }
      let reason = String(cString: strerror(errno))
      throw place.voice.failure(.file, Text("command.notWritten", ["path": library, "reason": reason]))
    }
    let folder = open(parentFolder(of: library), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }
}
