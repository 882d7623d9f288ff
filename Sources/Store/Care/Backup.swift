import FoundationEssentials
import Glibc
import SQLite
import SearchEngine
import Wire

/// The contents of a backup, counted in the copy itself.
package struct BackupReport: Sendable, Equatable {
  package var path: String
  package var epoch: String
  package var clock: Int64
  package var items: Int
  package var blobs: Int
  /// Linked files in use whose bytes are not in the copy.
  package var linked: Int
  /// Library file and blobs together.
  package var bytes: Int64
}

/// Why a backup could not be made.
package enum BackupError: Error, Sendable, Equatable {
  case exists(path: String)
  case damaged(reason: String)
  case missingBlob(hash: String)
}

extension Store {
  /// Copies a snapshot of the library into a new folder while the library stays in use.
  ///
  /// The copy is opened, its integrity checked, every blob hashed and counted, and everything synced, before it gets
  /// its final name; a failed copy leaves nothing at `path`. It gets its own epoch, so that clients of the original
  /// never mistake its clock for the original's. `progress` gets 0 to 100.
  ///
  /// The user's own files to which items are linked are copied only with `copyingLinked`; without it, as for those that
  /// are gone or changed, the copy has the links.
  ///
  /// - Throws: `BackupError`, `FileFailure`, and whatever `progress` throws.
  package func backUp(
    to path: String, newEpoch: String, copyingLinked: Bool = false,
    progress: @escaping @Sendable (Int) throws -> Void
  ) throws -> BackupReport {
    guard access(path, F_OK) != 0 else { throw BackupError.exists(path: path) }
    // A unique name in an existing folder: a mistyped path creates no tree of folders.
    let partial = LibraryFolder(Self.partialName(of: path))
    guard mkdir(partial.path, 0o700) == 0 else { throw FileFailure(path: path, errno) }
    do {
      let report = try copy(
        to: partial, named: path, newEpoch: newEpoch, copyingLinked: copyingLinked, progress: progress)
      try progress(100)
      guard rename(partial.path, path) == 0 else {
        throw errno == ENOTEMPTY || errno == EEXIST ? BackupError.exists(path: path) : FileFailure(path: path, errno)
      }
      try Blobs.sync(folder: parentFolder(of: path))
      machineState.remember(epoch: report.epoch, clock: report.clock)
      return report
    } catch {
      try? FileManager.default.removeItem(atPath: partial.path)
      throw Self.failure(error, at: path)
    }
  }

  /// A name beside the target, so that the finished file can be renamed to it.
  static func partialName(of path: String) -> String {
    "\(path).\(UUID().uuidString.prefix(8)).partial"
  }

  /// Maps errors of the copy, which must not be reported as damage of the library.
  private static func failure(_ error: any Error, at path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    if case .diskFull? = StoreError(error, path: path) { return FileFailure(path: path, ENOSPC) }
    return BackupError.damaged(reason: error.message)
  }

  private func copy(
    to folder: LibraryFolder, named path: String, newEpoch: String, copyingLinked: Bool,
    progress: @escaping @Sendable (Int) throws -> Void
  ) throws -> BackupReport {
    try folder.prepare()
    let copy = try Self.openCopy(folder.database)
    try copyState(to: copy) { step in
      if step.totalPages > 0 { try progress(step.copiedPages * 40 / step.totalPages) }
    }
    guard let original = try LibraryIdentity.read(copy) else { throw BackupError.damaged(reason: "noIdentity") }
    let identity = try LibraryIdentity.renew(original, in: copy, epoch: newEpoch)
    let findings = try copy.texts("PRAGMA integrity_check")
    guard findings == ["ok"] else { throw BackupError.damaged(reason: findings.first ?? "") }
    let items = try schema.all.reduce(0) { try $0 + $1.count(in: copy) }
    let hashes = try copy.texts("SELECT hash FROM blob ORDER BY hash")
    let target = Blobs(folder: folder.blobs)
    let linked = try copyLinked(noted: copy, to: target, isAsked: copyingLinked) { try progress(40) }
    try copy.close()
    var bytes = try Self.syncedSize(folder.database) + linked.copied.reduce(0) { $0 + $1.size }
    for (index, hash) in hashes.enumerated() {
      bytes += try copyBlob(hash, to: target)
      try progress(40 + (index + 1) * 60 / hashes.count)
    }
    let copied = hashes.count + linked.copied.count
    guard target.all().count == copied else { throw BackupError.damaged(reason: "blobsMissing") }
    try Blobs.sync(folder: folder.blobs)
    try Blobs.sync(folder: folder.path)
    return BackupReport(
      path: path, epoch: identity.epoch, clock: identity.clock, items: items, blobs: copied, linked: linked.left,
      bytes: bytes)
  }

  /// Copies the library's file as of now, in steps between which the copying can be cancelled.
  ///
  /// One read snapshot is pinned for all steps; if each step pinned its own, SQLite would start over after every write
  /// in between. If the pinned snapshot keeps the WAL from being reset, the copy drops it and starts over with the
  /// newest snapshot: refusing a backup because of many writes would not help the user, and the pages copied so far are
  /// of no use. After a few attempts it gives up all the same, since the WAL must not grow without limit.
  func copyState(to copy: Database, step: (Database.BackupProgress) throws -> Void) throws {
    for attempt in 1... {
      do {
        return try withoutActuallyEscaping(step) { step in
          try reads.readWhole { source, interruption in
            try source.backUp(to: copy, pagesPerStep: 1_000) { progress in
              if interruption.reason != nil, !progress.isComplete { throw CancellationError() }
              try step(progress)
            }
          }
        }
      } catch let error as RPCError where error == .readTimedOut && attempt < Self.copyAttempts {
        continue
      }
    }
  }

  private static let copyAttempts = 4

  /// Copies through a file of another name, so that `adopt` hashes the bytes that were really written.
  private func copyBlob(_ hash: String, to target: Blobs) throws -> Int64 {
    guard blobs.contains(hash) else { throw BackupError.missingBlob(hash: hash) }
    let partial = target.folder + "/partial"
    try FileManager.default.copyItem(atPath: blobs.path(named: hash), toPath: partial)
    let blob = try target.adopt(file: partial)
    guard blob.hash == hash else { throw BackupError.damaged(reason: "blobs/\(hash)") }
    return blob.size
  }

  /// Copies the linked files in use whose bytes are still those, which makes them blobs of the copy.
  private func copyLinked(
    noted copy: Database, to target: Blobs, isAsked: Bool, checkCancelled: () throws -> Void
  ) throws -> (copied: [Blobs.Blob], left: Int) {
    let links = try schema.namedBlobs(copy).elsewhere.compactMap { hash in
      try LinkedFile.find(hash, in: copy).map { (hash, $0.path) }
    }
    guard isAsked else { return ([], links.count) }
    var copied: [Blobs.Blob] = []
    for (hash, path) in links {
      try checkCancelled()
      let partial = target.folder + "/partial"
      defer { unlink(partial) }
      guard try Self.copyFile(at: path, to: partial), try Blobs.hash(path: partial).hash == hash else { continue }
      let blob = try target.adopt(file: partial)
      try copy.run(
        "INSERT INTO blob (hash, size, addedAt) VALUES (?, ?, ?)",
        [.text(hash), .integer(blob.size), .integer(now().milliseconds)])
      try copy.run("DELETE FROM blobElsewhere WHERE hash = ?", [.text(hash)])
      copied.append(blob)
    }
    return (copied, links.count - copied.count)
  }

  /// Copies a regular file of the user's own; false if there is none that can be read.
  private static func copyFile(at path: String, to target: String) throws -> Bool {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard source >= 0 else { return false }
    defer { Glibc.close(source) }
    var information = stat()
    guard fstat(source, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return false }
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw FileFailure(path: target, errno) }
    defer { Glibc.close(output) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Glibc.read(source, &buffer, buffer.count)
      guard count > 0 else { return count == 0 }
      try buffer.withUnsafeBytes { try DescriptorWrite.all(.init(rebasing: $0[..<count]), to: output, path: target) }
    }
  }

  /// Opens the copy without a WAL, so that it is one file that can be moved, and is the user's alone.
  static func openCopy(_ path: String) throws -> Database {
    let copy = try Database(path: path) { try SearchIndex.prepare($0) }
    chmod(path, 0o600)
    return copy
  }

  private static func syncedSize(_ path: String) throws -> Int64 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileFailure(path: path, errno) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw FileFailure(path: path, errno) }
    return Int64(information.st_size)
  }
}
