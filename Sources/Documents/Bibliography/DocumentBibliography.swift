import Exchange
import Store
import Wire

/// What a document is, as CSL-JSON in its row.
enum DocumentBibliography {
  static let columns = """
    ALTER TABLE document ADD COLUMN citationKey TEXT;
    ALTER TABLE document ADD COLUMN bibliography TEXT;
    CREATE INDEX documentByCitationKey ON document (lower(citationKey));
    """

  /// The words by which a document is found besides its title, author and pages: who wrote it, where it was published
  /// and its numbers.
  static func words(of document: DocumentRecord) -> String {
    guard let item = try? document.item() else { return document.citationKey ?? "" }
    let names = (item[names: "author"] + item[names: "editor"]).map(\.written)
    let texts = ["title", "container-title", "publisher", "DOI", "ISBN", "number"].compactMap { item[$0] }
    return ([document.citationKey].compactMap(\.self) + names + texts).joined(separator: "\n")
  }
}

extension DocumentRecord {
  /// The bibliography with the citation key as its id; nil without one.
  ///
  /// - Throws: `StoreError.broken` for JSON that no daemon writes.
  func item() throws -> CSLItem? {
    guard let bibliography else { return nil }
    var item = CSLItem(try StoredJSON<JSONObject>(stored: bibliography).value())
    item["id"] = citationKey ?? id
    return item
  }

  /// Stores a bibliography. The document gets a citation key with its first one.
  ///
  /// - Throws: `DatabaseError`.
  mutating func take(_ item: CSLItem, in snapshot: Snapshot) throws {
    var item = item
    // The key is the document's own.
    item["id"] = nil
    bibliography = JSONValue.object(item.json).description
    if citationKey == nil { citationKey = try CitationKey.new(for: item, in: snapshot) }
  }
}
