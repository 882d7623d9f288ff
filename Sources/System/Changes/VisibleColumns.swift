import Store
import Wire

extension ItemCollection {
  /// Stored values in the form for clients, by columns.
  func visible(_ stored: JSONValue) -> JSONValue {
    guard case .object(var values) = stored else { return stored }
    let columns = columns
    for column in columns.inner { values[column] = nil }
    for column in columns.json {
      if let text = values[column]?.stringValue, let value = try? JSONParser.parse(text) { values[column] = value }
    }
    for column in booleans() {
      if let number = values[column]?.exactInteger { values[column] = .bool(number != 0) }
    }
    return .object(values)
  }
}
