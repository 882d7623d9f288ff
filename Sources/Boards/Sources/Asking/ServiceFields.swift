import Contract
import Markup
import Wire

/// The members of a service's object: of the documented type, of another type, `null`, or absent.
struct ServiceFields {
  private let object: JSONObject

  /// `nil` for a value that is not an object.
  init?(_ value: JSONValue?) {
    guard let object = value?.objectValue else { return nil }
    self.object = object
  }

  subscript(key: String) -> JSONValue? { object[key] }

  func list(_ key: String) -> [JSONValue] { object[key]?.arrayValue ?? [] }

  /// A text without U+0000; nil for a blank one. Numbers are converted to texts, since services change their types.
  func text(_ key: String) -> String? {
    switch object[key] {
    case .string(let text)?:
      let clean = text.hasNUL ? text.replacing("\0", with: "") : text
      return clean.utf8.contains { $0 > 0x20 } ? clean : nil
    case .integer(let number)?: return String(number)
    default: return nil
    }
  }

  /// The id of an item: a whole number, or a text.
  func id(_ key: String) -> String? {
    guard let id = text(key), id.utf8.count <= 200, !id.utf8.contains(where: { $0 <= 0x20 }) else { return nil }
    return id
  }

  /// A count; never negative.
  func count(_ key: String) -> Int? {
    let number = object[key]?.integerValue ?? object[key]?.stringValue.flatMap { Int64($0) }
    return number.flatMap { $0 >= 0 && $0 <= Int32.max ? Int($0) : nil }
  }

  func flag(_ key: String) -> Bool? {
    object[key]?.boolValue ?? object[key]?.integerValue.map { $0 != 0 }
  }

  /// In any of the forms that services use.
  func instant(_ key: String) -> Instant? { text(key).flatMap { FeedDates.instant($0) } }
}
