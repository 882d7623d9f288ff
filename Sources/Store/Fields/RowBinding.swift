import Contract
import SQLite
import Wire

/// Conversion between an item and its row: the four columns that every table has, then those of the declared fields.
extension StoredItem {
  /// The columns in the order in which rows are read and values are written.
  static func columnNames() -> [String] { Schema.commonColumns + fields.all.map(\.name) }

  /// Reads the item in the current row of a statement that selects `columnNames()`.
  ///
  /// - Throws: `StoreError.broken` with the column's name for a value that no write of ours stored.
  public init(row: Columns) throws {
    self.init()
    (id, revision) = (try row.requiredText(0), try row.requiredInteger(1))
    (createdAt, updatedAt) = (try row.requiredInstant(2), try row.requiredInstant(3))
    try Self.fields.read(row, &self)
  }

  /// The values of `columnNames()`.
  func columnValues() throws -> [SQLValue] {
    var values: [SQLValue] = []
    values.reserveCapacity(Schema.commonColumns.count + Self.fields.all.count)
    values += [
      .text(id), .integer(revision), .integer(createdAt.milliseconds), .integer(updatedAt.milliseconds),
    ]
    try Self.fields.append(self, &values)
    return values
  }

  /// Sets columns to their values from the change log or a file. Columns that are not a field are skipped.
  ///
  /// - Throws: `StoreError.broken` for a value that no write of ours stored.
  package mutating func restore(_ values: JSONObject) throws {
    for member in values.members {
      do {
        try Self.fields[member.key]?.read(SQLValue(json: member.value), &self)
      } catch {
        throw StoreError(reading: error, of: member.key)
      }
    }
  }

  /// The values of these columns, for `restore`.
  ///
  /// - Throws: the error of a value that cannot be encoded as JSON.
  package func content(of columns: [String]) throws -> JSONObject {
    var content: JSONObject = [:]
    for column in columns { content[column] = try Self.fields[column]?.value(self).json }
    return content
  }
}

extension StoreError {
  /// Maps the error of reading a column.
  init(reading error: any Error, of column: String) {
    self =
      switch error {
      case is InvalidColumn: .broken(path: "", reason: column)
      case let error as RPCError: StoreError(json: error, otherwise: column)
      case let error as StoreError: error
      default: .broken(path: "", reason: column)
      }
  }
}
