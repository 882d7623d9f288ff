import Kit
import PDF
import Store
import Wire

/// Where the bytes of a document being added stay.
extension Incoming {
  /// Notes the bytes: those in the library's folder, or the file that they stay in.
  func keepBytes(in transaction: Transaction) throws {
    guard let link else { return try transaction.keep(blob) }
    try link.keep(as: blob.hash, in: transaction.db)
  }

  /// A document that is linked, or whose bytes only other devices have, is added again: linked, it is at its new place;
  /// otherwise the library has its bytes from now on.
  func moveBytes(of document: DocumentRecord, in transaction: Transaction) throws {
    let isLinked = try LinkedFile.find(document.hash, in: transaction.db) != nil
    guard try isLinked || BlobsElsewhere.contains(document.hash, in: transaction.db) else { return }
    try keepBytes(in: transaction)
    try DocumentRecord.reportFile(document.hash, in: transaction)
  }

  /// The bytes for a worker before they are the document's.
  ///
  /// - Throws: `busy` if the linked file has changed since.
  func source(with services: Services) async throws -> DocumentSource {
    guard let link else { return try await services.source(of: blob.hash, password: password) }
    guard let opened = try await onThread({ _ in try? LinkedBytes.Opened(link.path) }),
      opened.signature == link.signature
    else { throw RPCError(.busy, text: Text("documents.linkWritten", ["path": link.path])) }
    return DocumentSource(key: blob.hash, path: opened.path, password: password, file: opened.file)
  }
}
