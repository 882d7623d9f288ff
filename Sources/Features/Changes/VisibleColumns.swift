import Store
import Wire

extension ColumnTraits {
  /// Stored values as clients get them.
  func visible(_ stored: JSONValue) -> JSONValue {
    guard case .object(var values) = stored else { return stored }
    for column in inner { values[column] = nil }
    for column in json {
      if let text = values[column]?.stringValue, let value = try? JSONParser.parse(text) { values[column] = value }
    }
    return .object(values)
  }
}
