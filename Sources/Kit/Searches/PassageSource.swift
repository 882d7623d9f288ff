import Store
import Wire

/// The passages in the items of a collection: what the user copied, marked or noted. `search/random` shows some of them.
package struct PassageSource: Sendable {
  /// The table of the items.
  package var table: String
  /// The SQL condition of its rows that have passages, and possibly of others.
  package var condition: String
  /// A statement for the ids of these rows.
  package var items: String
  /// The passages of an item; none if it was deleted.
  package var passages: Passages

  package typealias Passages = @Sendable (_ item: String, _ snapshot: Snapshot) throws -> [Passage]

  /// - Parameter items: if the statement by the condition alone would use no index.
  package init(table: String, where condition: String = "1", items: String? = nil, passages: @escaping Passages) {
    (self.table, self.condition, self.passages) = (table, condition, passages)
    self.items = items ?? "SELECT id FROM \(table) WHERE \(condition)"
  }
}

/// A passage for people.
package struct Passage: Sendable {
  package var text: String
  /// The user's note on copied or marked words.
  package var note: String?
  /// Whether `text` is only the beginning.
  package var isCut = false

  /// In Unicode scalars.
  package static let longest = 2_000

  /// Nil for a blank text.
  package init?(_ text: String?, note: String? = nil) {
    let note = note.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    // A note on words that are not stored is a passage of its own.
    guard let text = [text, note].compactMap(\.self).first(where: { !$0.allSatisfy(\.isWhitespace) }) else {
      return nil
    }
    self.note = note.flatMap { sameBytes($0, text) ? nil : Self.beginning(of: $0) }
    self.text = Self.beginning(of: text)
    isCut = !sameBytes(self.text, text)
  }

  private static func beginning(of text: String) -> String {
    text.unicodeScalars.count > longest ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest))) : text
  }
}
