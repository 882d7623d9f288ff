import Contract
import Kit
import SQLite
import Store
import Synchronization
import Wire

extension DraftTable {
  static let texts = DraftTable("textDraft", item: "path", content: "text")
}

/// Stores unsaved texts of the library, a moment after the last change: an editor that crashes loses nothing.
///
/// A draft notifies no client and is no commit. A save of the whole text removes it. The text of one item is also stored
/// as a draft of that item, so that clients that edit items offer it, too.
final class TextDrafts: Sendable {
  private struct Key: Hashable {
    var uri: String
    var connection: String
  }

  /// The quiet after the last change before a text is stored, and how many of them it waits at most.
  private static let quiet: Duration = .seconds(2)
  private static let mostPauses = 5
  /// The most drafts, and their bytes; the oldest are dropped.
  private static let most = 200
  private static let mostBytes = 64 << 20
  /// A longer text is not stored with every pause.
  private static let long = 1 << 20

  private let waiting = Mutex<Set<Key>>([])
  /// The texts whose users have been shown that they could not be stored.
  private let failed = Mutex<Set<Key>>([])

  /// Stores a text after a quiet moment. Calls in the meantime are one.
  func keepSoon(_ uri: String, of client: LanguageClient, with services: Services) {
    let key = Key(uri: uri, connection: client.connectionID)
    guard services.desk.path(of: uri) != nil, waiting.withLock({ $0.insert(key).inserted }) else { return }
    let pause = services.pause
    // A weak reference during the wait, so that the daemon can exit.
    Task { [self, weak services] in
      var version = client[uri]?.version
      for _ in 0..<Self.mostPauses {
        await pause(Self.quiet)
        let present = client[uri]
        if present?.version == version, present?.byteCount ?? 0 <= Self.long { break }
        version = present?.version
      }
      waiting.withLock { _ = $0.remove(key) }
      guard let services, let text = client[uri], let path = services.desk.path(of: uri) else { return }
      keep(text, at: path, for: client.caller)
    }
  }

  /// Stores a text that was changed a moment ago, since it is closed now.
  func closing(_ text: OpenText, of client: LanguageClient, with services: Services) {
    let key = Key(uri: text.uri, connection: client.connectionID)
    guard waiting.withLock({ $0.remove(key) }) != nil, let path = services.desk.path(of: text.uri) else { return }
    keep(text, at: path, for: client.caller)
  }

  private func keep(_ text: OpenText, at path: TextPath, for caller: FeatureCaller) {
    // The diagnostics of such a text say so.
    guard text.byteCount <= RenderedText.mostBytes else { return }
    let services = caller.services
    let dropped = Mutex<[StoredDraft]>([])
    let key = Key(uri: text.uri, connection: caller.connectionID)
    services.library.post(as: caller, label: "text/drafts") { transaction in
      let path = TextPlaces(transaction.snapshot).canonical(path)
      let oldest = try Self.keep(text.text, at: path, in: transaction)
      dropped.withLock { $0 = oldest }
    } then: { [self] failure in
      if let failure {
        services.log("an unsaved text could not be stored: \(failure)")
        guard failed.withLock({ $0.insert(key).inserted }) else { return }
        return show(Text("text.draftNotStored", ["path": path.text]), to: [key.connection], with: services)
      }
      failed.withLock { _ = $0.remove(key) }
      for draft in dropped.withLock(\.self) {
        show(
          Text("text.draftDropped", ["path": draft.item]), to: [key.connection, draft.connection], with: services)
      }
    }
  }

  private func show(_ text: Text, to connections: Set<String>, with services: Services) {
    for client in connections.compactMap({ services.languageClients[$0] }) {
      DidSaveText.show(client.caller.words(text), type: 2, client, client.caller)
    }
  }

  /// - Returns: the drafts that were dropped for this one.
  private static func keep(
    _ text: String, at path: TextPath, in transaction: Transaction
  ) throws -> [StoredDraft] {
    transaction.keepSilent()
    // An editor may end the last line of a text that has no line end there; it is the same text.
    let other = text.utf8.last == UInt8(ascii: "\n") ? String(text.unicodeScalars.dropLast()) : text + "\n"
    let hashes = [text, other].map { SQLValue.text(Blobs.hash(of: Array($0.utf8))) }
    // The version after a refused save has the client's lines, which are nowhere else.
    let isSaved =
      try transaction.db.first(
        "SELECT 1 FROM textBase WHERE path = ? AND hash IN (?, ?) AND json_extract(base, '$.isWhole')",
        [.text(path.text)] + hashes
      ) { _ in true } != nil
    let connection = transaction.caller.connectionID
    if isSaved {
      _ = try discard(path, of: connection, in: transaction)
      return []
    }
    let known = try DraftTable.texts.find(path.text, of: connection, in: transaction.db)
    let draft = StoredDraft(of: path.text, content: text, known: known, revision: nil, in: transaction)
    try DraftTable.texts.keep(draft, in: transaction)
    try ItemDraft(of: path, in: transaction.snapshot)?.keep(draft, in: transaction)
    let oldest = try DraftTable.texts.beyond(most, bytes: mostBytes, in: transaction.db)
    for draft in oldest {
      guard let path = TextPath(parsing: draft.item) else { continue }
      _ = try discard(path, of: draft.connection, in: transaction)
    }
    return oldest
  }

  /// Deletes the drafts of a text, and those of its item that were stored with them.
  ///
  /// - Parameter connection: only its draft; nil for those of all.
  /// - Returns: false if there are none.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  static func discard(_ path: TextPath, of connection: String?, in transaction: Transaction) throws -> Bool {
    let known =
      try connection.map { try DraftTable.texts.find(path.text, of: $0, in: transaction.db).map { [$0] } ?? [] }
      ?? DraftTable.texts.all(of: path.text, in: transaction.db)
    if !known.isEmpty, let item = try ItemDraft(of: path, in: transaction.snapshot) {
      for draft in known { try item.discard(of: draft.connection, in: transaction) }
    }
    return try DraftTable.texts.discard(path.text, of: connection, in: transaction)
  }
}

extension Services {
  var textDrafts: TextDrafts { memory.object(TextDrafts.self) { TextDrafts() } }
}
