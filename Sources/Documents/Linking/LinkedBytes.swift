import Contract
import FoundationEssentials
import Glibc
import Kit
import PDF
import Store
import Wire

/// The bytes of a document in a file of the user's own, to which it is linked.
///
///     a use ──► the file as it was when it was hashed ───────────────────────────► read
///                └─► else hashed: the same bytes ──────────────────► noted ──────► read
///                     └─► else, the first time, searched near by ───► noted ──────► read
///                          └─► else `missing` or `changed` is noted, and the use fails
///
/// Whatever lies at the path is read only if its bytes have the document's hash, so it does not matter who has put it
/// there. It is only opened for reading: nothing here writes, moves or deletes it.
struct LinkedBytes: Sendable {
  let hash: String
  let services: Services

  /// An open file, as it was at one moment.
  struct Opened: Sendable {
    let path: String
    let file: Descriptor
    let signature: String
    let size: Int64

    /// - Throws: `FileFailure`, also for a symbolic link; `notAllowed` for what is no regular file; `tooLarge`.
    init(_ path: String) throws {
      try self.init(GivenFile(opening: path, limit: ReceivedFile.limit, followingLinks: false))
    }

    fileprivate init(_ given: borrowing GivenFile) throws {
      path = given.path
      let copy = fcntl(given.descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw FileFailure(path: given.path, errno) }
      file = Descriptor(copy)
      let now = try Self.now(copy, given.path)
      (signature, size) = (FoundFiles.File(given.path, now).signature, Int64(now.st_size))
    }

    var isUnchanged: Bool {
      (try? Self.now(file.number, path)).map { FoundFiles.File(path, $0).signature == signature } ?? false
    }

    private static func now(_ descriptor: Int32, _ path: String) throws -> stat {
      var information = stat()
      guard fstat(descriptor, &information) == 0 else { throw FileFailure(path: path, errno) }
      return information
    }
  }

  /// Copies a file that is to be linked, so that it is read as it was when it was hashed.
  ///
  /// - Throws: `FileFailure`, also for a symbolic link; `notAllowed` for what is no regular file, and for a file of the
  ///   library or of its caches; `busy` for a file that is being written.
  static func copy(_ path: String, to target: String, with services: Services) throws -> LinkedFile {
    let given = try GivenFile(named: path, limit: ReceivedFile.limit, followingLinks: false)
    let opened = try Opened(given)
    let place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(opened.file.number)")
    let own = [services.folder.path, services.caches].map { realPath($0) }
    guard !own.contains(where: { $0.contains(path: place) }) else {
      throw RPCError(.notAllowed, text: Text("documents.linkInside", ["path": path]))
    }
    try FileCopy.copy(given, to: target)
    guard opened.isUnchanged else { throw RPCError(.busy, text: Text("documents.linkWritten", ["path": path])) }
    return LinkedFile(path: path, signature: opened.signature)
  }

  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The file, open.
  ///
  /// - Throws: `noFile` if the bytes are not where they were linked.
  func open(_ link: LinkedFile, of document: DocumentRecord?) async throws -> Opened {
    if let opened = try await onThread({ _ in try? Opened(link.path) }), opened.signature == link.signature {
      if link.problem != nil { try await note(LinkedFile(path: link.path, signature: link.signature)) }
      return opened
    }
    // Of many requests for a file that is gone, one looks for it.
    let found = try await services.linkedFiles.value(for: hash) { _ in try await find(link) }
    guard found.problem == nil, let opened = try await onThread({ _ in try? Opened(found.path) }),
      opened.signature == found.signature
    else { throw Self.failure(found, document) }
    return opened
  }

  private static func failure(_ link: LinkedFile, _ document: DocumentRecord?) -> RPCError {
    let named = ["title": document?.title ?? "", "id": document?.id ?? "", "path": link.path]
    return RPCError(
      .noFile, text: Text(link.problem == .missing ? "documents.linkMissing" : "documents.linkChanged", named))
  }

  /// Where the bytes are now, else what is wrong; noted if it is news.
  private func find(_ link: LinkedFile) async throws -> LinkedFile {
    let hash = hash
    let found = try await onThread { checkCancelled in
      if let same = Self.file(at: link.path, with: hash) { return same }
      let isThere = (try? Opened(link.path)) != nil
      // One search only: a file that is put back, or added from its new place, is found without.
      if link.problem == nil, let moved = try Self.moved(link, with: hash, checkCancelled) { return moved }
      return LinkedFile(path: link.path, signature: link.signature, problem: isThere ? .changed : .missing)
    }
    if found != link { try await note(found) }
    return found
  }

  /// Where the file is now, if it is not at `path` any more; looked for however often that was in vain.
  func movedPath(from path: String) async throws -> String? {
    let link = try await services.library.read(as: DaemonCaller()) { try LinkedFile.find(hash, in: $0.db) }
    guard let link, sameBytes(link.path, path) else { return nil }
    return try await onThread { checkCancelled in
      (try? Opened(path)) == nil ? try Self.moved(link, with: hash, checkCancelled)?.path : nil
    }
  }

  private func note(_ link: LinkedFile) async throws { try await services.keep(link, as: hash) }

  /// The file at a path, if it has these bytes.
  private static func file(at path: String, with hash: String) -> LinkedFile? {
    guard let opened = try? Opened(path),
      let bytes = try? Blobs.hash(descriptor: opened.file.number, path: path), sameBytes(bytes.hash, hash),
      opened.isUnchanged
    else { return nil }
    return LinkedFile(path: path, signature: opened.signature)
  }

  /// The bounds of a search, which somebody waits for.
  private static let bounds = FolderScan.Limits(files: 10_000, entries: 10_000, allEntries: 20_000, depth: 4)
  /// Files of the same size that are hashed.
  private static let mostHashed = 20

  /// A file with these bytes in the folder of the link, in the folders in it, or, if that folder is gone, in the one above.
  private static func moved(
    _ link: LinkedFile, with hash: String, _ checkCancelled: () throws -> Void
  ) throws -> LinkedFile? {
    let folder = parentFolder(of: link.path)
    let scanned = access(folder, F_OK) == 0 ? folder : parentFolder(of: folder)
    let patterns = try NamePatterns(["*"])
    // No client has named this folder: a use by a confined one finds the file as any other does.
    let found = try FileConfinement.$current.withValue(nil) {
      try FolderScan.files(
        at: [scanned], recursive: true, patterns: patterns, limits: bounds, checkCancelled: checkCancelled)
    }
    // A file that was only renamed is the same inode.
    let (inode, size) = (link.part(0), link.part(1))
    let candidates = found.files.map { LinkedFile(path: $0.path, signature: $0.signature) }
      .filter { $0.part(1) == size }
      .sorted { ($0.part(0) == inode ? 0 : 1, $0.path) < ($1.part(0) == inode ? 0 : 1, $1.path) }
    for candidate in candidates.prefix(mostHashed) {
      try checkCancelled()
      if let file = file(at: candidate.path, with: hash) { return file }
    }
    return nil
  }
}

extension LinkedFile {
  /// A part of the signature: the inode, the size.
  fileprivate func part(_ index: Int) -> Substring? {
    let parts = signature.split(separator: ":")
    return parts.indices.contains(index) ? parts[index] : nil
  }
}

extension Services {
  fileprivate var linkedFiles: SharedWork<LinkedFile> {
    memory.object(SharedWork<LinkedFile>.self) { SharedWork() }
  }

  /// A document's bytes for a worker: the library's own file, else the one that it is linked to, open.
  ///
  /// - Throws: `noFile` if a linked file is not there, or has other bytes.
  func source(of hash: String, password: String? = nil) async throws -> DocumentSource {
    let path = try blobs.path(named: hash)
    let own = DocumentSource(key: hash, path: path, password: password)
    if blobs.contains(hash) { return own }
    let found = try await library.read(as: DaemonCaller()) { snapshot in
      try LinkedFile.find(hash, in: snapshot.db).map { ($0, try DocumentRecord.all(with: hash, in: snapshot).first) }
    }
    guard let (link, document) = found else { return own }
    let opened = try await LinkedBytes(hash: hash, services: self).open(link, of: document)
    return DocumentSource(key: hash, path: opened.path, password: password, file: opened.file)
  }

  /// Requires what was just read of a document to be of these bytes: a linked file may be written at any time.
  ///
  /// - Throws: `noFile`.
  func requireUnchanged(_ hash: String) async throws { _ = try await source(of: hash) }

  /// Notes where the bytes are, or what is wrong with them, and reports the documents whose state that changes.
  func keep(_ link: LinkedFile, as hash: String) async throws {
    try await library.write(as: DaemonCaller(), label: "documents/link") { transaction in
      let before = try LinkedFile.find(hash, in: transaction.db)
      try link.keep(as: hash, in: transaction.db)
      if before?.path == link.path, before?.problem == link.problem {
        transaction.keepSilent()
      } else {
        try DocumentRecord.reportFile(hash, in: transaction)
      }
    }
  }
}
