import Contract
import Exchange
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The user's own fields of a document, by name:
///
///     {"correspondent": "ACME", "invoice": "2026-117"}
///
/// An update changes only the members that it names; a member that is null removes its property (RFC 7396).
enum DocumentProperties {
  static let most = 50
  /// Unicode scalars.
  static let (longestName, longestValue) = (100, 1_000)

  /// The properties after an update; nil if none remain.
  ///
  /// - Throws: `invalidParams` of the member in `properties`.
  static func updated(_ stored: String?, with given: JSONObject) throws -> String? {
    var properties = try read(stored)
    for member in given.members {
      let field = "properties.\(member.key)"
      guard let name = text(member.key, longest: longestName) else {
        throw RPCError.invalidParams(
          field: field, reason: Text("documents.propertyName", ["maximum": String(longestName)]))
      }
      if member.value == .null {
        properties[name] = nil
      } else if let value = member.value.stringValue.flatMap({ text($0, longest: longestValue) }) {
        properties[name] = value
      } else {
        throw RPCError.invalidParams(
          field: field, reason: Text("documents.propertyValue", ["maximum": String(longestValue)]))
      }
    }
    guard properties.count <= most else {
      throw RPCError.invalidParams(field: "properties", reason: Text("documents.propertyCount", ["most": String(most)]))
    }
    return json(properties)
  }

  /// - Throws: `StoreError.broken` for JSON that no daemon writes.
  static func read(_ stored: String?) throws -> [String: String] {
    guard let stored else { return [:] }
    return try StoredJSON<[String: String]>(stored: stored).value()
  }

  /// Checks the properties of a row from another device or an archive: as many and as long as an update accepts.
  ///
  /// - Throws: `StoreError.broken`.
  static func check(_ stored: String?) throws {
    let properties = try read(stored)
    let areValid = properties.allSatisfy { name, value in
      text(name, longest: longestName).map { sameBytes($0, name) } ?? false
        && text(value, longest: longestValue).map { sameBytes($0, value) } ?? false
    }
    guard areValid, properties.count <= most else { throw StoreError.broken(path: "", reason: "document.properties") }
  }

  /// Those of a file that can be stored.
  static func possible(_ given: [String: String]) -> [String: String] {
    let possible = given.sorted { $0.key < $1.key }.compactMap { name, value in
      text(name, longest: longestName).flatMap { name in text(value, longest: longestValue).map { (name, $0) } }
    }
    return Dictionary(possible.prefix(most)) { first, _ in first }
  }

  /// In the order of their names; nil for none.
  static func json(_ properties: [String: String]) -> String? {
    guard !properties.isEmpty else { return nil }
    let members = properties.sorted { $0.key < $1.key }.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
    return JSONValue.object(JSONObject(members)).description
  }

  /// The words by which a document is found.
  ///
  /// - Parameter json: its stored properties.
  static func words(of json: String?) -> String {
    guard let properties = try? read(json) else { return "" }
    return properties.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }

  /// Without surrounding blanks; nil if nothing remains, or it does not fit on a line.
  private static func text(_ text: String, longest: Int) -> String? {
    let text = text.trimmingBlanks()
    let scalars = text.unicodeScalars
    return scalars.isEmpty || scalars.count > longest || scalars.contains(where: \.isLineEndOrControl) ? nil : text
  }

  // MARK: - The table by which documents are found

  /// Names and values as written, and folded. It follows from the rows, so that it is right also if undo or an archive
  /// writes these. A type is a word of the bibliography.
  static let table = """
    ALTER TABLE document ADD COLUMN properties TEXT;
    CREATE TABLE documentProperty (
      name TEXT NOT NULL, value TEXT NOT NULL, document TEXT NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (name, value, document)) WITHOUT ROWID;
    CREATE INDEX documentPropertyByDocument ON documentProperty (document);
    CREATE TRIGGER documentPropertyInserted AFTER INSERT ON document WHEN json_valid(new.properties) BEGIN
      \(insert);
    END;
    CREATE TRIGGER documentPropertyUpdated AFTER UPDATE OF properties ON document
      WHEN new.properties IS NOT old.properties BEGIN
      DELETE FROM documentProperty WHERE document = old.id;
      \(insert);
    END;
    CREATE TRIGGER documentPropertyDeleted AFTER DELETE ON document WHEN old.properties IS NOT NULL BEGIN
      DELETE FROM documentProperty WHERE document = old.id;
    END;
    CREATE INDEX documentByType ON document (\(type), createdAt, id) WHERE bibliography IS NOT NULL;
    """

  /// Of an added document; those of changed documents follow by triggers.
  static let added = FollowingRows(none: [("properties", .null)], added: [insert])

  private static let insert = """
    INSERT OR IGNORE INTO documentProperty
      SELECT fold(key), fold(value), new.id, key, value
      FROM json_each(iif(json_valid(new.properties), new.properties, '{}'))
    """

  /// What a document is, as its bibliography states it.
  private static let type = "iif(json_valid(bibliography), json_extract(bibliography, '$.type'), NULL)"

  static func narrow(_ listing: inout ItemListing<some StoredItem>, toType name: String) {
    listing.narrow("bibliography IS NOT NULL AND \(type) = ?", [.text(name)])
  }

  /// Selects only documents with this property, ignoring case, width and composition.
  static func narrow(_ listing: inout ItemListing<some StoredItem>, to name: String, _ value: String) {
    listing.narrow(
      "id IN (SELECT document FROM documentProperty WHERE name = ? AND value = ?)",
      [.text(foldedText(name)), .text(foldedText(value))])
  }
}

extension CSLItem {
  /// The texts among the members that CSL-JSON does not designate.
  private var customTexts: [String: String] {
    guard case .object(let custom)? = json["custom"] else { return [:] }
    let texts = custom.members.compactMap { member in member.value.stringValue.map { (member.key, $0) } }
    return Dictionary(texts) { $1 }
  }

  /// Removes the members that a document has as its own properties, and returns these.
  mutating func takeProperties() -> [String: String] {
    let taken = DocumentProperties.possible(customTexts)
    guard !taken.isEmpty, case .object(var custom)? = json["custom"] else { return [:] }
    for name in taken.keys { custom[name] = nil }
    json["custom"] = custom.isEmpty ? nil : .object(custom)
    return taken
  }

  mutating func add(_ properties: [String: String]) {
    guard !properties.isEmpty else { return }
    var custom = json["custom"]?.objectValue ?? [:]
    for (name, value) in properties { custom[name] = .string(value) }
    json["custom"] = .object(custom)
  }
}
