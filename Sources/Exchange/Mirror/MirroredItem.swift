import Kit
import Store

/// An item whose collection can be mirrored: each is a Markdown file of a folder.
package protocol MirroredItem: WrittenItem, ExchangedItem {
  /// The table with the mirror's path; no row without a mirror.
  static var mirrorTable: String { get }
  /// What the marker in the folder says that it mirrors: `diary`.
  static var mirrorName: String { get }
  /// The catalogue's keys of its sentences: while it is written, and on files that somebody edited or that were set
  /// aside.
  static var mirrorTexts: (doing: String, edited: String, setAside: String) { get }
  /// The columns that a file states. `text` is among them.
  static var mirroredColumns: [String] { get }
  /// Whether a file may have this name; others are copies that somebody made.
  static func isMirrorName(_ name: String, of id: String) -> Bool
  /// Whether the name of a file alone states that the value in it is as written.
  static func isWritten(_ value: String, of column: String, in name: String) -> Bool
  /// Parses a file.
  static func mirrored(_ content: String) -> MirroredContent
  /// The name of its file.
  ///
  /// - Parameter isTaken: whether another item has a file of this name.
  func mirroredName(isTaken: (String) -> Bool) -> String
  /// Its file.
  ///
  /// - Parameter text: its text in its exported form (`FileEmbeds`).
  func mirroredFile(as revision: FileRevision, text: String) -> [UInt8]
}

extension MirroredItem {
  package static func isMirrorName(_ name: String, of id: String) -> Bool { true }
  package static func isWritten(_ value: String, of column: String, in name: String) -> Bool { false }

  /// The values of the columns that its file states, as they are stored.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  func mirroredValues() throws -> [String: String] {
    var values: [String: String] = [:]
    for column in Self.mirroredColumns {
      switch try Self.fields[column]?.value(self) {
      case .text(let text): values[column] = text
      case .integer(let number): values[column] = String(number)
      default: break
      }
    }
    return values
  }
}

/// The content of a file of a mirror.
package struct MirroredContent: Sendable {
  package var id: String?
  package var revision: FileRevision?
  /// By column, as they are stored.
  package var values: [String: String]
  /// Whether somebody added fields to its front matter.
  package var hasOthers: Bool

  package init(id: String?, revision: FileRevision?, values: [String: String], hasOthers: Bool) {
    (self.id, self.revision, self.values, self.hasOthers) = (id, revision, values, hasOthers)
  }

  var text: String { values["text"] ?? "" }
}
