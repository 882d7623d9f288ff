/// Writes objects member by member, for values that are written too often to use `Codable`:
///
///     json.beginObject()
///     json.member("title", title)
///     json.member("url", url)          // omitted if nil
///     json.endObject()
extension JSONWriter {
  package mutating func beginObject() {
    write(byte: UInt8(ascii: "{"))
  }

  package mutating func endObject() {
    write(byte: UInt8(ascii: "}"))
  }

  package mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    member(key)
    write(string: value)
  }

  package mutating func member(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    member(key)
    write(integer: value)
  }

  package mutating func member(_ key: StaticString, _ value: Int?) {
    member(key, value.map(Int64.init))
  }

  package mutating func member(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    member(key)
    write(literal: value ? "true" : "false")
  }

  package mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    member(key)
    write(number: value)
  }
}
