import Foundation
import GRDB
import Wire

extension Store {
  /// Reads an archive: parses its rows and takes its files over, so that the write that follows has only to put them in.
  /// Nothing of the library changes; files that no write then names are swept. `progress` gets 0 to 100.
  package func readArchive(
    at path: String, newName: () -> String, progress: @Sendable (Int) throws -> Void
  ) throws -> Archive {
    var tar = try TarReader(path: path)
    var archive = Archive()
    var read: Int64 = 0
    guard let first = try tar.next(), first.name == "library.json" else {
      throw ArchiveError.damaged(path: path, reason: "library.json is missing")
    }
    let counts = try checkedManifest(try tar.contents(first.size), path: path)
    while let (name, size) = try tar.next() {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw ArchiveError.newer(path: path, unknown: name) }
      let stem = parts[1].hasSuffix(".jsonl") ? String(parts[1].dropLast(6)) : parts[1]
      switch parts[0] {
      case "items":
        guard let collection = schema.find(stem) else { throw ArchiveError.newer(path: path, unknown: name) }
        let rows = try rows(of: try tar.contents(size), columns: Set(collection.columns), name: name, path: path)
        archive.items.append((stem, rows))
      case "derived":
        guard schema.derivedTables.contains(stem) else { throw ArchiveError.newer(path: path, unknown: name) }
        let columns = try pool.read { Set(try $0.columns(in: stem).map(\.name)) }
        archive.derived.append((stem, try rows(of: try tar.contents(size), columns: columns, name: name, path: path)))
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
      try progress(Int(min(100, read * 100 / max(1, tar.size))))
    }
    for (collection, count) in counts.items
    where archive.items.first(where: { $0.collection == collection })?.rows.count ?? 0 != count {
      throw ArchiveError.damaged(path: path, reason: "items/\(collection).jsonl")
    }
    guard archive.blobs.count == counts.blobs else { throw ArchiveError.damaged(path: path, reason: "blobs") }
    return archive
  }

  private func checkedManifest(_ bytes: [UInt8], path: String) throws -> (items: [String: Int], blobs: Int) {
    guard let manifest = try? JSONParser.parse(bytes), let format = manifest["format"]?.integerValue,
      let items = manifest["items"]?.objectValue, let blobs = manifest["blobs"]?.integerValue
    else { throw ArchiveError.damaged(path: path, reason: "library.json") }
    guard format <= Archive.format else { throw ArchiveError.newer(path: path, unknown: "format \(format)") }
    let counts = items.members.map { ($0.key, Int($0.value.integerValue ?? -1)) }
    return (Dictionary(counts, uniquingKeysWith: { first, _ in first }), Int(blobs))
  }

  private func rows(of bytes: [UInt8], columns: Set<String>, name: String, path: String) throws -> [[String:
    DatabaseValue]]
  {
    try bytes.split(separator: UInt8(ascii: "\n")).map { line in
      guard case .object(let object)? = try? JSONParser.parse(Array(line)), let row = ArchiveLine.row(object) else {
        throw ArchiveError.damaged(path: path, reason: name)
      }
      if let unknown = row.keys.first(where: { !columns.contains($0) }) {
        throw ArchiveError.newer(path: path, unknown: "\(name): \(unknown)")
      }
      return row
    }
  }
}

extension Transaction {
  /// Puts an archive into an empty library, as one commit. Ids and times stay, revisions are those of this commit.
  package func add(_ archive: Archive) throws {
    for collection in schema.all {
      guard try Row.fetchOne(db, sql: "SELECT 1 FROM \(collection.table) LIMIT 1") == nil else {
        throw ArchiveError.notEmpty
      }
    }
    for blob in archive.blobs { try keep(blob) }
    for (table, rows) in archive.derived {
      for row in rows { try insertDerived(row, into: table) }
    }
    for (name, rows) in archive.items {
      let collection = schema.collection(name)
      for row in rows {
        guard var item = ArchiveLine.item(row), let id = item.text("id") else {
          throw ArchiveError.damaged(path: "", reason: name)
        }
        item.values["revision"] = .integer(clock)
        try insertRow(item, into: collection, id: id)
      }
    }
  }

  private func insertDerived(_ row: [String: DatabaseValue], into table: String) throws {
    let values = row.sorted { $0.key < $1.key }
    let columns = values.map { "\"\($0.key)\"" }.joined(separator: ", ")
    let places = values.map { _ in "?" }.joined(separator: ", ")
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))")
      .execute(arguments: StatementArguments(values.map(\.value)))
  }
}
