import Kit
import PDF
import Store
import Wire

/// The file of documents that another device has added: their rows were received before it.
enum FetchedDocument {
  static func take(_ file: FetchedFile, with services: Services) async throws -> Bool {
    let waiting = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      try DocumentRecord.all(with: file.hash, in: snapshot)
    }
    guard let document = waiting.first else { return false }
    let received = ReceivedFile(fetched: file.path)
    do {
      let incoming = try await Incoming.inspect(
        received, source: .temporary(path: document.title), password: nil, readsAhead: false, with: services)
      try await services.library.write(as: FeatureCaller.daemon(services), label: label) { try incoming.arrive(in: $0) }
    } catch let error as RPCError where error.isOfFile {
      // The bytes are those of the other device, so they are stored all the same: with its password, or by a later
      // version, they may be readable.
      let blobs = services.blobs
      let blob = try await onThread { _ in try blobs.adopt(file: file.path) }
      try await services.library.write(as: FeatureCaller.daemon(services), label: label) { transaction in
        try transaction.keep(blob)
        try DocumentRecord.reportFile(blob.hash, in: transaction)
      }
    }
    return true
  }

  private static let label = "documents/receive"
}

extension RPCError {
  /// Whether the file cannot be read, as opposed to: not now.
  fileprivate var isOfFile: Bool {
    switch kind {
    case .corrupt, .notPDF, .passwordRequired, .tooLarge, .workerCrashed: true
    default: false
    }
  }
}

extension Incoming {
  /// Stores the file of documents whose rows are there already.
  func arrive(in transaction: Transaction) throws {
    let documents = try DocumentRecord.all(with: blob.hash, in: transaction.snapshot)
    let keepsText = documents.allSatisfy(\.keepsText)
    try keepBytes(in: transaction)
    try writePDF(in: transaction, keepsText: keepsText)
    if !keepsText { transaction.services.documents.store(texts, of: blob.hash) }
    for document in documents {
      try DocumentBytes.note(blob.hash, of: document.id, validators: validators, in: transaction)
      transaction.reindex(collection: DocumentRecord.collectionName, id: document.id)
    }
    try DocumentRecord.reportFile(blob.hash, in: transaction)
    indexRest(keepsText: keepsText, in: transaction)
  }
}

extension DocumentRecord {
  /// Reports the documents with a file whose state has changed.
  static func reportFile(_ hash: String, in transaction: Transaction) throws {
    for document in try all(with: hash, in: transaction.snapshot) {
      transaction.touch(
        collection: collectionName, id: document.id, revision: document.revision, fields: ["state"])
    }
  }

  /// Whether its file was never opened here: it was received without it.
  func lacksPages(in snapshot: Snapshot) throws -> Bool {
    try snapshot.db.first("SELECT 1 FROM pdf WHERE hash = ?", [.text(hash)]) { _ in true } == nil
  }

  /// Requires the document to be no reference without a file.
  ///
  /// - Throws: `noFile`.
  func requireAnyFile() throws(RPCError) {
    guard !hasFile else { return }
    throw RPCError(.noFile, text: Text("documents.noFile", ["title": title, "id": id]))
  }

  /// Requires the document's file to be here.
  ///
  /// - Parameter isFetching: whether a file that only another device has is fetched.
  /// - Throws: `noFile`, `elsewhere`; `passwordRequired` or `corrupt` for a file of another device that could not be
  ///   opened.
  func requireFile(in snapshot: Snapshot, fetching isFetching: Bool = true) throws {
    try requireAnyFile()
    try snapshot.requireFile(hash, text: Text("documents.elsewhere", ["title": title]), fetching: isFetching)
    guard try lacksPages(in: snapshot) else { return }
    let problem = isProtected ? "documents.receivedProtected" : "documents.receivedUnread"
    throw RPCError(isProtected ? .passwordRequired : .corrupt, text: Text(problem, ["title": title]))
  }
}
