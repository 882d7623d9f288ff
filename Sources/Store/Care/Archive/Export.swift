import Glibc
import SQLite
import Wire

extension Store {
  /// Writes a snapshot of the library into a new archive while the library stays in use. `progress` gets 0 to 100.
  ///
  /// The file gets its final name once all of it is on disk; a failed export leaves no file.
  ///
  /// - Throws: `ArchiveError.exists` if there is a file at `path`, `ArchiveError.missingBlob` or `.damagedBlob`,
  ///   `FileFailure`, and whatever `progress` throws.
  package func export(to path: String, progress: @escaping @Sendable (Int) throws -> Void) throws -> ArchiveReport {
    guard access(path, F_OK) != 0 else { throw ArchiveError.exists(path: path) }
    let partial = Self.partialName(of: path)
    // The name is unique to this export, so the file is ours to delete; `TarWriter` refuses an existing one.
    defer { unlink(partial) }
    let report: ArchiveReport
    do {
      report = try write(to: partial, named: path, progress: progress)
    } catch let error as FileFailure where error.path == partial {
      throw FileFailure(path: path, error.errno)
    }
    try progress(100)
    // `link` and not `rename`, which would replace a file that somebody else has created at the path meanwhile.
    guard link(partial, path) == 0 else {
      throw errno == EEXIST ? ArchiveError.exists(path: path) : FileFailure(path: path, errno)
    }
    try Blobs.sync(folder: parentFolder(of: path))
    return report
  }

  private func write(
    to partial: String, named path: String, progress: @escaping @Sendable (Int) throws -> Void
  ) throws -> ArchiveReport {
    var tar = try TarWriter(path: partial)
    let copy = try temporaryCopy { try progress(0) }
    let (hashes, items) = try read(copy) { try addTables(of: $0, to: &tar) { try progress($0 / 10) } }
    for (index, hash) in hashes.enumerated() {
      guard blobs.contains(hash) else { throw ArchiveError.missingBlob(hash: hash) }
      try tar.add(blob: hash, fileAt: blobs.path(named: hash))
      try progress(10 + (index + 1) * 90 / hashes.count)
    }
    try tar.finish()
    return ArchiveReport(path: path, items: items, blobs: hashes.count, bytes: tar.size)
  }

  /// Writes all tables of one snapshot, row by row. Returns the hashes of the blobs and the number of items.
  private func addTables(
    of db: Database, to tar: inout TarWriter, progress: (Int) throws -> Void
  ) throws -> ([String], Int) {
    let (hashes, elsewhere) = try schema.namedBlobs(db)
    var counts: JSONObject = [:]
    var items = 0
    for collection in schema.all {
      let count = try collection.count(in: db)
      counts[collection.name] = .integer(Int64(count))
      items += count
    }
    let known = try LibraryIdentity.read(db) ?? identity
    var manifest: JSONObject = [
      "format": .integer(Archive.format), "id": .string(known.id), "epoch": .string(known.epoch),
      "clock": .integer(known.clock), "exportedAt": .string(now().description), "items": .object(counts),
      "blobs": .integer(Int64(hashes.count)),
    ]
    if !elsewhere.isEmpty { manifest["elsewhere"] = .array(elsewhere.map { .string($0) }) }
    try tar.add("library.json", Array((JSONValue.object(manifest).description + "\n").utf8))
    var done = 0
    func add(_ sql: String, as name: String) throws {
      try tar.begin(name)
      try db.each(sql) { row in
        try tar.append(JSONWriter.bytes(of: ArchiveLine.json(row)))
        try tar.append([UInt8(ascii: "\n")])
        done += 1
        if done.isMultiple(of: 1_024) { try progress(min(100, done * 100 / max(1, items))) }
      }
      try tar.end()
    }
    for collection in schema.all {
      try add("SELECT * FROM \(collection.table) ORDER BY id", as: "items/\(collection.name).jsonl")
    }
    for table in schema.derivedTables { try add("SELECT * FROM \(table)", as: "derived/\(table).jsonl") }
    return (hashes, items)
  }
}
