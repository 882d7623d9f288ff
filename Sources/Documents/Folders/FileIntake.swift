import Kit
import PDF
import Store
import Wire

/// Adds files in their order and records the outcome of each. A file that cannot be added does not prevent the
/// others.
///
/// Some files at a time are one commit, so that a folder of thousands is not in memory at once and other writes do
/// not wait. When the daemon is killed, the committed files stay.
struct FileIntake: Sendable {
  typealias Outcome = AddedFile.Outcome

  struct Entry: Sendable {
    var path: String
    var signature: String?
    var outcome: Outcome
    var document: String?
    var title: String?
    var error: RPCError?

    init(_ problem: FoundFiles.Problem) {
      (path, outcome, error) = (problem.path, .refused, problem.error)
    }

    init(_ file: FoundFiles.File, refused error: RPCError) {
      (path, signature, outcome, self.error) = (file.path, file.signature, .refused, error)
    }

    /// Whether the file will be refused until it changes: others may be added when the disk has room or a worker is
    /// free.
    var isFinal: Bool {
      [.notPDF, .corrupt, .passwordRequired, .tooLarge].contains { $0 == error?.kind }
    }

    fileprivate init(_ file: FoundFiles.File, _ outcome: Outcome, _ document: DocumentRecord) {
      (path, signature, self.outcome) = (file.path, file.signature, outcome)
      (self.document, title) = (document.id, document.title)
    }
  }

  /// The data read from a file, before its rows are written.
  enum Arrived: Sendable {
    /// A document has these bytes.
    case existing(FoundFiles.File, document: String, hash: String)
    case new(FoundFiles.File, Incoming)

    fileprivate var file: FoundFiles.File {
      switch self {
      case .existing(let file, _, _), .new(let file, _): file
      }
    }

    fileprivate var pages: Int {
      switch self {
      case .existing: 1
      case .new(_, let incoming): incoming.texts.count
      }
    }
  }

  /// Files of one commit, and pages whose text is written in it.
  private static let batch = (files: 20, pages: 240)
  /// Files that are read at once, each by a worker. One worker fewer than there are: clients wait for others.
  private static let mostReading = 2

  let caller: any Caller
  let tags: [String]
  /// Whether the bytes stay in the files.
  var links = false
  let label: String
  let services: Services
  /// Called in each write with its entries.
  var note: @Sendable ([Entry], Transaction) throws -> Void = { _, _ in }

  /// Adds all files but the last few, which the caller writes with its own rows. When a commit fails, as on a full disk,
  /// its files and those after it are refused.
  ///
  /// - Throws: `CancellationError`, `shuttingDown`. Committed files stay.
  func add(
    _ files: [FoundFiles.File], progress: Progress
  ) async throws -> (entries: [Entry], rest: [Arrived]) {
    var entries: [Entry] = []
    var arrived: [Arrived] = []
    try await withThrowingTaskGroup(of: Reading.self) { group in
      var started = 0
      var ahead: [Int: Result<Arrived, any Error>] = [:]
      for (number, file) in files.enumerated() {
        try Task.checkCancellation()
        progress.report(
          message: Text(
            "progress.addingFiles",
            ["done": String(number + 1), "total": String(files.count), "name": Self.name(of: file.path)]),
          percentage: number * 100 / files.count)
        for next in started..<min(number + Self.mostReading, files.count) {
          group.addTask { await reading(files[next], number: next) }
          started = next + 1
        }
        while ahead[number] == nil, let reading = try await group.next() { ahead[reading.number] = reading.result }
        guard let result = ahead.removeValue(forKey: number) else { break }
        do {
          arrived.append(try result.get())
        } catch let error as RPCError where !error.isOfEnd && error != .cancelled {
          entries.append(Entry(file, refused: error))
        }
        let pages = arrived.reduce(0) { $0 + $1.pages }
        if arrived.count >= Self.batch.files || pages >= Self.batch.pages {
          let written = try await writeOrRefuse(arrived)
          entries += written.entries
          arrived = []
          if let failure = written.failure {
            entries += files[(number + 1)...].map { Entry($0, refused: failure) }
            group.cancelAll()
            break
          }
        }
      }
    }
    return (entries, arrived)
  }

  /// Of a whole path a line of progress would show only the folders.
  private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The outcome of reading the file with this number.
  private struct Reading: Sendable {
    var number: Int
    var result: Result<Arrived, any Error>
  }

  private func reading(_ file: FoundFiles.File, number: Int) async -> Reading {
    do {
      return Reading(number: number, result: .success(try await read(file)))
    } catch {
      return Reading(number: number, result: .failure(error))
    }
  }

  /// Copies and inspects a file. A file whose bytes already belong to a document is only hashed.
  private func read(_ file: FoundFiles.File) async throws -> Arrived {
    let hash: String
    do {
      hash = try await onThread { [links] _ in
        try GivenFile(named: file.path, limit: ReceivedFile.limit, followingLinks: !links).hash()
      }
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
    let existing = try await services.library.read(as: caller) { snapshot in
      try DocumentRecord.holding(hash, in: snapshot).flatMap { $0.hasFile ? $0.id : nil }
    }
    if let existing { return .existing(file, document: existing, hash: hash) }
    let incoming = try await Incoming.takeIfChanged(
      source(of: file), since: nil, password: nil, readsAhead: false, with: services, progress: .none)
    guard let incoming else { throw RPCError.internalError }
    // A linked file is known to others once its rows are written.
    if incoming.link == nil { await services.thumbnails.prepare(incoming, with: services) }
    return .new(file, incoming)
  }

  private func source(of file: FoundFiles.File) -> GivenSource {
    links ? .linked(path: file.path, url: nil) : .file(path: file.path, url: nil)
  }

  /// Writes files in a commit of their own. If it fails, they are refused.
  ///
  /// - Throws: `CancellationError`, `shuttingDown`.
  func writeOrRefuse(_ arrived: [Arrived]) async throws -> (entries: [Entry], failure: RPCError?) {
    do {
      return (try await write(arrived), nil)
    } catch let error as RPCError where !error.isOfEnd && error != .cancelled {
      return (arrived.map { Entry($0.file, refused: error) }, error)
    }
  }

  private func write(_ arrived: [Arrived]) async throws -> [Entry] {
    guard !arrived.isEmpty else { return [] }
    return try await services.library.write(
      as: caller, label: label, returning: { try write(arrived, in: $0) })
  }

  func write(_ arrived: [Arrived], in transaction: Transaction) throws -> [Entry] {
    let entries = try arrived.map { arrived in
      do {
        return try transaction.attempt { try write(arrived, in: transaction) }
      } catch let error as RPCError where !error.isOfEnd && error != .cancelled && transaction.db.isInsideTransaction {
        return Entry(arrived.file, refused: error)
      }
    }
    try note(entries, transaction)
    return entries
  }

  private func write(_ arrived: Arrived, in transaction: Transaction) throws -> Entry {
    let (file, snapshot) = (arrived.file, transaction.snapshot)
    let source = source(of: file)
    switch arrived {
    case .existing(_, let id, let hash):
      guard let record = try snapshot.find(DocumentRecord.self, id: id) else {
        return Entry(file, refused: .notFound(DocumentRecord.collectionName, id: id))
      }
      if links, sameBytes(record.hash, hash), try LinkedFile.find(hash, in: transaction.db) != nil {
        try LinkedFile(path: file.path, signature: file.signature).keep(as: hash, in: transaction.db)
        try DocumentRecord.reportFile(hash, in: transaction)
      }
      return Entry(file, .existing, try noting(source, of: record, in: transaction))
    case .new(_, let incoming):
      if let record = try incoming.attach(from: source, in: transaction) { return Entry(file, .added, record) }
      // Two files of one batch may have the same bytes.
      if let record = try DocumentRecord.holding(incoming.blob.hash, in: snapshot) {
        return Entry(file, .existing, try noting(source, of: record, in: transaction))
      }
      let plan = AddDocument.Plan(
        source: source, title: nil, tags: tags, password: nil, credential: nil, keepsText: false, detach: false,
        id: services.newID(), job: "", caller: snapshot.feature, known: nil)
      return Entry(file, .added, try incoming.write(as: plan, in: transaction))
    }
  }

  /// Adds the file to the origins. The first origin states what created the document, so the daemon itself adds none to
  /// a document that was given as bytes.
  private func noting(
    _ source: GivenSource, of record: DocumentRecord, in transaction: Transaction
  ) throws -> DocumentRecord {
    if caller.connectionID.isEmpty, JSONList.strings(record.origins).isEmpty { return record }
    return try record.addingOrigin(of: source, in: transaction)
  }
}

extension GivenFile {
  /// The SHA-256 of its bytes.
  fileprivate func hash() throws -> String { try Blobs.hash(descriptor: descriptor, path: path).hash }
}
