import Contract
import Store
import Wire

/// An item, or another object with declared members, in a reply. It is encoded immediately, while the snapshot for its
/// derived members is valid.
public struct ItemJSON<Shown: ShownObject>: Payload, ShapedValue {
  package let bytes: [UInt8]

  /// - Parameter isListed: whether to omit members that are too long for a list.
  /// - Throws: the error of a value that cannot be encoded.
  public init(_ shown: consuming Shown, isListed: Bool = false) throws {
    var json = JSONWriter(reservingCapacity: 1_024)
    try Shown.members.write(&shown, isListed: isListed, to: &json)
    bytes = json.bytes
  }

  private init(_ value: JSONValue) { bytes = JSONWriter.bytes(of: value) }

  package var value: JSONValue {
    get throws { try JSONParser.parse(bytes) }
  }

  package func write(to json: inout JSONWriter) { json.write(raw: bytes) }

  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws { self.init(try JSONValue(from: decoder)) }

  /// - Throws: `JSONSyntaxError`, or the encoder's error.
  public func encode(to encoder: any Encoder) throws { try JSONEncoding.encode(written: bytes, to: encoder) }

  package static var shape: Shape { .object(Shown.members.shape(named: Shown.name)) }
  package static var sample: ItemJSON { example }
  package static var fields: [String: String] { [:] }

  package static var example: ItemJSON {
    do {
      return ItemJSON(.object(try Shown.members.example))
    } catch {
      fatalError("the example of \(Shown.name) cannot be written: \(error)")
    }
  }
}

extension ItemJSON: NamedType {
  package static var typeName: String { Shown.name }
}

extension ItemJSON where Shown: SnapshotItem {
  /// - Throws: `StoreError.broken`, `DatabaseError`, or the error of a value that cannot be encoded.
  public init(_ item: Shown.Item, in snapshot: Snapshot) throws { try self.init(Shown(item, in: snapshot)) }
}

extension SnapshotItem {
  /// The item as clients see it, for its collection.
  public static var payload: @Sendable (_ item: Item, _ snapshot: Snapshot) throws -> ItemJSON<Self>? {
    { try ItemJSON($0, in: $1) }
  }
}
