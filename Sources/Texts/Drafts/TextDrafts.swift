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
/// A draft notifies no client and is no commit. A save of the whole text removes it.
final class TextDrafts: Sendable {
  private struct Key: Hashable {
    var uri: String
    var connection: String
  }

  /// The quiet after the last change before a text is stored, and how many of them it waits at most.
  private static let quiet: Duration = .seconds(2)
  private static let mostPauses = 5
  /// The most drafts; the oldest are dropped.
  private static let most = 200
  /// A longer text is not stored with every pause.
  private static let mostBytes = 1 << 20

  private let waiting = Mutex<Set<Key>>([])

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
        let present = client[uri]?.version
        if present == version { break }
        version = present
      }
      waiting.withLock { _ = $0.remove(key) }
      guard let services, let text = client[uri], let path = services.desk.path(of: uri) else { return }
      keep(text.text, at: path, for: client.caller)
    }
  }

  /// Stores a text that was changed a moment ago, since it is closed now.
  func closing(_ text: OpenText, of client: LanguageClient, with services: Services) {
    let key = Key(uri: text.uri, connection: client.connectionID)
    guard waiting.withLock({ $0.remove(key) }) != nil, let path = services.desk.path(of: text.uri) else { return }
    keep(text.text, at: path, for: client.caller)
  }

  private func keep(_ text: String, at path: TextPath, for caller: FeatureCaller) {
    guard text.utf8.count <= Self.mostBytes else { return }
    caller.services.library.post(as: caller, label: "text/drafts") { transaction in
      let path = TextPlaces(transaction.snapshot).canonical(path)
      try Self.keep(text, at: path, in: transaction)
    } then: { failure in
      if let failure { caller.services.log("an unsaved text could not be stored: \(failure)") }
    }
  }

  private static func keep(_ text: String, at path: TextPath, in transaction: Transaction) throws {
    transaction.keepSilent()
    let hash = Blobs.hash(of: Array(text.utf8))
    // The version after a refused save has the client's lines, which are nowhere else.
    let isSaved =
      try transaction.db.first(
        "SELECT 1 FROM textBase WHERE path = ? AND hash = ? AND json_extract(base, '$.isWhole')",
        [.text(path.text), .text(hash)]
      ) { _ in true } != nil
    let connection = transaction.caller.connectionID
    if isSaved {
      _ = try DraftTable.texts.discard(path.text, of: connection, in: transaction)
      return
    }
    let known = try DraftTable.texts.find(path.text, of: connection, in: transaction.db)
    try DraftTable.texts.keep(
      StoredDraft(of: path.text, content: text, known: known, revision: nil, in: transaction), in: transaction)
    try transaction.db.run(
      """
      DELETE FROM textDraft WHERE (path, connection) IN (
        SELECT path, connection FROM textDraft ORDER BY updatedAt DESC, path, connection LIMIT -1 OFFSET ?)
      """, [.integer(most)])
  }
}

extension Services {
  var textDrafts: TextDrafts { memory.object(TextDrafts.self) { TextDrafts() } }
}
