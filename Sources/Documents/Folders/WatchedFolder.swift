import Contract
import Kit
import SQLite
import Store
import Wire

/// A row of a folder whose PDFs are documents of the library. It belongs to no collection: a path is valid on this
/// machine only.
struct WatchedFolder: Sendable, Equatable {
  var path: String
  var isRecursive: Bool
  var patterns: [String]
  /// The tags of documents that are added from it.
  var tags: [String]
  /// The epoch of the library in which the user added the folder. A copy of the library has another epoch, and must
  /// not read files of a machine where the user has not added the folder.
  var epoch: String
  /// The confinement of the client that watches the folder; nil for a client without one.
  var confinement: FileConfinement?

  static let most = 100

  /// `watchedFile` has the files of each folder that are documents, including vanished ones.
  static let tables = """
    CREATE TABLE watchedFolder (
      path TEXT PRIMARY KEY, recursive INTEGER NOT NULL, patterns TEXT NOT NULL, tags TEXT NOT NULL,
      epoch TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE watchedFile (
      folder TEXT NOT NULL, path TEXT NOT NULL, signature TEXT NOT NULL, document TEXT NOT NULL,
      isMissing INTEGER NOT NULL, PRIMARY KEY (folder, path)) WITHOUT ROWID;
    """

  static let confinements = "ALTER TABLE watchedFolder ADD COLUMN confinement TEXT;"

  static func all(in db: Database) throws -> [WatchedFolder] {
    var all: [WatchedFolder] = []
    try db.each(
      "SELECT path, recursive, patterns, tags, epoch, confinement FROM watchedFolder ORDER BY path LIMIT \(most)"
    ) { row in
      all.append(
        WatchedFolder(
          path: row.text(0), isRecursive: row.bool(1), patterns: JSONList.strings(row.text(2)),
          tags: JSONList.strings(row.text(3)), epoch: row.text(4),
          confinement: row.isNull(5) ? nil : FileConfinement(json: row.text(5))))
    }
    return all
  }

  static func find(_ path: String, in db: Database) throws -> WatchedFolder? {
    try all(in: db).first { sameBytes($0.path, path) }
  }

  /// Writes the row. Other patterns select other files than the folder's rows record.
  ///
  /// - Throws: `tooLarge` if the most folders are watched already; `notAllowed` if it is confined, and the folder is
  ///   watched for another client.
  func write(in transaction: Transaction) throws {
    let db = transaction.db
    transaction.changeSetting()
    let known = try Self.find(path, in: db)
    if let known { try FileConfinement.requireOwn(path, madeBy: known.confinement, for: confinement) }
    if known == nil, try Self.all(in: db).count >= Self.most {
      throw RPCError(.tooLarge, text: Text("documents.tooManyFolders", ["limit": String(Self.most)]))
    }
    if let known, known.isRecursive != isRecursive || known.patterns != patterns {
      try db.run("DELETE FROM watchedFile WHERE folder = ?", [.text(path)])
    }
    try db.run(
      """
      INSERT OR REPLACE INTO watchedFolder (path, recursive, patterns, tags, epoch, confinement)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(path), .integer(isRecursive ? 1 : 0), .text(JSONList.json(patterns)), .text(JSONList.json(tags)),
        .text(epoch), confinement.map { .text($0.json) } ?? .null,
      ])
  }

  /// Stops a scan whose folder is not watched any more, or with other options.
  ///
  /// - Throws: `cancelled`.
  func requireRow(in transaction: Transaction) throws {
    guard try Self.find(path, in: transaction.db) == self else { throw RPCError.cancelled }
  }

  /// - Returns: whether there was such a folder.
  /// - Throws: `notAllowed` to a confined client if the folder is watched for another one.
  static func remove(_ path: String, in transaction: Transaction) throws -> Bool {
    guard let known = try find(path, in: transaction.db) else { return false }
    try FileConfinement.requireOwn(
      path, madeBy: known.confinement, for: transaction.snapshot.feature.confinement)
    transaction.changeSetting()
    try transaction.db.run("DELETE FROM watchedFolder WHERE path = ?", [.text(path)])
    try transaction.db.run("DELETE FROM watchedFile WHERE folder = ?", [.text(path)])
    return true
  }
}

/// A file of a watched folder that is a document.
struct WatchedFile: Sendable {
  var signature: String
  var document: String
  var isMissing: Bool

  static func all(in folder: String, db: Database) throws -> [PathKey: WatchedFile] {
    var all: [PathKey: WatchedFile] = [:]
    try db.each(
      "SELECT path, signature, document, isMissing FROM watchedFile WHERE folder = ?", [.text(folder)]
    ) { row in
      all[PathKey(row.text(0))] = WatchedFile(signature: row.text(1), document: row.text(2), isMissing: row.bool(3))
    }
    return all
  }

  static func write(_ files: [PathKey: WatchedFile], in folder: String, transaction: Transaction) throws {
    transaction.keepSilent()
    for (path, file) in files {
      try transaction.db.run(
        "INSERT OR REPLACE INTO watchedFile (folder, path, signature, document, isMissing) VALUES (?, ?, ?, ?, ?)",
        [
          .text(folder), .text(path.path), .text(file.signature), .text(file.document),
          .integer(file.isMissing ? 1 : 0),
        ])
    }
    // A file that was renamed is not missing.
    try transaction.db.run(
      """
      DELETE FROM watchedFile WHERE folder = ?1 AND isMissing
        AND document IN (SELECT document FROM watchedFile WHERE folder = ?1 AND NOT isMissing)
      """, [.text(folder)])
  }
}
