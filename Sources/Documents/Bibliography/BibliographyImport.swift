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
  /// By id, of the documents with a bibliography.
  private var works: [String: Work] = [:]

  private let format: String
  private let file: String?
  private let retitles: Bool
  private let addsMissing: Bool

  /// Tells works of one title from each other.
  private struct Work {
    var doi: String?
    var year: Int?
    var author: String?

    init(_ item: CSLItem) {
      doi = item["DOI"]?.lowercased()
      year = item.year
      author = (item[names: "author"] + item[names: "editor"]).first.map { DocumentRecord.letters($0.sorted) }
    }

    /// Whether both state something that differs.
    func differs(from other: Work) -> Bool {
      func differ<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
        if let one, let other { one != other } else { false }
      }
      return differ(doi, other.doi) || differ(year, other.year) || differ(author, other.author)
    }
  }

  /// - Parameters:
  ///   - format: the format of the file.
  ///   - file: its path; nil for bytes.
  ///   - retitles: whether documents get the titles of their entries.
  ///   - addsMissing: whether entries without a document are added.
  init(
    as format: BibliographyFile.Format, from file: String?, retitles: Bool, addsMissing: Bool, in snapshot: Snapshot
  ) throws {
    (self.format, self.file, self.retitles, self.addsMissing) = (format.rawValue, file, retitles, addsMissing)
    try snapshot.db.each("SELECT id, title, bibliography FROM document ORDER BY id", []) { row in
      let item = row.optionalText(2).flatMap { try? JSONParser.parse($0).objectValue }.map { CSLItem($0) }
      note(row.text(0), titled: row.text(1), item)
    }
  }

  private mutating func note(_ id: String, titled title: String, _ item: CSLItem?) {
    let titles = Set([title, item?["title"] ?? ""].map(DocumentRecord.letters))
    for title in titles where !title.isEmpty { byTitle[title, default: []].append(id) }
    if let doi = item?["DOI"]?.lowercased(), byDOI[doi] == nil { byDOI[doi] = id }
    works[id] = item.map(Work.init)
  }

  mutating func take(
    _ entry: BibliographyFile.Entry, _ hashes: [String], isDryRun: Bool, in transaction: Transaction
  ) throws {
    index += 1
    var (item, place) = (entry.item, entry.place)
    let properties = item.takeProperties()
    let title = item["title"] ?? ""
    guard let id = try document(of: item, hashes, in: transaction.snapshot) else {
      if addsMissing { return try add(entry, properties, hashes, isDryRun: isDryRun, in: transaction) }
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
      try take(item, key: entry.key, properties, into: &document, in: transaction.snapshot)
      if retitles { document.title = Self.title(of: item) ?? document.title }
    }
  }

  /// Gives a document its first bibliography.
  private func take(
    _ item: CSLItem, key: String?, _ properties: [String: String], into document: inout DocumentRecord,
    in snapshot: Snapshot
  ) throws {
    // The key of the file, if no other item has it.
    if document.citationKey == nil, let key, (1...100).contains(key.unicodeScalars.count) {
      document.citationKey = try? CitationKey.given(key, for: document.id, in: snapshot)
    }
    try document.take(item, in: snapshot)
    try document.follow(ImportedBibliography(format: format, file: file, entry: item.json))
    if document.properties == nil { document.properties = DocumentProperties.json(properties) }
  }

  /// Adds a document without a file. It has the same id on every device that imports the entry, and it is known by the
  /// entry's files, which `documents/add` may bring later.
  private mutating func add(
    _ entry: BibliographyFile.Entry, _ properties: [String: String], _ hashes: [String], isDryRun: Bool,
    in transaction: Transaction
  ) throws {
    var item = entry.item
    _ = item.takeProperties()
    item["id"] = nil
    guard let title = Self.title(of: item) ?? (item["DOI"] ?? entry.key).flatMap(DocumentRecord.line) else {
      counts.notes.append(ImportNote(.blank, at: entry.place))
      return
    }
    let work = Work(item)
    let parts = [DocumentRecord.letters(title), work.author ?? "", work.year.map(String.init) ?? ""]
    let name = work.doi ?? parts.joined(separator: "/")
    var document = DocumentRecord()
    document.id = DerivedID.text(of: "documents/reference/\(name)")
    guard taken.insert(document.id).inserted else {
      counts.notes.append(ImportNote(.repeated, at: entry.place, title: title))
      return
    }
    // Somebody has given it another title, or another DOI.
    let known = try transaction.snapshot.find(DocumentRecord.self, id: document.id)
    if known != nil { counts.known += 1 } else { counts.added += 1 }
    note(document.id, titled: title, item)
    guard known == nil, !isDryRun else { return }
    (document.title, document.keepsText) = (title, true)
    document.hash = BlobsElsewhere.noFile(of: document.id)
    try take(item, key: entry.key, properties, into: &document, in: transaction.snapshot)
    let added = try transaction.insert(document)
    try BlobsElsewhere.note(added.hash, in: transaction.db)
    for hash in hashes { try DocumentBytes.note(hash, of: added.id, validators: nil, in: transaction) }
    _ = try DocumentRules.arrive(added, isComplete: true, hasGivenTitle: true, in: transaction)
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
    for name in ["groups", "annote", "custom"] where own.json[name] == nil { item.json[name] = nil }
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
    let titles = [item["title"], subtitle == nil ? nil : title].compactMap { $0.map(DocumentRecord.letters) }
    let work = Work(item)
    for title in titles {
      var known = byTitle[title] ?? []
      // An editorial is another document than last year's.
      if addsMissing { known.removeAll { works[$0]?.differs(from: work) == true } }
      if known.count == 1 { return known[0] }
    }
    return nil
  }
}
