import GRDB
import Wire

/// A value that lies as JSON in one column, read only when somebody looks into it.
///
/// Most reads of a mark never look at its anchor, and decoding it would cost more than all the rest of the row.
struct StoredJSON<Value: Codable & Sendable>: Sendable {
  private let json: String

  init(_ value: Value) throws {
    json = String(decoding: try JSONEncoding.bytes(of: value), as: UTF8.self)
  }

  private init(json: String) {
    self.json = json
  }

  func value() throws -> Value {
    try JSONDecoding.decode(Value.self, from: try JSONParser.parse(json))
  }
}

extension StoredJSON: Codable {
  init(from decoder: any Decoder) throws {
    json = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}

extension StoredJSON: DatabaseValueConvertible {
  var databaseValue: DatabaseValue { json.databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> StoredJSON? {
    String.fromDatabaseValue(value).map(StoredJSON.init(json:))
  }
}
