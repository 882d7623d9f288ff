import Wire

/// A list of texts in one column.
package enum JSONList {
  package static func strings(_ json: String) -> [String] {
    // Most documents were added once, as bytes or from one path: `[]` or `["…"]`.
    if json == "[]" { return [] }
    if let only = only(json) { return [only] }
    var json = json
    let value = json.withUTF8 { try? JSONParser.parse($0) }
    return value?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// The text of a list with one element, if it contains no escapes.
  private static func only(_ json: String) -> String? {
    var json = json
    return json.withUTF8 { bytes in
      guard bytes.count >= 4, bytes[1] == UInt8(ascii: "\""), bytes[bytes.count - 2] == UInt8(ascii: "\"") else {
        return nil
      }
      let text = UnsafeBufferPointer(rebasing: bytes[2..<bytes.count - 2])
      for byte in text where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return nil }
      return String(decoding: text, as: UTF8.self)
    }
  }

  package static func json(_ strings: [String]) -> String {
    String(describing: JSONValue.array(strings.map(JSONValue.string)))
  }
}
