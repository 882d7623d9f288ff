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

  private let format: String
  private let file: String?
  private let retitles: Bool

  /// - Parameters:
  ///   - format: the format of the file.
  ///   - file: its path; nil for bytes.
  ///   - retitles: whether documents get the titles of their entries.
  init(as format: BibliographyFile.Format, from file: String?, retitles: Bool, in snapshot: Snapshot) throws {
    (self.format, self.file, self.retitles) = (format.rawValue, file, retitles)
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
    item["id"] = nil
    let document = try transaction.snapshot.get(DocumentRecord.self, id: id)
    if let known = try document.item() {
      let entry = ImportedBibliography(format: format, file: file, entry: item.json)
      return try merge(entry, into: known, of: document, at: place, isDryRun: isDryRun, in: transaction)
    }
    counts.updated += 1
    if isDryRun { return }
    try transaction.change(document) { document in
      // The key of the file, if no other item has it.
      if document.citationKey == nil, let key = entry.key, (1...100).contains(key.unicodeScalars.count) {
        document.citationKey = try? CitationKey.given(key, for: document.id, in: transaction.snapshot)
      }
      try document.take(item, in: transaction.snapshot)
      try document.follow(ImportedBibliography(format: format, file: file, entry: item.json))
      if retitles { document.title = Self.title(of: item) ?? document.title }
      if document.properties == nil { document.properties = DocumentProperties.json(properties) }
    }
  }

  /// Merges the members that have changed in the file since the last import and not here. A bibliography that was not
  /// imported from this file stays as it is, unless it is equal.
  private mutating func merge(
    _ entry: ImportedBibliography, into known: CSLItem, of document: DocumentRecord, at place: ImportNote.Place,
    isDryRun: Bool, in transaction: Transaction
  ) throws {
    var (own, merged) = (known, known)
    (own["id"], merged["id"]) = (nil, nil)
    let item = entry.item
    let imported = try document.importedBibliography()
    let last = imported.flatMap { $0.isVersion(of: entry) ? $0.item : nil }
    // An equal bibliography is followed from now on: the user's, that of an earlier version, or of a file that was moved.
    let isEqual = own == (imported == nil ? Self.asRead(earlier: item, beside: own) : item)
    let base = last ?? (isEqual ? own : nil)
    var isDisputed = base == nil
    if let base {
      for name in base.json.keys + item.json.keys where base.json[name] != item.json[name] {
        if own.json[name] == base.json[name] {
          merged.json[name] = item.json[name]
        } else if own.json[name] != item.json[name] {
          isDisputed = true
        }
      }
    }
    if isDisputed {
      counts.notes.append(ImportNote(.keptOwn, at: place, title: item["title"] ?? "", field: "bibliography"))
    }
    let title = retitles ? Self.title(of: merged) ?? document.title : document.title
    let isRetitled = !sameBytes(title, document.title)
    let isFollowed = last.map { $0 != item } ?? isEqual
    var changed = document
    if isFollowed { try changed.follow(entry) }
    if merged == own, !isRetitled, changed.tags == document.tags { counts.known += 1 } else { counts.updated += 1 }
    guard isFollowed || isRetitled, !isDryRun else { return }
    try transaction.change(document) { document in
      if merged != own { try document.take(merged, in: transaction.snapshot) }
      (document.tags, document.imported, document.title) = (changed.tags, changed.imported, title)
    }
  }

  /// An entry as versions read it that did not store what they imported: without the members that they left out, unless
  /// the document has them.
  private static func asRead(earlier item: CSLItem, beside own: CSLItem) -> CSLItem {
    var item = item
    for name in ["groups", "annote"] where own.json[name] == nil { item.json[name] = nil }
    return item
  }

  /// On one line.
  private static func title(of item: CSLItem) -> String? {
    let words = (item["title"] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.shortened(to: DocumentRecord.longestLine).text.readable
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
