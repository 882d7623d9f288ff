import Contract
import Exchange
import Kit
import SearchEngine
import Store
import Wire

/// The progress of an import of bibliographies.
struct BibliographyImport: Sendable {
  var index = 0
  var counts = ImportCounts()
  /// The documents that an entry of this file was for already, in a dry run too.
  private var taken: Set<String> = []
  /// Documents by the letters of their titles, and by DOI.
  private var byTitle: [String: [String]] = [:]
  private var byDOI: [String: String] = [:]

  init(in snapshot: Snapshot) throws {
    try snapshot.db.each("SELECT id, title, bibliography FROM document ORDER BY id", []) { row in
      let item = row.optionalText(2).flatMap { try? JSONParser.parse($0).objectValue }.map { CSLItem($0) }
      let titles = Set([row.text(1), item?["title"] ?? ""].map(Self.letters))
      for title in titles where !title.isEmpty { byTitle[title, default: []].append(row.text(0)) }
      if let doi = item?["DOI"]?.lowercased(), byDOI[doi] == nil { byDOI[doi] = row.text(0) }
    }
  }

  mutating func take(
    _ entry: BibliographyFile.Entry, _ hashes: [String], isDryRun: Bool, in transaction: Transaction
  ) throws {
    index += 1
    var (item, place) = (entry.item, entry.place)
    let properties = item.takeProperties()
    let title = item["title"] ?? ""
    guard let id = try document(of: item, hashes, in: transaction.snapshot) else {
      counts.notes.append(
        ImportNote(.badValue, at: place, title: title, isSkipped: true, text: Text("documents.import.noDocument")))
      return
    }
    guard taken.insert(id).inserted else {
      counts.notes.append(ImportNote(.repeated, at: place, title: title))
      return
    }
    let document = try transaction.snapshot.get(DocumentRecord.self, id: id)
    if let known = try document.item() {
      counts.known += 1
      var (known, item) = (known, item)
      known["id"] = nil
      item["id"] = nil
      if known != item { counts.notes.append(ImportNote(.keptOwn, at: place, title: title, field: "bibliography")) }
      return
    }
    counts.updated += 1
    if isDryRun { return }
    try transaction.change(document) { document in
      // The key of the file, if no other item has it.
      if document.citationKey == nil, let key = entry.key, (1...100).contains(key.unicodeScalars.count) {
        document.citationKey = try? CitationKey.given(key, for: document.id, in: transaction.snapshot)
      }
      try document.take(item, in: transaction.snapshot)
      if document.properties == nil { document.properties = DocumentProperties.json(properties) }
    }
  }

  /// The document that has one of the files, else the one with the DOI, else the only one with the title.
  private func document(of item: CSLItem, _ hashes: [String], in snapshot: Snapshot) throws -> String? {
    for hash in hashes {
      let known = try snapshot.db.first(
        "SELECT document FROM documentBytes JOIN document ON id = document WHERE documentBytes.hash = ? LIMIT 1",
        [.text(hash)]
      ) { $0.text(0) }
      if let known { return known }
    }
    if let known = item["DOI"].flatMap({ byDOI[$0.lowercased()] }) { return known }
    let (title, subtitle) = item.titles
    let titles = [item["title"], subtitle == nil ? nil : title].compactMap { $0.map(Self.letters) }
    for title in titles {
      if let known = byTitle[title], known.count == 1 { return known[0] }
    }
    return nil
  }

  private static func letters(_ text: String) -> String { foldedText(text).filter { $0.isLetter || $0.isNumber } }
}
