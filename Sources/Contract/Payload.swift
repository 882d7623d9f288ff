import Wire

/// What travels as the params or the result of a method, or as a part of one.
///
/// The stored properties are the fields: `Probe` learns their names, types and optionality from the synthesized
/// `Codable`, so a payload never implements that itself. There are no unions: alternatives are optional fields listed
/// in `exactlyOne`. What cannot be seen from the types stands in the statics below.
package protocol Payload: Codable, WireValue {
  /// A value that could really travel. It is printed in the reference, sent by a test, and read back.
  static var example: Self { get }
  /// A note for every field, by its name on the wire.
  static var fields: [String: String] { get }
  /// What people call a field by, where its name means something else too; see `ObjectShape.Field.label`.
  static var terms: [String: String] { get }
  /// Groups of optional fields of which one must be there, and only one.
  static var exactlyOne: [[String]] { get }
  /// Groups of optional fields of which no two may be there.
  static var atMostOne: [[String]] { get }
  /// What a field's type does not say: ranges of numbers, lengths of texts and lists, forms of texts.
  static var limits: [String: FieldLimits] { get }
  /// Fields that are masked wherever they could be seen.
  static var secrets: Set<String> { get }
  /// Writes the value as JSON: through `Codable`, unless the type names its members itself, which takes a fifth of the
  /// time. Those do that are answered most; a test compares the two.
  func write(to json: inout JSONWriter) throws
  /// Reads the value from params that were checked against its shape, so that what is required is there and of its kind.
  static func read(checked params: JSONValue) throws(RPCError) -> Self
}

extension Payload {
  package static var terms: [String: String] { [:] }
  package static var exactlyOne: [[String]] { [] }
  package static var atMostOne: [[String]] { [] }
  package static var limits: [String: FieldLimits] { [:] }
  package static var secrets: Set<String> { [] }

  package static func read(checked params: JSONValue) throws(RPCError) -> Self {
    try JSONDecoding.decode(Self.self, from: params)
  }

  package func write(to json: inout JSONWriter) throws {
    json.write(raw: try JSONEncoding.bytes(of: self))
  }

  /// The value as it goes out.
  package func json() throws -> [UInt8] {
    if Self.self == Empty.self { return emptyObject }
    var json = JSONWriter(reservingCapacity: 1_024)
    try write(to: &json)
    return json.bytes
  }
}

extension JSONWriter {
  package mutating func member(_ key: StaticString, _ value: some Payload) throws {
    member(key)
    try value.write(to: &self)
  }

  package mutating func member(_ key: StaticString, _ values: [some Payload]) throws {
    member(key)
    try write(list: values) { try $0.write(to: &$1) }
  }

  package mutating func member(_ key: StaticString, _ value: Instant?) {
    guard let value else { return }
    member(key)
    write(value)
  }

  package mutating func write(_ instant: Instant) {
    write(byte: UInt8(ascii: "\""))
    write(bytes: Instant.length, instant.write)
    write(byte: UInt8(ascii: "\""))
  }
}

private let emptyObject = Array("{}".utf8)

/// No fields at all.
package struct Empty: Payload, Equatable {
  package static let example = Empty()
  package static let fields: [String: String] = [:]

  package init() {}

  package func write(to json: inout JSONWriter) {
    json.write(literal: "{}")
  }
}

/// The result `null`, which LSP has for `shutdown`. Results of our own are objects.
package struct Null: Payload, ShapedValue, Equatable {
  package static let example = Null()
  package static let fields: [String: String] = [:]
  package static var shape: Shape { .null }
  package static var sample: Null { Null() }

  package init() {}

  package init(from decoder: any Decoder) throws {
    guard try decoder.singleValueContainer().decodeNil() else { throw InvalidValue(Text("param.invalid")) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// An object whose form is described elsewhere, such as the OpenRPC document.
extension JSONObject: Payload {
  package static var example: JSONObject { [:] }
  package static var fields: [String: String] { [:] }

  package func write(to json: inout JSONWriter) {
    json.write(.object(self))
  }
}

extension Page: NamedType {
  package static var typeName: String { Contract.typeName(Item.self) + "Page" }
}

/// One part of a list, and how to go on. The daemon adds `clock`, as to every reply.
package struct Page<Item: Payload>: Payload {
  package var items: [Item]
  package var offset: Int
  package var limit: Int
  package var total: Int
  package var totalIsEstimate: Bool
  package var hasMore: Bool
  package var next: String?

  /// `next` is given exactly when there is more: it names the last item, whatever is inserted meanwhile.
  package init(items: [Item], offset: Int, limit: Int, total: Int, totalIsEstimate: Bool = false, next: String?) {
    self.items = items
    self.offset = offset
    self.limit = limit
    self.total = total
    self.totalIsEstimate = totalIsEstimate
    self.hasMore = next != nil
    self.next = next
  }

  package func write(to json: inout JSONWriter) throws {
    json.beginObject()
    try json.member("items", items)
    json.member("offset", offset)
    json.member("limit", limit)
    json.member("total", total)
    json.member("totalIsEstimate", totalIsEstimate)
    json.member("hasMore", hasMore)
    json.member("next", next)
    json.endObject()
  }

  package static var example: Page {
    Page(items: [Item.example], offset: 0, limit: 50, total: 1, next: nil)
  }

  package static var fields: [String: String] {
    [
      "items": "The items, in the order asked for.",
      "offset": "How many items come before the first one here.",
      "limit": "How many items were asked for.",
      "total": "How many items there are.",
      "totalIsEstimate": "Whether `total` is a guess, as a remote source may only guess.",
      "hasMore": "Whether items follow the last one here.",
      "next": "Given as `after`, continues behind the last item here, whatever was inserted meanwhile.",
    ]
  }
}
