import Contract
import Wire

/// A stored value without a shape: an instant is a number of milliseconds, and a list is its JSON.
enum StoredValue {
  /// 1973; nothing here is older, and no count is so great.
  private static let leastInstant: Int64 = 100_000_000_000

  static func member(_ name: String, _ value: JSONValue) -> ShownMember {
    if name.hasSuffix("At"), let milliseconds = value.integerValue, milliseconds > leastInstant {
      let instant = Instant(milliseconds: milliseconds)
      return ShownMember(name: name, value: .string(instant.description), shape: .text(.instant))
    }
    return ShownMember(name: name, value: value.stringValue.flatMap(list) ?? value)
  }

  /// The list in a stored text.
  static func list(_ text: String) -> JSONValue? {
    guard text.hasPrefix("["), text.hasSuffix("]"), let value = try? JSONParser.parse(text), value.arrayValue != nil
    else { return nil }
    return value
  }

  /// Versions of an item, each as a row that lists the changed fields: the replaced values are shown only if
  /// differences were requested.
  static func rows(_ objects: [JSONObject]) -> [JSONObject] {
    guard objects.allSatisfy({ $0["diffs"] == nil && $0["clock"] != nil && $0["kind"] != nil }) else { return objects }
    return objects.map { object in
      var row = object
      if object["before"]?.objectValue != nil { (row["before"], row["display"]) = (nil, nil) }
      return row
    }
  }

  /// The values that a version replaced, in their display strings if there are any and without the texts that its
  /// differences show; and the differences of texts alone.
  static func version(_ object: JSONObject) -> JSONObject {
    guard var before = object["before"]?.objectValue.map(ShownPage.stored) else { return object }
    var version = object
    for member in object["display"]?.objectValue?.members ?? [] where before[member.key] != nil {
      before[member.key] = member.value
    }
    if let diffs = object["diffs"]?.arrayValue {
      let texts = diffs.filter { ShownDiff(of: $0).map { list($0.older) == nil } ?? false }
      for name in texts.compactMap({ $0["field"]?.stringValue }) { before[name] = nil }
      version["diffs"] = .array(texts)
    }
    version["before"] = .object(before)
    return version
  }
}
