import Contract
import Glibc
import Kit
import Store
import Synchronization
import Wire

/// Exchanges the files of shared items with the target, piece by piece. At most one piece is in memory.
///
/// Files follow the log files that name them: notes and cards never wait for gigabytes, and an item whose file has not
/// arrived says so. What an interrupted exchange has sent or fetched counts for the next one.
struct FileExchange: Sendable {
  let services: Services
  let target: any SyncTarget
  let space: Space
  let sealing: PieceSealing
  private let rows: SharedFileRows
  private let caller: FeatureCaller
  /// By folder: the pieces that lie there.
  private var listings: [String: [String: Int]] = [:]
  private var tried: Set<String> = []
  private(set) var failure: (any Error)?

  /// The label of commits that state what was exchanged.
  static let label = "sync/files"
  /// The number of bytes after which log files are exchanged once more.
  private static let turn = 64 << 20
  /// The most files that are asked for in vain in one run.
  private static let mostMissing = 20

  init(_ connection: SyncConnection, with services: Services) {
    (self.services, target, space, sealing) = (services, connection.target, connection.space, connection.pieces)
    rows = SharedFileRows(SharedCollections(services.library))
    caller = FeatureCaller(
      clientName: "sync", connectionID: "", reader: FeatureCaller.daemon(services).reader, services: services)
  }

  /// Exchanges some files.
  ///
  /// - Returns: whether there is more to exchange.
  /// - Throws: `TargetError`, `FileFailure` if the disk is full, `CancellationError`.
  mutating func exchange(_ progress: Progress) async throws -> Bool {
    let now = services.now().milliseconds
    let (rows, generation, fetchesAll) = (rows, space.generation, services.settings().sync.fetchesAllFiles)
    let (unsent, missing) = try await services.library.read(as: caller) { snapshot in
      (
        try rows.unsent(generation: generation, at: now, in: snapshot.db),
        fetchesAll ? try rows.missing(in: snapshot.db) : []
      )
    }
    let attempts = services.sync.fetchAttempts
    let all = (unsent.map { ($0, true) } + missing.map { ($0, false) }).filter { hash, isHere in
      !tried.contains(hash) && (isHere || !attempts.isWaiting(hash, at: now))
    }
    var (moved, vain) = (0, 0)
    for (number, (hash, isHere)) in all.enumerated() {
      try Task.checkCancellation()
      guard let name = BlobHash(hash) else { continue }
      tried.insert(hash)
      progress.report(
        message: Text("progress.syncFiles", ["done": String(number), "total": String(all.count)]),
        percentage: 100 * number / all.count)
      do {
        if isHere {
          moved += try await send(name)
        } else if vain < Self.mostMissing {
          let fetched = try await services.sync.fetches.value(for: hash) { [self] _ in try await fetch(name) }
          if fetched { moved += PieceSealing.pieceBytes } else { vain += 1 }
        }
      } catch let error as TargetError where error.kind == .refused {
        // One file may be too large for a server that takes the others.
        failure = failure ?? error
      } catch let error as RPCError where error.kind == .busy || error.kind == .timedOut {
        // All workers are busy, say: what was fetched stays, and is taken by the next run.
        services.log("sync: \(hash.prefix(8)) has to wait: \(error)")
      } catch let error as FileFailure where !error.isDiskFull {
        services.log("sync: \(hash.prefix(8)) cannot be read or written: \(error.reason)")
      }
      if moved >= Self.turn { return true }
    }
    return false
  }

  // MARK: - Sending

  /// Puts the pieces of a file that do not lie there, and those that another device could not read.
  ///
  /// - Returns: the number of bytes that were put.
  private mutating func send(_ hash: BlobHash) async throws -> Int {
    let path = services.blobs.path(hash)
    var information = stat()
    guard stat(path, &information) == 0 else { throw FileFailure(path: path, errno) }
    let size = Int(information.st_size)
    let count = PieceSealing.count(ofBytes: size)
    guard count <= PieceSealing.maximumPieces else { throw FileFailure(path: path, EFBIG) }
    var sent = 0
    for index in 0..<count {
      try Task.checkCancellation()
      let name = sealing.name(of: hash, index)
      let folder = PieceSealing.folder(of: name)
      let listing = try await listing(folder)
      let report = PieceSealing.report(of: name)
      if listing[name] == PieceSealing.sealedBytes(index, ofBytes: size), listing[report] == nil { continue }
      let bytes = try await onThread { [sealing] _ in
        sealing.seal(try readPiece(index, ofFileAt: path), of: hash, index)
      }
      try await target.put(bytes, at: "\(folder)/\(name)")
      listings[folder]?[name] = bytes.count
      if listing[report] != nil { try await target.remove(at: "\(folder)/\(report)") }
      sent += bytes.count
    }
    try await noteSent(hash)
    return sent
  }

  /// Notes that all pieces of a file lie at the target.
  private func noteSent(_ hash: BlobHash) async throws {
    let (generation, now) = (space.generation, services.now().milliseconds)
    try await services.library.write(as: caller, label: Self.label) { transaction in
      transaction.keepSilent()
      try transaction.db.run(
        """
        INSERT INTO syncSent (hash, generation, checkedAt) VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET generation = ?2, checkedAt = ?3
        """, [.text(hash.text), .integer(Int64(generation)), .integer(now)])
    }
  }

  private mutating func listing(_ folder: String) async throws -> [String: Int] {
    if let known = listings[folder] { return known }
    let files = try await target.files(in: folder)
    let listing = Dictionary(files.map { ($0.name, $0.size) }, uniquingKeysWith: { $1 })
    listings[folder] = listing
    return listing
  }

  // MARK: - Fetching

  /// Fetches a file, and hands it to the feature whose items refer to it.
  ///
  /// - Returns: false if not all of its pieces lie there yet.
  func fetch(_ hash: BlobHash) async throws -> Bool {
    let file = PieceFile(of: hash, in: services.folder)
    var index = try await onThread { _ in try file.pieces() }
    while true {
      try Task.checkCancellation()
      guard index < PieceSealing.maximumPieces else { return false }
      let name = sealing.name(of: hash, index)
      guard
        let bytes = try await target.file(
          "\(PieceSealing.folder(of: name))/\(name)", limit: PieceSealing.maximumBytes)
      else { return false }
      let place = index
      let content: [UInt8]
      do throws(LogFileError) {
        content = try sealing.open(bytes, of: hash, place)
      } catch {
        if error == .damaged { try await noteDamage(hash, name) }
        return false
      }
      try await onThread { _ in try file.write(content, place) }
      let count = content.count
      if count < PieceSealing.pieceBytes { break }
      index += 1
    }
    let isWhole = try await onThread { _ in try Blobs.hash(path: file.path).hash == hash.text }
    guard isWhole else {
      file.remove()
      try await noteDamage(hash, nil)
      return false
    }
    services.sync.fetchAttempts.noteSuccess(hash.text)
    try await take(file, hash)
    try await noteSent(hash)
    return true
  }

  /// Notes that a piece cannot be read, and reports it at the target if it cannot be read for hours: whoever has the file
  /// sees that within a week, and overwrites the piece. It is not removed: it may be damaged for this device alone.
  private func noteDamage(_ hash: BlobHash, _ name: String?) async throws {
    guard services.sync.fetchAttempts.noteFailure(hash.text, at: services.now().milliseconds), let name else { return }
    do {
      try await target.put(SealedFile.magic, at: "\(PieceSealing.folder(of: name))/\(PieceSealing.report(of: name))")
    } catch let error as TargetError where error.kind == .full || error.kind == .refused {
      // Without the report, all else goes on.
      services.log("sync: the damage of \(hash.text.prefix(8)) cannot be reported: \(RPCError(error))")
    }
  }

  private func take(_ file: PieceFile, _ hash: BlobHash) async throws {
    let fetched = FetchedFile(path: file.path, hash: hash.text)
    for importFile in services.library.fileImporters where try await importFile(fetched, services) { return }
    let (blobs, rows) = (services.blobs, rows)
    let blob = try await onThread { _ in try blobs.adopt(file: file.path) }
    try await services.library.write(as: caller, label: Self.label) { transaction in
      transaction.keepSilent()
      // Without an item that refers to it, the file is swept.
      if try rows.report(blob.hash, in: transaction) { try transaction.keep(blob) }
    }
  }
}
