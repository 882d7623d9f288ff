import Contract
import Kit
import SQLite
import Store
import Wire

/// The version of a text that a client edits: a save is compared with it, not with the library.
struct TextBase: Codable, Sendable {
  var path: String
  var clock: Int64
  /// A base of another history of the library is void.
  var epoch: String
  var isReadOnly: Bool
  /// Whether all of the text is in the library. A file of which a part could not be saved is not written anew.
  var isWhole = true
  var text: String
  @PackedItems var items: [TextItem]
  /// The library's text up to which changes of others are in the client's, if it is not `text`.
  var shown: String?
  /// The items that live edits have brought since the client opened or saved the text: one that is missing may have
  /// been taken back with the client's own undo, which is no removal.
  var arrived: [String]?
  /// The items with a conflict. Each has the version from which the client's lines were written until it is settled,
  /// whatever else others change.
  var disputed: [String]?

  init(_ path: TextPath, _ rendered: RenderedText, in snapshot: Snapshot) {
    self.init(path, text: rendered.text, items: rendered.items, isReadOnly: rendered.isReadOnly, in: snapshot)
  }

  init(_ path: TextPath, text: String, items: [TextItem], isReadOnly: Bool = false, in snapshot: Snapshot) {
    (self.path, self.text, self.items, self.isReadOnly) = (path.text, text, items, isReadOnly)
    (clock, epoch) = (snapshot.clock, snapshot.services.library.identity.epoch)
  }

  /// Whether the client's text lacks an item that a live edit has brought: it is brought again.
  var lacksArrived: Bool {
    guard let arrived, !arrived.isEmpty else { return false }
    return items.contains { $0.lineCount == 0 && arrived.contains($0.id) }
  }

  /// The SHA-256 of the file, if it is not that of the text, as with a byte order mark.
  var fileHash: String?
  var hash: String { fileHash ?? Blobs.hash(of: Array(text.utf8)) }

  /// A name that is the same for the same version, whenever it is read.
  var name: String {
    get throws {
      var version = self
      version.clock = 0
      return String(Blobs.hash(of: Array(try StoredJSON(version).json.utf8)).prefix(32))
    }
  }
}

/// The bases of the clients, in the library: an editor may save after the daemon was restarted.
enum TextBases {
  /// The most bases of texts that are no files.
  private static let most = 300
  private static let mostBytes = 64 << 20

  /// The name of the base of a file.
  static func name(ofFile path: TextPath) -> String { "file:" + path.text }

  /// The name of the base that the file had before.
  private static func name(ofPrior path: TextPath) -> String { "prior:" + path.text }

  /// The name of the base of a client that has the file open: another one may save it meanwhile.
  private static func name(ofFile path: TextPath, openIn connection: String) -> String {
    "open:\(connection):\(path.text)"
  }

  /// Stores the version that a file has now, and the one that it had, which an editor may just have read.
  ///
  /// - Throws: `DatabaseError`.
  static func keep(_ base: TextBase, ofFile path: TextPath, in transaction: Transaction) throws {
    if let prior = try find(name(ofFile: path), in: transaction.snapshot), prior.hash != base.hash {
      try keep(prior, as: name(ofPrior: path), isFile: false, in: transaction)
    }
    try keep(base, as: name(ofFile: path), isFile: true, in: transaction)
  }

  /// A client has opened a file: what it saves is compared with the version that it has.
  ///
  /// - Throws: `DatabaseError`.
  static func open(_ path: TextPath, hash: String, by connection: String, in transaction: Transaction) throws {
    let known = try [name(ofFile: path), name(ofPrior: path)].compactMap { try find($0, in: transaction.snapshot) }
    // Any other text was written by another program into the newest version.
    guard let base = known.first(where: { $0.hash == hash }) ?? known.first else { return transaction.keepSilent() }
    try keep(base, as: name(ofFile: path, openIn: connection), isFile: false, in: transaction)
  }

  /// The version that a client has open.
  ///
  /// - Throws: `DatabaseError`.
  static func find(_ path: TextPath, openIn connection: String, in snapshot: Snapshot) throws -> TextBase? {
    try find(name(ofFile: path, openIn: connection), in: snapshot)
  }

  /// Changes of others have arrived in a client's text, unless it was saved meanwhile.
  ///
  /// - Throws: `DatabaseError`.
  static func advance(
    _ path: TextPath, openIn connection: String, from version: String, to next: TextBase, in transaction: Transaction
  ) throws {
    transaction.keepSilent()
    guard let base = try find(path, openIn: connection, in: transaction.snapshot), try base.name == version else {
      return
    }
    try keep(next, as: name(ofFile: path, openIn: connection), isFile: false, in: transaction)
  }

  /// A client has closed a file. If it has not saved it, the version that its draft was written from stays.
  ///
  /// - Throws: `DatabaseError`.
  static func close(_ path: TextPath, by connection: String, in transaction: Transaction) throws {
    let isDraft = try DraftTable.texts.find(path.text, of: connection, in: transaction.db) != nil
    if isDraft, let base = try find(path, openIn: connection, in: transaction.snapshot) {
      try keep(base, as: name(ofDraft: path, of: connection), isFile: false, in: transaction)
    }
    try forget(name(ofFile: path, openIn: connection), in: transaction)
  }

  /// The version from which the draft of a closed text was written.
  ///
  /// - Throws: `DatabaseError`.
  static func find(ofDraft draft: StoredDraft, at path: TextPath, in snapshot: Snapshot) throws -> TextBase? {
    // A client that was there when the daemon ended has closed nothing.
    try find(name(ofDraft: path, of: draft.connection), in: snapshot)
      ?? find(path, openIn: draft.connection, in: snapshot)
  }

  private static func name(ofDraft path: TextPath, of connection: String) -> String {
    "draft:\(connection):\(path.text)"
  }

  /// The version of a file that a client edits.
  ///
  /// - Returns: nil if it is lost.
  /// - Throws: `DatabaseError`.
  static func find(ofFile path: TextPath, for caller: any Caller, in snapshot: Snapshot) throws -> TextBase? {
    try find(name(ofFile: path, openIn: caller.connectionID), in: snapshot) ?? find(name(ofFile: path), in: snapshot)
  }

  /// Stores what a client has saved as a file.
  ///
  /// - Throws: `DatabaseError`.
  static func keep(_ base: TextBase, savedTo path: TextPath, in transaction: Transaction) throws {
    let open = name(ofFile: path, openIn: transaction.caller.connectionID)
    if try find(open, in: transaction.snapshot) != nil { try keep(base, as: open, isFile: false, in: transaction) }
    try keep(base, ofFile: path, in: transaction)
  }

  /// - Returns: nil for an unknown name, and for a base of another history of the library.
  /// - Throws: `DatabaseError`.
  static func find(_ name: String, in snapshot: Snapshot) throws -> TextBase? {
    let json = try snapshot.db.first("SELECT base FROM textBase WHERE name = ?", [.text(name)]) { $0.text(0) }
    guard let json, let base = try? StoredJSON<TextBase>(stored: json).value(),
      sameBytes(base.epoch, snapshot.services.library.identity.epoch)
    else { return nil }
    return base
  }

  static func keep(_ base: TextBase, as name: String, isFile: Bool, in transaction: Transaction) throws {
    try keep(StoredJSON(base).json, of: base.path, hash: base.hash, as: name, isFile: isFile, in: transaction)
  }

  static func keep(
    _ json: String, of path: String, hash: String, as name: String, isFile: Bool, in transaction: Transaction
  ) throws {
    transaction.keepSilent()
    try transaction.db.run(
      "INSERT OR REPLACE INTO textBase (name, path, isLaid, usedAt, size, hash, base) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(name), .text(path), .bool(isFile), .integer(transaction.now.milliseconds), .integer(json.utf8.count),
        .text(hash), .text(json),
      ])
    if isFile { return }
    try transaction.db.run(
      """
      DELETE FROM textBase WHERE name IN (
        SELECT name FROM (
          SELECT name, row_number() OVER newest AS number, sum(size) OVER newest AS total
          FROM textBase WHERE isLaid = 0 WINDOW newest AS (ORDER BY usedAt DESC, name))
        WHERE number > ? OR number > 1 AND total > ?)
      """, [.integer(most), .integer(mostBytes)])
  }

  static func forget(_ name: String, in transaction: Transaction) throws {
    transaction.keepSilent()
    try transaction.db.run("DELETE FROM textBase WHERE name = ?", [.text(name)])
  }
}
