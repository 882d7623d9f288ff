import Wire

/// A value that lies as JSON in one column, read only when somebody looks into it.
///
/// Most reads of an item never look at what is kept in it for later, such as the anchor of a mark, and decoding that
/// would cost more than all the rest of the row.
package struct StoredJSON<Value: Codable & Sendable>: Sendable {
  /// As it lies in the column.
  package let json: String

  /// What lay in a column.
  package init(stored json: String) {
    self.json = json
  }

  package init(_ value: Value) throws {
    json = String(decoding: try JSONEncoding.bytes(of: value), as: UTF8.self)
  }

  package func value() throws -> Value {
    try JSONDecoding.decode(Value.self, from: try JSONParser.parse(json))
  }
}
