import Contract
import Kit
import PDF
import SQLite
import Store
import Wire

/// The contents that a worker reads from a file, stored under the file's hash in the worker's format.
///
/// A repeated request needs no worker. Contents that a password protects are not stored unless the user allowed it,
/// as with text.
enum WorkerContents: String {
  case outline, links, metadata, attachments

  static let table = """
    CREATE TABLE pdfSaid (
      hash TEXT NOT NULL, part TEXT NOT NULL, page INTEGER NOT NULL, form INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (hash, part, page)) WITHOUT ROWID;

    """

  /// Returns only bytes in the format of this version; another version's are requested from a worker again.
  func find(page: Int = 0, of hash: String, in db: Database) throws -> [UInt8]? {
    try db.first(
      "SELECT bytes FROM pdfSaid WHERE hash = ? AND part = ? AND page = ? AND form = ?",
      [.text(hash), .text(rawValue), .integer(page), .integer(Int64(WorkerRequest.version))]
    ) { row in [UInt8](row.bytes(0)) }
  }

  static func forget(_ hash: String, in db: Database) throws {
    try db.run("DELETE FROM pdfSaid WHERE hash = ?", [.text(hash)])
  }

  fileprivate func write(_ bytes: [UInt8], page: Int, of hash: String, in db: Database) throws {
    try db.run("INSERT OR REPLACE INTO pdfSaid (hash, part, page, form, bytes) VALUES (?, ?, ?, ?, ?)") {
      $0.add(hash)
      $0.add(rawValue)
      $0.add(page)
      $0.add(Int64(WorkerRequest.version))
      $0.add(bytes)
    }
  }
}

/// A request for a file's contents: answered from the stored bytes, else by a worker.
struct ContentsPlan: Sendable {
  let part: WorkerContents
  let document: DocumentRecord
  let page: Int
  let password: Password
  private let stored: [UInt8]?

  init(_ part: WorkerContents, of id: String, page: Int = 0, password: String?, in snapshot: Snapshot) throws {
    self.part = part
    self.page = page
    document = try snapshot.get(DocumentRecord.self, id: id)
    try document.requireFile(in: snapshot)
    self.password = snapshot.password(for: document, given: password)
    stored =
      document.keepsText && self.password.isProven
      ? try part.find(page: page, of: document.hash, in: snapshot.db) : nil
  }

  /// The file, and the password that opens it.
  func source(with services: Services) async throws -> (DocumentSource, Password) {
    try await services.source(of: document, opening: password)
  }

  /// - Parameters:
  ///   - read: parses the stored bytes, as strictly as a worker's reply.
  ///   - write: encodes the value in the format that `read` parses.
  func answer<Value: Sendable>(
    with services: Services, read: ([UInt8]) throws -> Value, write: (inout ByteWriter, Value) -> Void,
    ask: (WorkerPool, DocumentSource) async throws -> Value
  ) async throws -> Value {
    if let stored, let value = try? read(stored) { return value }
    let (source, password) = try await source(with: services)
    let value: Value
    do {
      value = try await ask(services.workers, source)
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: document.title)
    }
    services.unlock(document, with: password)
    guard document.keepsText else { return value }
    var writer = ByteWriter()
    write(&writer, value)
    let bytes = writer.bytes
    let (part, page, hash) = (part, page, document.hash)
    do {
      try await services.library.write(as: DaemonCaller(), label: "documents/keep") { transaction in
        transaction.keepSilent()
        // Nothing is written for bytes that were removed meanwhile, or added again without permission to store their
        // contents.
        let documents = try DocumentRecord.all(with: hash, in: transaction.snapshot)
        guard !documents.isEmpty, documents.allSatisfy(\.keepsText) else { return }
        try part.write(bytes, page: page, of: hash, in: transaction.db)
      }
    } catch {
      // The reply is complete; if it could not be stored, the next request needs a worker.
      services.log("the contents of \(hash.prefix(8)) could not be cached: \(error)", as: .warning)
    }
    return value
  }
}

/// A method that reads contents of a document as a whole.
protocol ContentsMethod: ExternalReadMethod where Params == WholeDocumentParams, Plan == ContentsPlan {
  static var part: WorkerContents { get }
}

extension ContentsMethod {
  static var effects: Effects { .reads }
  static var errors: [ErrorKind] {
    [.elsewhere, .noFile, .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt]
  }
  static var doing: Text { Text("doing.readDocument") }

  static func prepare(_ params: WholeDocumentParams, in snapshot: Snapshot) throws -> ContentsPlan {
    try ContentsPlan(part, of: params.id.text, password: params.password, in: snapshot)
  }
}

/// Parameters of requests for a document as a whole.
struct WholeDocumentParams: Payload {
  var id: DocumentID
  var password: String?
  static let example = WholeDocumentParams(id: "0192", password: nil)
  static let fields = [
    "id": "The document.", "password": "The password of a protected document; stored in memory only.",
  ]
  static let secrets: Set<String> = ["password"]
}
