import PDF
import Store
import Wire

extension RefreshDocument {
  static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    let document = try snapshot.get(DocumentRecord.self, id: plan.document.id)
    try transaction.require(document, at: plan.ifRevision)
    guard case .changed(let incoming, let reanchoring) = fetched, incoming.blob.hash != document.hash else {
      return Result(document: try Document(document, in: snapshot), refreshed: false, counts: MarkCounts([]), marks: [])
    }
    // Its marks were placed relative to other bytes than it has now.
    if !sameBytes(document.hash, plan.document.hash) { try transaction.require(document, at: plan.document.revision) }
    try refuseBytesOfAnother(incoming, than: document, in: snapshot)
    let changed = try incoming.replaceBytes(of: document, source: plan.source, in: transaction)
    let marks = try MarkPlacer(into: changed, by: reanchoring, in: transaction)
      .place(DocumentMarks(of: document.id, in: snapshot))
    return Result(
      document: try Document(changed, in: snapshot), refreshed: true, counts: MarkCounts(marks), marks: marks)
  }

  /// Bytes that another document has, or once had, belong to that document.
  private static func refuseBytesOfAnother(
    _ incoming: Incoming, than document: DocumentRecord, in snapshot: Snapshot
  ) throws {
    guard let other = try DocumentRecord.holding(incoming.blob.hash, except: document.id, in: snapshot) else { return }
    throw RPCError(
      .exists, text: Text("documents.bytesTaken", ["title": other.title]), data: ["document": .string(other.id)])
  }
}

extension Incoming {
  /// Pages whose text is written in the commit itself. The text of further pages is written after it, so that other
  /// writes get through.
  private static let mostPagesAtOnce = 240

  /// Gives a document these bytes: all of its rows except the marks.
  func replaceBytes(
    of document: DocumentRecord, source: GivenSource, in transaction: Transaction
  ) throws -> DocumentRecord {
    let services = transaction.services
    try keepBytes(in: transaction)
    // A newly protected file must not be stored on disk as plain text without permission.
    let keepsText = !isProtected || (document.isProtected && document.keepsText)
    var now = self
    if keepsText, texts.count > Self.mostPagesAtOnce { now.texts = Array(texts.prefix(Self.firstPages)) }
    try now.writePDF(in: transaction, keepsText: keepsText)
    if !keepsText { services.documents.store(texts, of: blob.hash) }
    if let password { services.documents.unlock(blob.hash, with: password) }
    try DocumentBytes.note(blob.hash, of: document.id, validators: validators, in: transaction)
    let document = try document.addingOrigin(of: source, in: transaction)
    let changed = try transaction.change(document) { record in
      record.hash = blob.hash
      record.size = blob.size
      record.pageCount = info.pages.count
      record.isProtected = isProtected
      record.keepsText = keepsText
      if record.author == nil, keepsText { record.author = info.author.flatMap(DocumentRecord.line) }
    }
    try changed.followBytes(in: transaction)
    if now.texts.count < texts.count {
      keepLater(Array(texts.dropFirst(now.texts.count)), in: transaction)
    } else {
      indexRest(keepsText: keepsText, in: transaction)
    }
    transaction.afterCommit { Task { await services.workers.forget(document.hash) } }
    return try transaction.snapshot.get(DocumentRecord.self, id: changed.id)
  }

  /// Writes the text of the other pages after the commit. The indexer completes whatever is not written.
  private func keepLater(_ texts: [PageText], in transaction: Transaction) {
    let services = transaction.services
    transaction.afterCommit {
      Task {
        for start in stride(from: 0, to: texts.count, by: Self.firstPages) {
          let part = Array(texts[start..<min(start + Self.firstPages, texts.count)])
          try? await services.library.write(as: DaemonCaller(), label: "documents/index") { transaction in
            try Indexer.keep(part, of: blob.hash, in: transaction)
          }
        }
        services.indexer.index(blob.hash, telling: true, with: services)
      }
    }
  }
}

extension DocumentRecord {
  /// Updates the document's data that depend on its bytes and have no column: the search index of its pages, and the
  /// reading position, which must be on an existing page. Also called when an undo has restored other bytes.
  func followBytes(in transaction: Transaction) throws {
    transaction.reindex(collection: Self.collectionName, id: id)
    guard page >= pageCount else { return }
    try transaction.db.run(
      "UPDATE document SET page = ?, y = 0 WHERE id = ?", [.integer(max(0, pageCount - 1)), .text(id)])
    transaction.touch(collection: Self.collectionName, id: id, revision: revision, fields: ["position"])
  }

  static let restored = ItemCollection.Restored(["hash"]) { id, transaction in
    try transaction.snapshot.find(DocumentRecord.self, id: id)?.followBytes(in: transaction)
  }
}

extension Mark {
  /// A page has one bookmark and one memo. An undo that would give it a second is a conflict: one of them would be
  /// lost. Marks that two devices have moved to one page both stay.
  static var restored: ItemCollection.Restored {
    ItemCollection.Restored(["document", "page", "state"]) { id, transaction in
      guard !transaction.caller.connectionID.isEmpty, let mark = try transaction.snapshot.find(Self.self, id: id),
        !mark.isOrphan
      else { return }
      let others = try all(of: mark.document, page: mark.page, in: transaction.snapshot)
      guard let other = others.first(where: { $0.id != mark.id }) else { return }
      throw try transaction.undoConflict(collection: collectionName, id: other.id)
    }
  }
}
