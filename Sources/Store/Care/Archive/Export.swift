import Foundation
import GRDB
import Wire

extension Store {
  /// Writes one state of the library into a new archive while it goes on being used. `progress` gets 0 to 100.
  ///
  /// The archive gets its name when all of it is on disk; one that fails leaves nothing.
  package func export(to path: String, progress: @escaping @Sendable (Int) throws -> Void) throws -> ArchiveReport {
    guard access(path, F_OK) != 0 else { throw ArchiveError.exists(path: path) }
    let partial = Self.partialName(of: path)
    // The name is ours, and so is what lies there in the end; the writer refuses one that is taken.
    defer { unlink(partial) }
    let report: ArchiveReport
    do {
      report = try write(to: partial, named: path, progress: progress)
    } catch let error as FileFailure where error.path == partial {
      throw FileFailure(path: path, error.errno)
    }
    try progress(100)
    // Not by a rename, which would take the place of what somebody else has put there meanwhile.
    guard link(partial, path) == 0 else {
      throw errno == EEXIST ? ArchiveError.exists(path: path) : FileFailure(path: path, errno)
    }
    try Blobs.sync(folder: (path as NSString).deletingLastPathComponent)
    return report
  }

  private func write(
    to partial: String, named path: String, progress: @escaping @Sendable (Int) throws -> Void
  ) throws -> ArchiveReport {
    var tar = try TarWriter(path: partial)
    let (members, hashes, items) = try pool.read { try tableMembers(of: $0) }
    try progress(10)
    for (name, bytes) in members { try tar.add(name, bytes) }
    for (index, hash) in hashes.enumerated() {
      guard blobs.contains(hash) else { throw ArchiveError.missingBlob(hash: hash) }
      try tar.add("blobs/" + hash, fileAt: blobs.path(hash))
      try progress(10 + (index + 1) * 90 / hashes.count)
    }
    try tar.finish()
    return ArchiveReport(path: path, items: items, blobs: hashes.count, bytes: tar.size)
  }

  /// All that is in tables, of one state.
  private func tableMembers(of db: Database) throws -> ([(String, [UInt8])], [String], Int) {
    let hashes = try schema.namedBlobs(db)
    var counts: JSONObject = [:]
    var members: [(String, [UInt8])] = []
    for collection in schema.all {
      let (lines, count) = try lines(of: "SELECT * FROM \(collection.table) ORDER BY id", in: db)
      counts[collection.name] = .integer(Int64(count))
      members.append(("items/\(collection.name).jsonl", lines))
    }
    for table in schema.derivedTables {
      members.append(("derived/\(table).jsonl", try lines(of: "SELECT * FROM \(table)", in: db).bytes))
    }
    let known = try LibraryIdentity.read(db) ?? identity
    let manifest: JSONValue = [
      "format": .integer(Archive.format), "id": .string(known.id), "epoch": .string(known.epoch),
      "clock": .integer(known.clock), "exportedAt": .string(now().description), "items": .object(counts),
      "blobs": .integer(Int64(hashes.count)),
    ]
    members.insert(("library.json", Array((manifest.description + "\n").utf8)), at: 0)
    let items = counts.members.reduce(0) { $0 + Int($1.value.integerValue ?? 0) }
    return (members, hashes, items)
  }

  private func lines(of sql: String, in db: Database) throws -> (bytes: [UInt8], count: Int) {
    var bytes: [UInt8] = []
    var count = 0
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      bytes += JSONWriter.bytes(of: ArchiveLine.json(row))
      bytes.append(UInt8(ascii: "\n"))
      count += 1
    }
    return (bytes, count)
  }
}
