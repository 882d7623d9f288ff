import Kit
import SQLite
import Store
import Wire

/// The reply to the last `text/save` of a version, which is stored beside the versions and within their bounds.
///
/// A client that has lost the reply sends the same save again. It gets the same reply: a second save would add the new
/// lines once more. A client that has the reply goes on with its `base`, so the same save again is no new request,
/// until the version is given to a client anew.
struct AnsweredSave {
  private let name: String
  private let path: String
  /// Of all that the save depends on.
  private let hash: String
  private let base: String

  /// - Parameters:
  ///   - save: the params as JSON, without those that do not matter.
  ///   - base: the version that was edited.
  init(_ save: [UInt8], since base: String, to path: TextPath, in snapshot: Snapshot) {
    let client = "\(snapshot.feature.clientName)\0\(snapshot.reader.positionEncoding)\0"
    (name, self.path, self.base) = (Self.name(of: base), path.text, base)
    hash = Blobs.hash(of: Array(client.utf8) + save)
  }

  private static func name(of base: String) -> String { "answered:" + base }

  /// - Returns: nil for another save, where the version that the reply names is no longer stored, and after the save
  /// was
  ///   undone.
  /// - Throws: `DatabaseError`.
  func reply(in snapshot: Snapshot) throws -> SavedText? {
    let json = try snapshot.db.first(
      "SELECT base FROM textBase WHERE name = ? AND hash = ?", [.text(name), .text(hash)]
    ) { $0.text(0) }
    guard let json, let reply = try? StoredJSON<SavedText>(stored: json).value(),
      try TextBases.find(reply.base, in: snapshot) != nil
    else { return nil }
    if let clock = reply.undo, try CommitRecord.isUndone(clock, in: snapshot) { return nil }
    return reply
  }

  /// Stores the reply. After one that names the same version, a client may mean the same save anew.
  ///
  /// - Throws: `DatabaseError`.
  func keep(_ reply: SavedText, in transaction: Transaction) throws {
    if sameBytes(reply.base, base) { return }
    try TextBases.keep(
      StoredJSON(reply).json, of: path, hash: hash, as: name, isFile: false, in: transaction)
  }

  /// Stores a version that is given to a client.
  ///
  /// - Throws: `DatabaseError`.
  static func give(_ base: NamedBase, in transaction: Transaction) throws {
    try TextBases.forget(Self.name(of: base.name), in: transaction)
    try TextBases.give(base, in: transaction)
  }
}
