import Contract
import FoundationEssentials
import SQLite
import Wire

/// A library as one file that any program can read: a tar (POSIX ustar) of JSON lines and files.
///
///     library.json             {"format": 1, "id", "epoch", "clock", "exportedAt", "items": {collection: count}, "blobs": count}
///     items/<collection>.jsonl one item a line, its fields named as on the wire; times in UTC milliseconds
///     derived/<table>.jsonl    data derived from files, such as page text, so that nothing is extracted again
///     blobs/<sha256>           the files to which items refer
///
/// The members have this order. Bytes inside a line are `{"$bytes": "<base64>"}`. Revisions are included for readers;
/// an import assigns new ones, since they belong to the library that made them. Old versions are not included: an
/// archive holds the current state of a library, a backup its whole history.
///
/// A value of this type was read completely, and every row checked, before the write begins.
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
  /// The hashes of blobs to which its items refer, and whose files only other devices had.
  var elsewhere: [String] = []

  static let format: Int64 = 1

  package var itemCount: Int {
    sections.reduce(0) { if case .items = $1.table { $0 + $1.count } else { $0 } }
  }
  package var blobCount: Int { blobs.count }
}

/// The result of an export or import.
package struct ArchiveReport: Sendable, Equatable {
  package var path: String
  package var items: Int
  package var blobs: Int
  /// Size of the archive.
  package var bytes: Int64
}

/// Why an archive cannot be written or imported.
package enum ArchiveError: Error, Sendable, Equatable {
  case exists(path: String)
  case missingBlob(hash: String)
  /// There is a file of this name, but its bytes do not have the hash that the name states.
  case damagedBlob(hash: String)
  /// `reason` is the name of a member, its offset in the tar (`tar@512`), or a key of the catalogue's family `reason`.
  case damaged(path: String, reason: String)
  /// A newer version wrote the archive. `unknown` is the format, collection or field that this version does not
  /// support.
  case newer(path: String, unknown: String)
  /// An archive can only be imported into an empty library.
  case notEmpty
}

extension Schema {
  /// The tables of data derived from blobs, each once, sorted by name.
  var derivedTables: [String] {
    Set(all.flatMap { $0.description.derived.map(\.table) }).sorted()
  }

  /// The hashes of the blobs to which items refer, sorted: those that are here, and those that only other devices have.
  ///
  /// - Throws: `DatabaseError`.
  func namedBlobs(_ db: Database) throws -> (here: [String], elsewhere: [String]) {
    let names = try all.flatMap { collection in
      try collection.description.columns.blobs.flatMap { column in
        try db.texts("SELECT DISTINCT \(column) FROM \(collection.table) WHERE \(column) IS NOT NULL")
      }
    }
    let elsewhere = Set(try db.texts("SELECT hash FROM blobElsewhere")).intersection(names)
    return (Set(names).subtracting(elsewhere).sorted(), elsewhere.sorted())
  }
}

/// How much of an archive has been imported.
package struct ArchivePosition: Sendable {
  var blob = 0
  var section = 0
  /// Offset of the section's next line; nil before its first.
  var offset: Int64?
}

/// A column of a row in an archive. Unlike in the change log, it may be bytes.
enum ArchiveValue {
  case value(SQLValue)
  case bytes([UInt8])

  /// The text, or nil for a value of another type.
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

  /// Parses a line. Nil if it is not a row.
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

  /// Converts a row of an item. Nil if it contains bytes, which items never have.
  static func item(_ row: [String: ArchiveValue]) -> RowValues? {
    var values: [String: SQLValue] = [:]
    for (column, value) in row {
      guard case .value(let value) = value else { return nil }
      values[column] = value
    }
    return RowValues(values)
  }
}
