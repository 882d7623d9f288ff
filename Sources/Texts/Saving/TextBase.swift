import Contract
import Kit
import SQLite
import Store
import Wire

/// The version of a text that a client edits: a save is compared with it, not with the library.
struct TextBase: Codable, Sendable {
  var path: String
  /// Beside the JSON of the others: the same version may be read at several clocks.
  var clock: Int64 = 0
  /// A base of another history of the library is void.
  var epoch: String
  var isReadOnly: Bool
  /// Whether all of the text is in the library. A file of which a part could not be saved is not written anew, and a
  /// draft with such a text stays.
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

  private enum CodingKeys: String, CodingKey {
    case path, epoch, isReadOnly, isWhole, text, items, shown, arrived, disputed, fileHash
  }

  /// Nil for JSON that no daemon writes.
  fileprivate init?(stored json: String) {
    guard let value = try? JSONParser.parse(json), var base = try? JSONDecoding.decode(Self.self, from: value) else {
      return nil
    }
    base.clock = value["clock"]?.integerValue ?? 0
    self = base
  }
}

/// A version that is encoded once: for its name, and for each row that it is stored in.
struct NamedBase: Sendable {
  let base: TextBase
  /// The same for the same version, whenever it is read.
  let name: String
  private let json: String

  /// - Throws: an error of encoding, which a base has none of.
  init(_ base: TextBase) throws {
    self.base = base
    json = try StoredJSON(base).json
    name = String(Blobs.hash(of: Array(json.utf8)).prefix(Self.nameLength))
  }

  fileprivate static let nameLength = 32

  /// The JSON of a row.
  fileprivate var stored: String { "\(json.dropLast()),\"clock\":\(base.clock)}" }
}

/// A text of the library that a client has open: a file of the desk, or a text that is nowhere else.
struct OpenedPath: Hashable, Sendable {
  var path: TextPath
  var isFile: Bool

  /// The part of a base's name that tells both apart.
  fileprivate var name: String { isFile ? path.text : path.uri }
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

  /// The name of the base of a client that has the text open: another one may save it meanwhile.
  private static func name(of opened: OpenedPath, in connection: String) -> String {
    "open:\(connection):\(opened.name)"
  }

  /// The name of the version from which a client writes a text that is no file, and that gets no changes of others.
  private static func name(ofUnfollowed opened: OpenedPath, in connection: String) -> String {
    "unfollowed:\(connection):\(opened.name)"
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
    let opened = OpenedPath(path: path, isFile: true)
    try keep(base, as: name(of: opened, in: connection), isFile: false, in: transaction)
  }

  /// A client opens a text that is no file. If it is the text of a version with a name, that is taken for the client's:
  /// its first answer to a change of others says so, or that it has another one.
  ///
  /// - Parameter isFollowed: whether changes of others reach the client; otherwise only its draft needs the version.
  /// - Throws: `DatabaseError`.
  static func show(
    _ path: TextPath, hash: String, in connection: String, isFollowed: Bool, _ transaction: Transaction
  ) throws {
    transaction.keepSilent()
    let named = try transaction.db.first(
      """
      SELECT name FROM textBase WHERE path = ? AND hash = ? AND isLaid = 0 AND instr(name, ':') = 0
      ORDER BY usedAt DESC, name LIMIT 1
      """, [.text(path.text), .text(hash)]
    ) { $0.text(0) }
    guard let named, let base = try find(named, in: transaction.snapshot) else { return }
    try show(base, at: path, in: connection, isFollowed: isFollowed, transaction)
  }

  /// A client has a version of a text that is no file: changes of others reach it from there on.
  ///
  /// - Throws: `DatabaseError`.
  static func show(
    _ base: TextBase, at path: TextPath, in connection: String, isFollowed: Bool = true, _ transaction: Transaction
  ) throws {
    let opened = OpenedPath(path: path, isFile: false)
    let name = isFollowed ? name(of: opened, in: connection) : name(ofUnfollowed: opened, in: connection)
    try keep(base, as: name, isFile: false, in: transaction)
  }

  /// The version that a client has open, and a stamp of its row.
  ///
  /// - Throws: `DatabaseError`.
  static func find(
    _ opened: OpenedPath, openIn connection: String, in snapshot: Snapshot
  ) throws -> (base: TextBase, stamp: String)? {
    guard let json = try json(of: name(of: opened, in: connection), in: snapshot), let base = base(json, in: snapshot)
    else { return nil }
    return (base, stamp(of: json))
  }

  private static func stamp(of json: String) -> String { Blobs.hash(of: Array(json.utf8)) }

  /// Changes of others have arrived in a client's text, unless it was saved meanwhile.
  ///
  /// - Parameter stamp: of the row that the changes were merged with.
  /// - Throws: `DatabaseError`.
  static func advance(
    _ opened: OpenedPath, openIn connection: String, from stamp: String, to next: TextBase, in transaction: Transaction
  ) throws {
    transaction.keepSilent()
    let open = name(of: opened, in: connection)
    guard let json = try json(of: open, in: transaction.snapshot), sameBytes(Self.stamp(of: json), stamp) else {
      return
    }
    try keep(next, as: open, isFile: false, in: transaction)
  }

  /// A client has closed a text. If it has not saved it, the version that its draft was written from stays.
  ///
  /// - Throws: `DatabaseError`.
  static func close(_ opened: OpenedPath, by connection: String, in transaction: Transaction) throws {
    let path = opened.path
    let isDraft = try DraftTable.texts.find(path.text, of: connection, in: transaction.db) != nil
    for name in [name(of: opened, in: connection), name(ofUnfollowed: opened, in: connection)] {
      guard let base = try find(name, in: transaction.snapshot) else { continue }
      if isDraft { try keep(base, as: self.name(ofDraft: path, of: connection), isFile: false, in: transaction) }
      try forget(name, in: transaction)
    }
  }

  /// The version from which the draft of a closed text was written.
  ///
  /// - Throws: `DatabaseError`.
  static func find(ofDraft draft: StoredDraft, at path: TextPath, in snapshot: Snapshot) throws -> TextBase? {
    // A client that was there when the daemon ended has closed nothing.
    if let base = try find(name(ofDraft: path, of: draft.connection), in: snapshot) { return base }
    for isFile in [true, false] {
      let opened = OpenedPath(path: path, isFile: isFile)
      if let base = try find(opened, openIn: draft.connection, in: snapshot)?.base { return base }
    }
    let opened = OpenedPath(path: path, isFile: false)
    return try find(name(ofUnfollowed: opened, in: draft.connection), in: snapshot)
  }

  private static func name(ofDraft path: TextPath, of connection: String) -> String {
    "draft:\(connection):\(path.text)"
  }

  /// The version of a text that a client edits.
  ///
  /// - Returns: nil if it is lost.
  /// - Throws: `DatabaseError`.
  static func find(of opened: OpenedPath, for caller: any Caller, in snapshot: Snapshot) throws -> TextBase? {
    if let base = try find(name(of: opened, in: caller.connectionID), in: snapshot) { return base }
    return opened.isFile ? try find(name(ofFile: opened.path), in: snapshot) : nil
  }

  /// The version that a client has named, and no other one: only the client knows from which one its text was written.
  ///
  /// - Returns: nil if it is lost.
  /// - Throws: `DatabaseError`.
  static func find(
    _ given: String, at path: TextPath, for caller: any Caller, in snapshot: Snapshot
  ) throws -> TextBase? {
    // What is no name of a version says that the client does not know what it has edited.
    guard given.utf8.count == NamedBase.nameLength else { return nil }
    // A client that names it once more could not take the edits of its save: it still has the text that it has sent.
    let sent = try snapshot.db.first(
      "SELECT base FROM textBase WHERE name = ? AND hash = ?",
      [.text(name(ofSentFrom: given)), .text(caller.connectionID)]
    ) { $0.text(0) }
    if let json = try sent ?? json(of: given, in: snapshot) { return base(json, in: snapshot) }
    // Of many versions the one that was named may be no longer stored.
    let opened = OpenedPath(path: path, isFile: false)
    guard let shown = try find(opened, openIn: caller.connectionID, in: snapshot)?.base,
      try NamedBase(shown).name == given
    else { return nil }
    return shown
  }

  private static func name(ofSentFrom given: String) -> String { "sent:" + given }

  /// Stores the version that a client has until it has applied the edits of its save.
  ///
  /// - Parameter given: the version that the save has named.
  /// - Throws: `DatabaseError`; an error of encoding, which a base has none of.
  static func keep(_ sent: TextBase, sentFrom given: String, in transaction: Transaction) throws {
    try keep(
      NamedBase(sent).stored, of: sent.path, hash: transaction.caller.connectionID, as: name(ofSentFrom: given),
      isFile: false, in: transaction)
  }

  /// A version is given to a client, whose next save names it as its base.
  ///
  /// - Throws: `DatabaseError`.
  static func give(_ named: NamedBase, in transaction: Transaction) throws {
    try forget(name(ofSentFrom: named.name), in: transaction)
    try keep(named, in: transaction)
  }

  /// Stores the version with which the next save of a client is compared.
  ///
  /// - Throws: `DatabaseError`.
  static func keep(_ base: TextBase, of opened: OpenedPath, in transaction: Transaction) throws {
    let open = name(of: opened, in: transaction.caller.connectionID)
    if try has(open, in: transaction.snapshot) { try keep(base, as: open, isFile: false, in: transaction) }
    if opened.isFile { try keep(base, ofFile: opened.path, in: transaction) }
  }

  /// - Returns: nil for an unknown name, and for a base of another history of the library.
  /// - Throws: `DatabaseError`.
  static func find(_ name: String, in snapshot: Snapshot) throws -> TextBase? {
    try json(of: name, in: snapshot).flatMap { base($0, in: snapshot) }
  }

  private static func base(_ json: String, in snapshot: Snapshot) -> TextBase? {
    guard let base = TextBase(stored: json), sameBytes(base.epoch, snapshot.services.library.identity.epoch) else {
      return nil
    }
    return base
  }

  private static func json(of name: String, in snapshot: Snapshot) throws -> String? {
    try snapshot.db.first("SELECT base FROM textBase WHERE name = ?", [.text(name)]) { $0.text(0) }
  }

  private static func has(_ name: String, in snapshot: Snapshot) throws -> Bool {
    try snapshot.db.first("SELECT 1 FROM textBase WHERE name = ?", [.text(name)]) { _ in true } ?? false
  }

  static func keep(_ base: TextBase, as name: String, isFile: Bool, in transaction: Transaction) throws {
    try keep(NamedBase(base), as: name, isFile: isFile, in: transaction)
  }

  /// Stores a version under its name, if it is not there.
  ///
  /// - Throws: `DatabaseError`.
  static func keep(_ named: NamedBase, in transaction: Transaction) throws {
    transaction.keepSilent()
    guard try has(named.name, in: transaction.snapshot) else {
      return try keep(named, as: named.name, isFile: false, in: transaction)
    }
    try transaction.db.run(
      "UPDATE textBase SET usedAt = ? WHERE name = ?", [.integer(transaction.now.milliseconds), .text(named.name)])
  }

  private static func keep(
    _ named: NamedBase, as name: String, isFile: Bool, in transaction: Transaction
  ) throws {
    try keep(
      named.stored, of: named.base.path, hash: named.base.hash, as: name, isFile: isFile, in: transaction)
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
