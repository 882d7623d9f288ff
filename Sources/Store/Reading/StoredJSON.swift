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

  /// - Throws: `StoreError.broken` for JSON that no daemon writes. The reason is the field that cannot be read.
  package func value() throws -> Value {
    do {
      return try JSONDecoding.decode(Value.self, from: try JSONParser.parse(json))
    } catch {
      throw StoreError(json: error, otherwise: "json")
    }
  }
}

extension StoreError {
  /// JSON in a column that cannot be read. Others may have made the library.
  init(json error: any Error, otherwise name: String) {
    let field = (error as? RPCError)?.data["field"]?.stringValue
    self = .broken(path: "", reason: field.flatMap { $0.isEmpty ? nil : $0 } ?? name)
  }
}
