import SQLite
import Store

/// The bytes of a large file that is about to be staged, in parts that each take a short transaction: a commit with all
/// of them would hold up every other write for as long as the disk takes for megabytes, and so would their removal.
///
/// The parts precede the row of `syncStaged`, which makes them a file. Parts without such a row belong to no file, and are removed.
enum StagedParts {
  /// The bytes of a part.
  static let size = 64 << 10

  /// What the row of a file has.
  static func first(of bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(size)) }

  /// The parts after that; none for a small file.
  static func others(of bytes: [UInt8]) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
    stride(from: size, to: bytes.count, by: size).enumerated().map { number, start in
      (number, bytes[start..<min(start + size, bytes.count)])
    }
  }

  /// - Throws: `DatabaseError`.
  static func write(_ part: (number: Int, bytes: ArraySlice<UInt8>), of name: FileName, in db: Database) throws {
    try db.run("INSERT OR REPLACE INTO syncStagedPart (name, part, bytes) VALUES (?, ?, ?)") {
      $0.add(name.description)
      $0.add(part.number)
      $0.add(Array(part.bytes))
    }
  }

  /// - Throws: `DatabaseError`.
  static func exist(of name: FileName, in db: Database) throws -> Bool {
    let row = try db.first("SELECT 1 FROM syncStagedPart WHERE name = ?", [.text(name.description)]) { _ in true }
    return row ?? false
  }

  /// The bytes of all parts after the first.
  ///
  /// - Throws: `DatabaseError`.
  static func bytes(of name: FileName, in db: Database) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try db.each("SELECT bytes FROM syncStagedPart WHERE name = ? ORDER BY part", [.text(name.description)]) {
      bytes += $0.bytes(0)
    }
    return bytes
  }

  /// The parts that belong to no staged file any more, by their row numbers.
  ///
  /// - Throws: `DatabaseError`.
  static func abandoned(in db: Database) throws -> [Int64] {
    var rows: [Int64] = []
    try db.each("SELECT rowid FROM syncStagedPart WHERE name NOT IN (SELECT name FROM syncStaged)") {
      rows.append($0.integer(0))
    }
    return rows
  }

  /// - Throws: `DatabaseError`.
  static func remove(row: Int64, in db: Database) throws {
    try db.run("DELETE FROM syncStagedPart WHERE rowid = ?", [.integer(row)])
  }
}
