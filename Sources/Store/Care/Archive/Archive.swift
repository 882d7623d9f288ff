import Contract
import FoundationEssentials
import SQLite
import Wire

/// A library as one file that any program can read: a tar (POSIX ustar) of JSON lines and files.
///
///     library.json             {"format": 1, "id", "epoch", "clock", "exportedAt", "items": {collection: count}, "blobs": count}
///     items/<collection>.jsonl one item a line, its fields named as on the wire; times in UTC milliseconds
///     derived/<table>.jsonl    what was made from files, such as the text of pages, so that nothing need be made again
///     blobs/<sha256>           the files that items name
///
/// The members stand in this order. Bytes inside a line are `{"$bytes": "<base64>"}`. Revisions are in it for readers;
/// an import gives new ones, since they belong to the library that made them. Old versions stay behind: an archive is
/// what a library holds, a backup is all that it was.
///
/// This one was read, and every row of it found good, before the write begins.
package struct Archive: Sendable {
  /// The rows of one table, a line each.
  struct Section: Sendable {
    enum Table: Equatable {
      case items(collection: String)
      case derived(table: String)
    }
    var table: Table
    var lines: Range<Int64>
    var count: Int

    var isDerived: Bool {
      if case .derived = table { true } else { false }
    }
  }

  let path: String
  let spool: Spool
  var sections: [Section] = []
  var blobs: [Blobs.Blob] = []

  static let format: Int64 = 1

  package var itemCount: Int {
    sections.reduce(0) { if case .items = $1.table { $0 + $1.count } else { $0 } }
  }
  package var blobCount: Int { blobs.count }
}

/// What was written into an archive or read from one.
package struct ArchiveReport: Sendable, Equatable {
  package var path: String
  package var items: Int
  package var blobs: Int
  /// Of the archive.
  package var bytes: Int64
}

/// Why there is no archive, or why it is not taken.
package enum ArchiveError: Error, Sendable, Equatable {
  case exists(path: String)
  case missingBlob(hash: String)
  /// There is something of this name, but not the file that the name promises.
  case damagedBlob(hash: String)
  /// The reason is the file in the archive, its place in the tar, or a word of the catalogue's family `reason`.
  case damaged(path: String, reason: String)
  /// A newer version wrote it: a format, collection or field that this one does not know.
  case newer(path: String, unknown: String)
  /// Only an empty library takes an archive.
  case notEmpty
}

extension Schema {
  /// Tables of what was derived from blobs, each once, in alphabetic order.
  var derivedTables: [String] {
    Set(all.flatMap { $0.description.derived.map(\.table) }).sorted()
  }

  /// The hashes of the blobs that items name.
  func namedBlobs(_ db: Database) throws -> [String] {
    let names = try all.flatMap { collection in
      try collection.description.columns.blobs.flatMap { column in
        try db.texts("SELECT DISTINCT \(column) FROM \(collection.table) WHERE \(column) IS NOT NULL")
      }
    }
    return Set(names).sorted()
  }
}

/// How far the write of an archive has come.
package struct ArchivePosition: Sendable {
  var blob = 0
  var section = 0
  /// Of the section's next line; nil before its first.
  var offset: Int64?
}

/// A column of a row in an archive. Other than in the change log, it may hold bytes.
enum ArchiveValue {
  case value(SQLValue)
  case bytes([UInt8])

  /// The text, or nil if it is something else.
  var text: String? { if case .value(.text(let text)) = self { text } else { nil } }

  var isNull: Bool { if case .value(.null) = self { true } else { false } }
}

/// A row as a line of an archive.
enum ArchiveLine {
  static func json(_ row: Columns) throws -> JSONValue {
    .object(
      JSONObject(
        try (0..<row.count).map { place in
          guard row.isBytes(place) else {
            return JSONObject.Member(key: row.name(place), value: try row.value(place).json)
          }
          let bytes = Data(row.bytes(place))
          return JSONObject.Member(key: row.name(place), value: ["$bytes": .string(bytes.base64EncodedString())])
        }))
  }

  /// Nil for what is no row.
  static func row(_ line: [UInt8]) -> [String: ArchiveValue]? {
    guard case .object(let object)? = try? JSONParser.parse(line) else { return nil }
    var values: [String: ArchiveValue] = [:]
    for member in object.members {
      if case .object(let inner) = member.value {
        guard let text = inner["$bytes"]?.stringValue, let data = Data(base64Encoded: text) else { return nil }
        values[member.key] = .bytes([UInt8](data))
      } else if case .array = member.value {
        return nil
      } else {
        values[member.key] = .value(SQLValue(json: member.value))
      }
    }
    return values
  }

  /// A row of an item, in which there are no bytes.
  static func item(_ row: [String: ArchiveValue]) -> RowValues? {
    var values: [String: SQLValue] = [:]
    for (column, value) in row {
      guard case .value(let value) = value else { return nil }
      values[column] = value
    }
    return RowValues(values)
  }
}
