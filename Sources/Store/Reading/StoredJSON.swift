import Wire

/// A value stored as JSON in one column, decoded on demand.
///
/// Most reads of an item do not need it, such as the anchor of a mark, and decoding it would cost more than the rest of
/// the row.
package struct StoredJSON<Value: Codable & Sendable>: Sendable {
  /// The JSON as stored in the column.
  package let json: String

  /// - Parameter json: the value of the column.
  package init(stored json: String) {
    self.json = json
  }

  /// - Throws: the error of a value that cannot be encoded.
  package init(_ value: Value) throws {
    json = String(decoding: try JSONEncoding.bytes(of: value), as: UTF8.self)
  }

  /// Decodes the value.
  ///
  /// - Throws: `StoreError.broken` for JSON that no daemon writes. The reason is the field that cannot be read.
  package func value() throws -> Value {
    do {
      return try JSONDecoding.decode(Value.self, from: try JSONParser.parse(json))
    } catch {
      throw StoreError(json: error, otherwise: "json")
    }
  }
}

extension StoredJSON<[String]> {
  /// The value of a column with a list of texts. It skips `Codable`, which would take several times as long.
  ///
  /// - Throws: `StoreError.broken` for JSON that no daemon writes.
  package static func texts(stored json: String) throws -> [String] {
    if let list = try? JSONParser.parse(json).arrayValue {
      let texts = list.compactMap(\.stringValue)
      if texts.count == list.count { return texts }
    }
    return try StoredJSON(stored: json).value()
  }
}

extension StoreError {
  /// JSON in a column that cannot be decoded. The library may be external.
  init(json error: any Error, otherwise name: String) {
    let field = (error as? RPCError)?.data["field"]?.stringValue
    self = .broken(path: "", reason: field.flatMap { $0.isEmpty ? nil : $0 } ?? name)
  }
}
