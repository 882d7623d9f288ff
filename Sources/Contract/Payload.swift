import Wire

/// The params or the result of a method, or a part of one.
///
/// The stored properties are the fields: `Probe` learns their names, types and optionality from the synthesized
/// `Codable`, so a payload never implements that itself. There are no unions: alternatives are optional fields listed
/// in `exactlyOne`. The static members below have everything that the types do not show.
package protocol Payload: Codable, WireValue {
  /// A realistic value. It is printed in the reference, sent by a test, and decoded.
  static var example: Self { get }
  /// A note for every field, by its name on the wire.
  static var fields: [String: String] { get }
  /// The label of a field, if it is not the one of its name; see `ObjectShape.Field.label`.
  static var terms: [String: String] { get }
  /// Groups of optional fields of which exactly one must be present.
  static var exactlyOne: [[String]] { get }
  /// Groups of optional fields of which at most one may be present.
  static var atMostOne: [[String]] { get }
  /// Limits beyond the fields' types: ranges of numbers, lengths of texts and lists, formats of texts.
  static var limits: [String: FieldLimits] { get }
  /// Fields that are masked in logs and traces.
  static var secrets: Set<String> { get }
  /// Writes the value as JSON: through `Codable`, unless the type writes its members itself, which takes a fifth of the
  /// time. The most frequent results do; a test compares the two.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot represent, and whatever the value throws.
  func write(to json: inout JSONWriter) throws
  /// Decodes the value from params that were checked against its shape, so that required members are present and have
  /// the right type.
  ///
  /// - Throws: `RPCError.invalidParams` with the field, for a value that its type refuses.
  static func read(checked params: JSONValue) throws(RPCError) -> Self
}

extension Payload {
  /// An object with a type of its own.
  public static var wireType: WireType<Self> { WireType(shape) { try $0.write(to: &$1) } }

  package static var terms: [String: String] { [:] }
  package static var exactlyOne: [[String]] { [] }
  package static var atMostOne: [[String]] { [] }
  package static var limits: [String: FieldLimits] { [:] }
  package static var secrets: Set<String> { [] }

  /// - Throws: `RPCError.invalidParams`.
  package static func read(checked params: JSONValue) throws(RPCError) -> Self {
    try JSONDecoding.decode(Self.self, from: params)
  }

  /// - Throws: the error of a value that cannot be encoded.
  package func write(to json: inout JSONWriter) throws {
    json.write(raw: try JSONEncoding.bytes(of: self))
  }

  /// The encoded value.
  ///
  /// - Throws: as `write(to:)`.
  package func json() throws -> [UInt8] {
    if Self.self == Empty.self { return emptyObject }
    var json = JSONWriter(reservingCapacity: 1_024)
    try write(to: &json)
    return json.bytes
  }
}

extension JSONWriter {
  /// - Throws: the error of a value that cannot be encoded.
  package mutating func member(_ key: StaticString, _ value: some Payload) throws {
    member(key)
    try value.write(to: &self)
  }

  /// - Throws: the error of a value that cannot be encoded.
  package mutating func member(_ key: StaticString, _ values: [some Payload]) throws {
    member(key)
    try write(list: values) { try $0.write(to: &$1) }
  }
}

private let emptyObject = Array("{}".utf8)

/// An object without fields.
package struct Empty: Payload, Equatable {
  package static let example = Empty()
  package static let fields: [String: String] = [:]

  package init() {}

  package func write(to json: inout JSONWriter) {
    json.write(literal: "{}")
  }
}

/// The result `null`, which LSP requires for `shutdown`. Our own results are objects.
package struct Null: Payload, ShapedValue, Equatable {
  package static let example = Null()
  package static let fields: [String: String] = [:]
  package static var shape: Shape { .null }
  package static var sample: Null { Null() }

  package init() {}

  /// - Throws: `InvalidValue` for any value but `null`, `DecodingError`.
  package init(from decoder: any Decoder) throws {
    guard try decoder.singleValueContainer().decodeNil() else { throw InvalidValue(Text("param.invalid")) }
  }

  /// - Throws: the encoder's error.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// An object whose format is described elsewhere, such as the OpenRPC document.
extension JSONObject: Payload {
  package static var example: JSONObject { [:] }
  package static var fields: [String: String] { [:] }

  package func write(to json: inout JSONWriter) {
    json.write(.object(self))
  }
}

extension JSONWriter {
  /// The members of a page of a list besides its items.
  package mutating func pageMembers(
    offset: Int, limit: Int, total: Int, totalIsEstimate: Bool, hasMore: Bool, next: String?
  ) {
    member("offset", offset)
    member("limit", limit)
    member("total", total)
    member("totalIsEstimate", totalIsEstimate)
    member("hasMore", hasMore)
    member("next", next)
  }
}

/// A value whose format is described elsewhere, such as a result of LSP, which may be an object, an array or null.
extension JSONValue: Payload {
  package static var example: JSONValue { .null }
  package static var fields: [String: String] { [:] }

  package func write(to json: inout JSONWriter) {
    json.write(self)
  }
}

extension Page: NamedType {
  package static var typeName: String { Contract.typeName(Item.self) + "Page" }
}

/// A page of a list, and how to continue. The daemon adds `clock`, as to every reply.
package struct Page<Item: Payload>: Payload {
  package var items: [Item]
  package var offset: Int
  package var limit: Int
  package var total: Int
  package var totalIsEstimate: Bool
  package var hasMore: Bool
  package var next: String?

  /// - Parameter next: given exactly if there is more: it refers to the last item, whatever is inserted meanwhile.
  package init(items: [Item], offset: Int, limit: Int, total: Int, totalIsEstimate: Bool = false, next: String?) {
    self.items = items
    self.offset = offset
    self.limit = limit
    self.total = total
    self.totalIsEstimate = totalIsEstimate
    self.hasMore = next != nil
    self.next = next
  }

  /// - Throws: the error of a value that cannot be encoded.
  package func write(to json: inout JSONWriter) throws {
    json.beginObject()
    try json.member("items", items)
    json.pageMembers(
      offset: offset, limit: limit, total: total, totalIsEstimate: totalIsEstimate, hasMore: hasMore, next: next)
    json.endObject()
  }

  package static var example: Page {
    Page(items: [Item.example], offset: 0, limit: 50, total: 1, next: nil)
  }

  package static var fields: [String: String] {
    [
      "items": "The items, in the requested order.",
      "offset": "The number of items before the first one here.",
      "limit": "The requested number of items.",
      "total": "The total number of items.",
      "totalIsEstimate": "Whether `total` is an estimate, as it may be for a remote source.",
      "hasMore": "Whether more items follow.",
      "next": "Cursor for the next page: pass it as `after`. Items inserted meanwhile do not disturb it.",
    ]
  }
}
