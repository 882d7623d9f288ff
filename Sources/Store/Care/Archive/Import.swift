import Contract
import Glibc
import SQLite
import Wire

extension Store {
  /// Reads an archive: parses its rows and copies its files into the library's folder, so that the following write only
  /// has to insert them. Nothing in the library changes; a sweep deletes files to which no row refers afterwards.
  /// `progress` gets 0 to 100.
  ///
  /// - Throws: `ArchiveError.damaged` or `.newer`, `FileFailure`, and whatever `progress` throws.
  package func readArchive(
    at path: String, newName: () -> String, progress: @Sendable (Int) throws -> Void
  ) throws -> Archive {
    var tar = try TarReader(path: path)
    var archive = Archive(path: path, spool: try Spool(path: folder.parts + "/" + newName()))
    var spool = Spool.Writer(archive.spool)
    var read: Int64 = 0
    // The blobs to which rows refer.
    var named: Set<String> = []
    guard let first = try tar.next(), first.name == "library.json" else {
      throw ArchiveError.damaged(path: path, reason: "headMissing")
    }
    guard first.size < Lines.longest else { throw ArchiveError.damaged(path: path, reason: "library.json") }
    let counts = try checkedManifest(try tar.contents(first.size), path: path)
    archive.elsewhere = counts.elsewhere
    while let (name, size) = try tar.next() {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw ArchiveError.newer(path: path, unknown: name) }
      let stem = parts[1].hasSuffix(".jsonl") ? String(parts[1].dropLast(6)) : parts[1]
      let done = read
      let total = max(1, tar.size)
      func step() throws { try progress(Int(min(100, done * 100 / total))) }
      try step()
      switch parts[0] {
      case "items", "derived":
        let (table, columns) = try self.table(parts[0], stem, name: name, path: path)
        let start = spool.offset
        var count = 0
        do {
          try tar.forEachLine(size) { line in
            try check(line, of: table, columns: columns, naming: &named, name: name, path: path)
            try spool.add(line)
            count += 1
            // Only to notice a cancellation; the progress value does not change.
            if count.isMultiple(of: 1_024) { try step() }
          }
        } catch is Lines.TooLong {
          throw ArchiveError.damaged(path: path, reason: name)
        }
        archive.sections.append(Archive.Section(table: table, lines: start..<spool.offset, count: count))
      case "blobs":
        let file = folder.parts + "/" + newName()
        defer { unlink(file) }
        try tar.copy(size, to: file)
        let blob = try blobs.adopt(file: file)
        guard blob.hash == stem else { throw ArchiveError.damaged(path: path, reason: name) }
        archive.blobs.append(blob)
      default: throw ArchiveError.newer(path: path, unknown: name)
      }
      read += size
    }
    try spool.finish()
    for (collection, count) in counts.items
    where archive.sections.first(where: { $0.table == .items(collection: collection) })?.count ?? 0 != count {
      throw ArchiveError.damaged(path: path, reason: "items/\(collection).jsonl")
    }
    let files = Set(archive.blobs.map(\.hash))
    guard archive.blobs.count == counts.blobs, named.isSubset(of: files.union(archive.elsewhere))
    else {
      throw ArchiveError.damaged(path: path, reason: "blobsMissing")
    }
    // Derived data first: search indexes an item with the text of its pages, so that text must be inserted before the
    // item.
    archive.sections = archive.sections.filter(\.isDerived) + archive.sections.filter { !$0.isDerived }
    return archive
  }

  /// The table of a member, and the columns that it has in this library.
  private func table(
    _ kind: String, _ stem: String, name: String, path: String
  ) throws -> (Archive.Section.Table, Set<String>) {
    if kind == "items", let collection = schema.find(stem) {
      return (.items(collection: stem), Set(collection.columns))
    }
    if kind == "derived", schema.derivedTables.contains(stem) {
      return (.derived(table: stem), try pool.read { Set(try $0.columns(of: stem)) })
    }
    throw ArchiveError.newer(path: path, unknown: name)
  }

  /// Accepts only rows that this daemon could have written itself: an archive may come from anybody.
  private func check(
    _ line: [UInt8], of table: Archive.Section.Table, columns: Set<String>, naming blobs: inout Set<String>,
    name: String, path: String
  ) throws {
    guard let row = ArchiveLine.row(line) else { throw ArchiveError.damaged(path: path, reason: name) }
    func isHash(_ column: String) -> Bool {
      guard let value = row[column], !value.isNull else { return true }
      guard let text = value.text, BlobHash(text) != nil else { return false }
      blobs.insert(text)
      return true
    }
    let isSound: Bool
    switch table {
    case .items(let collection):
      let id = ArchiveLine.item(row)?.text("id")
      isSound =
        id.flatMap(ItemID.init(validating:)) != nil
        && schema.collection(collection).description.columns.blobs.allSatisfy(isHash)
    case .derived(let table):
      isSound = schema.all.flatMap(\.description.derived).filter { $0.table == table }.allSatisfy { derived in
        isHash(derived.column) && row.allSatisfy { derived.columns[$0.key]?.admits($0.value) ?? true }
      }
    }
    guard isSound else { throw ArchiveError.damaged(path: path, reason: name) }
    if let unknown = row.keys.first(where: { !columns.contains($0) }) {
      throw ArchiveError.newer(path: path, unknown: "\(name): \(unknown)")
    }
  }

  private func checkedManifest(
    _ bytes: [UInt8], path: String
  ) throws -> (items: [String: Int], blobs: Int, elsewhere: [String]) {
    guard let manifest = try? JSONParser.parse(bytes), let format = manifest["format"]?.integerValue,
      let items = manifest["items"]?.objectValue, let blobs = manifest["blobs"]?.integerValue
    else { throw ArchiveError.damaged(path: path, reason: "library.json") }
    guard format <= Archive.format else { throw ArchiveError.newer(path: path, unknown: "format \(format)") }
    let counts = items.members.map { ($0.key, Int($0.value.integerValue ?? -1)) }
    let elsewhere = (manifest["elsewhere"]?.arrayValue ?? []).compactMap(\.stringValue)
    guard elsewhere.allSatisfy({ BlobHash($0) != nil }) else {
      throw ArchiveError.damaged(path: path, reason: "library.json")
    }
    return (Dictionary(counts, uniquingKeysWith: { first, _ in first }), Int(blobs), elsewhere)
  }
}

extension Transaction {
  /// Inserts an archive, or the next slice of one, into a library that was empty when the import began. Returns the
  /// position to go on from, or nil when the archive is complete. Ids and times are preserved; revisions are those of
  /// the new commits.
  ///
  /// - Throws: `ArchiveError.notEmpty` at the beginning, `.damaged` for a row that violates a constraint,
  ///   `DatabaseError`.
  package func add(_ archive: Archive, from position: ArchivePosition?) throws -> ArchivePosition? {
    if position == nil { try requireEmptyLibrary() }
    var position = position ?? ArchivePosition()
    // Rows without entries in the change log, such as the text of pages, may fill a whole slice.
    keepSilent()
    while position.blob < archive.blobs.count {
      guard hasRoom else { return position }
      try keep(archive.blobs[position.blob])
      position.blob += 1
    }
    if position.section == 0, position.offset == nil {
      for hash in archive.elsewhere { try BlobsElsewhere.note(hash, in: db) }
    }
    while position.section < archive.sections.count {
      let section = archive.sections[position.section]
      var lines = archive.spool.lines(in: (position.offset ?? section.lines.lowerBound)..<section.lines.upperBound)
      while hasRoom, let line = try lines.next() { try insert(line, into: section.table, path: archive.path) }
      position.offset = lines.offset
      guard lines.offset >= section.lines.upperBound else { return position }
      position.section += 1
      position.offset = nil
    }
    return nil
  }

  private func requireEmptyLibrary() throws {
    for collection in schema.all {
      guard try db.first("SELECT 1 FROM \(collection.table) LIMIT 1", [], { _ in }) == nil else {
        throw ArchiveError.notEmpty
      }
    }
  }

  private func insert(_ line: [UInt8], into table: Archive.Section.Table, path: String) throws {
    guard let row = ArchiveLine.row(line) else { throw RPCError.internalError }
    switch table {
    case .derived(let table): try insertDerived(row, into: table)
    case .items(let name):
      guard var item = ArchiveLine.item(row), let id = item.text("id") else { throw RPCError.internalError }
      item["revision"] = .integer(clock)
      do {
        let collection = schema.collection(name)
        for (column, value) in collection.description.columns.imported { item[column] = value }
        for (column, form) in collection.description.columns.forms {
          if let text = item.text(column) { item[column] = .text(form(text)) }
        }
        try insertRow(item, into: collection, id: id)
        try collection.description.read(id, db)
      } catch is StoreError {
        throw ArchiveError.damaged(path: path, reason: "items/\(name).jsonl")
      } catch let error as RPCError where error.code == RPCError.Code.invalidParams {
        throw ArchiveError.damaged(path: path, reason: "items/\(name).jsonl")
      } catch let error as DatabaseError where error.code == .constraint || error.isOfData {
        // A duplicate id, a required field that is missing, or no JSON where a trigger reads it.
        throw ArchiveError.damaged(path: path, reason: "items/\(name).jsonl")
      }
    }
  }

  private func insertDerived(_ row: [String: ArchiveValue], into table: String) throws {
    let values = row.sorted { $0.key < $1.key }
    let columns = values.map { "\"\($0.key)\"" }.joined(separator: ", ")
    let places = values.map { _ in "?" }.joined(separator: ", ")
    try db.run("INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))") { row in
      for value in values.map(\.value) {
        switch value {
        case .value(let value): row.add(value)
        case .bytes(let bytes): row.add(bytes)
        }
      }
    }
  }
}
