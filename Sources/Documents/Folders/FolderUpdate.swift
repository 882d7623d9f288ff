import Contract
import Glibc
import Kit
import Store
import Wire

/// One scan of a watched folder, and the writes that follow from it.
struct FolderUpdate: Sendable {
  let path: String
  /// The files that the last scan refused.
  let refused: [PathKey: FileIntake.Entry]
  let services: Services

  /// No client: the daemon's own writes are not undo steps.
  private var caller: FeatureCaller { .daemon(services) }

  /// - Returns: the files that are refused now; nil if the folder is not watched any more.
  /// - Throws: `notFound`, `notAllowed` and the like if the folder itself cannot be scanned.
  func run(_ progress: Progress) async throws -> [PathKey: FileIntake.Entry]? {
    guard let (folder, known) = try await read() else { return nil }
    guard sameBytes(folder.epoch, services.library.identity.epoch) else {
      throw RPCError(.notAllowed, text: Text("documents.folderOfCopy", ["path": path]))
    }
    // The confinement of the client that watches the folder, also if another requested this scan.
    return try await FileConfinement.$current.withValue(folder.confinement) {
      try await update(folder, known, progress)
    }
  }

  private func update(
    _ folder: WatchedFolder, _ known: [PathKey: WatchedFile], _ progress: Progress
  ) async throws -> [PathKey: FileIntake.Entry] {
    let found = try await scan(folder)
    var refused: [PathKey: FileIntake.Entry] = [:]
    for problem in found.problems { refused[PathKey(problem.path)] = FileIntake.Entry(problem) }
    var (new, changed): ([FoundFiles.File], [(file: FoundFiles.File, document: String)]) = ([], [])
    var updates: [PathKey: WatchedFile] = [:]
    for file in found.files {
      let key = PathKey(file.path)
      if let last = self.refused[key], last.signature == file.signature, last.isFinal {
        refused[key] = last
      } else if let row = known[key] {
        if row.signature != file.signature {
          changed.append((file, row.document))
        } else if row.isMissing {
          updates[key] = WatchedFile(signature: row.signature, document: row.document, isMissing: false)
        }
      } else {
        new.append(file)
      }
    }
    let paths = Set(found.files.map { PathKey($0.path) })
    for (path, row) in known where !row.isMissing && !paths.contains(path) && !found.isUnknown(path.path) {
      updates[path] = WatchedFile(signature: row.signature, document: row.document, isMissing: true)
    }
    try await write(updates, of: folder)
    for (file, document) in changed {
      try Task.checkCancellation()
      do {
        if try await refresh(file, document, of: folder) { continue }
        new.append(file)
      } catch let error as RPCError where !error.isOfEnd && error != .cancelled {
        refused[PathKey(file.path)] = FileIntake.Entry(file, refused: error)
      }
    }
    for entry in try await add(new, of: folder, progress) where entry.outcome == .refused {
      refused[PathKey(entry.path)] = entry
    }
    return refused
  }

  private func read() async throws -> (folder: WatchedFolder, files: [PathKey: WatchedFile])? {
    let path = path
    return try await services.library.read(as: caller) { snapshot in
      guard let folder = try WatchedFolder.find(path, in: snapshot.db) else { return nil }
      return (folder, try WatchedFile.all(in: path, db: snapshot.db))
    }
  }

  private func scan(_ folder: WatchedFolder) async throws -> FoundFiles {
    let patterns = try NamePatterns(folder.patterns)
    let found = try await onThread { checkCancelled in
      try FoundFiles.requireFolder(folder.path)
      return try FolderScan.files(
        at: [folder.path], recursive: folder.isRecursive, patterns: patterns, checkCancelled: checkCancelled)
    }
    // The folder could not be read, so the state of its files is unknown.
    if let problem = found.problems.first(where: { sameBytes($0.path, folder.path) }) { throw problem.error }
    return found
  }

  private func write(_ files: [PathKey: WatchedFile], of folder: WatchedFolder) async throws {
    guard !files.isEmpty else { return }
    try await write(of: folder) { try WatchedFile.write(files, in: folder.path, transaction: $0) }
  }

  private func write(of folder: WatchedFolder, _ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
    try await services.library.write(as: caller, label: FolderWatch.label) { transaction in
      try folder.requireRow(in: transaction)
      try body(transaction)
    }
  }

  private func add(
    _ files: [FoundFiles.File], of folder: WatchedFolder, _ progress: Progress
  ) async throws -> [FileIntake.Entry] {
    let intake = FileIntake(caller: caller, tags: folder.tags, label: FolderWatch.label, services: services) {
      try Self.note($0, of: folder, in: $1)
    }
    let (entries, rest) = try await intake.add(files, progress: progress)
    return try await entries + intake.writeOrRefuse(rest).entries
  }

  private static func note(
    _ entries: [FileIntake.Entry], of folder: WatchedFolder, in transaction: Transaction
  ) throws {
    try folder.requireRow(in: transaction)
    var files: [PathKey: WatchedFile] = [:]
    for entry in entries {
      guard let document = entry.document, let signature = entry.signature else { continue }
      files[PathKey(entry.path)] = WatchedFile(signature: signature, document: document, isMissing: false)
    }
    try WatchedFile.write(files, in: folder.path, transaction: transaction)
  }

  /// Gives a document the present bytes of its file.
  ///
  /// - Returns: false if the file is from now on another document: its bytes belong to one, or it was only a copy of
  ///   the document's file.
  private func refresh(
    _ file: FoundFiles.File, _ document: String, of folder: WatchedFolder
  ) async throws -> Bool {
    let change = try await services.library.read(as: caller) { snapshot -> Change in
      guard let record = try snapshot.find(DocumentRecord.self, id: document) else { return .removed }
      guard try isOwner(file.path, of: record, in: snapshot) else { return .copy }
      let params = RefreshDocument.Params(
        id: DocumentID(unchecked: document), url: nil, path: file.path, data: nil, password: nil, ifRevision: nil)
      return .refresh(try RefreshDocument.prepare(params, in: snapshot))
    }
    switch change {
    case .copy: return false
    case .removed: break
    case .refresh(let plan):
      do {
        let fetched = try await RefreshDocument.fetch(plan, with: services, progress: .none)
        try await write(of: folder) { _ = try RefreshDocument.finish(fetched, of: plan, in: $0) }
      } catch let error as RPCError where error.kind == .exists {
        return false
      }
    }
    let row = WatchedFile(signature: file.signature, document: document, isMissing: false)
    try await write([PathKey(file.path): row], of: folder)
    return true
  }

  private enum Change {
    case refresh(RefreshDocument.Plan)
    /// The user has removed the document, and does not want it back.
    case removed
    /// The document has its bytes from another place, or another file still has them.
    case copy
  }

  /// Whether a changed file changes its document: a file of this folder created the document, and no other file in
  /// watched folders is the same document. A renamed file counts as the one that created it.
  private func isOwner(_ file: String, of document: DocumentRecord, in snapshot: Snapshot) throws -> Bool {
    guard document.isTyped, document.url == nil, let origin = JSONList.strings(document.origins).first,
      path.contains(path: origin)
    else { return false }
    let others = "SELECT 1 FROM watchedFile WHERE document = ? AND NOT isMissing AND path <> ? LIMIT 1"
    return try snapshot.db.first(others, [.text(document.id), .text(file)]) { _ in true } == nil
  }
}
