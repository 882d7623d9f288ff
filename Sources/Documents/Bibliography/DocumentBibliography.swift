import Exchange
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// What a document is, as CSL-JSON in its row.
enum DocumentBibliography {
  static let columns = """
    ALTER TABLE document ADD COLUMN citationKey TEXT;
    ALTER TABLE document ADD COLUMN bibliography TEXT;
    CREATE INDEX documentByCitationKey ON document (lower(citationKey));
    """

  /// Abstracts, keywords and notes were not searched before.
  static func addImported(to db: Database) throws {
    try db.execute("ALTER TABLE document ADD COLUMN imported TEXT")
    let members = ["abstract", "keyword", "note", "annote"].map { "bibliography LIKE '%\"\($0)\"%'" }
    let some = try db.first("SELECT 1 FROM document WHERE \(members.joined(separator: " OR ")) LIMIT 1") { _ in true }
    if some != nil { try SearchIndex.noteDueRebuild(in: db) }
  }

  /// The words by which a document is found besides its title, author and pages: who wrote it, where it was published,
  /// its numbers, what it is about, and notes on it.
  static func words(of document: DocumentRecord) -> String {
    guard let item = try? document.item() else { return document.citationKey ?? "" }
    let names = (item[names: "author"] + item[names: "editor"]).map(\.written)
    let texts = [
      "title", "container-title", "publisher", "DOI", "ISBN", "number", "keyword", "abstract", "note", "annote",
    ].compactMap { item[$0] }
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

  /// Stores a bibliography. The document gets a citation key with its first one, and an author if its file states none.
  ///
  /// - Throws: `DatabaseError`.
  mutating func take(_ item: CSLItem, in snapshot: Snapshot) throws {
    var item = item
    // The key is the document's own.
    item["id"] = nil
    bibliography = JSONValue.object(item.json).description
    if author == nil {
      let names = item[names: "author"].map(\.written).joined(separator: ", ")
      author = names.shortened(to: Self.longestLine).text.readable
    }
    if citationKey == nil { citationKey = try CitationKey.new(for: item, in: snapshot) }
  }

  /// - Throws: `StoreError.broken` for JSON that no daemon writes.
  func importedBibliography() throws -> ImportedBibliography? {
    try imported.map { try StoredJSON<ImportedBibliography>(stored: $0).value() }
  }

  /// Stores the entry that was imported, adds its new keywords and groups to the document's tags, and removes the tags
  /// that earlier imports added and that the entry does not have any more.
  ///
  /// - Throws: `StoreError.broken` for JSON that no daemon writes.
  mutating func follow(_ entry: ImportedBibliography) throws {
    func folded(_ tags: [String]) -> Set<String> { Set(tags.map(foldedText)) }
    let last = try importedBibliography()
    // An entry may have thousands of keywords.
    let now = TagList.possible(entry.item.tags)
    let (before, current, added) = (
      folded(TagList.possible(last?.item.tags ?? [])), folded(now), folded(last?.addedTags ?? [])
    )
    tags.removeAll {
      let tag = foldedText($0)
      return added.contains(tag) && !current.contains(tag)
    }
    var known = folded(tags).union(before)
    let new = now.filter { known.insert(foldedText($0)).inserted }
    tags = TagList.possible(tags + new)
    let stored = folded(tags)
    var entry = entry
    entry.addedTags = ((last?.addedTags ?? []) + new).filter { stored.contains(foldedText($0)) }
    imported = try StoredJSON(entry).json
  }
}

/// The entry of a file that the bibliography of a document was last imported from: the base of the next merge.
struct ImportedBibliography: Codable, Sendable {
  /// Another format does not contain the same members.
  var format: String
  /// The path of the file; nil for an import of bytes. Another file may be of another person.
  var file: String?
  /// In CSL-JSON, without an id.
  var entry: JSONObject
  /// The document's tags that imports have added. All others are the user's own, also if the file has them.
  var addedTags: [String]?

  var item: CSLItem { CSLItem(entry) }

  /// Whether both are versions of an entry of one file.
  func isVersion(of other: ImportedBibliography) -> Bool {
    sameBytes(format, other.format) && sameBytes(file ?? "", other.file ?? "")
  }
}
