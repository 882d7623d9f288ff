import Contract
import Store
import Synchronization
import Wire

/// An item in a reply. It is written at once, while the snapshot is at hand from which its derived members come.
package struct ItemJSON<Shown: ShownItem>: Payload, ShapedValue {
  package let bytes: [UInt8]

  /// - Parameter isListed: leaves out what is too long for a list.
  package init(_ shown: Shown, isListed: Bool = false) throws {
    var json = JSONWriter(reservingCapacity: 1_024)
    try Members.of(Shown.self).write(shown, isListed: isListed, to: &json)
    bytes = json.bytes
  }

  private init(_ value: JSONValue) { bytes = JSONWriter.bytes(of: value) }

  package var value: JSONValue {
    get throws { try JSONParser.parse(bytes) }
  }

  package func write(to json: inout JSONWriter) { json.write(raw: bytes) }
  package init(from decoder: any Decoder) throws { self.init(try JSONValue(from: decoder)) }
  package func encode(to encoder: any Encoder) throws { try JSONEncoding.encode(written: bytes, to: encoder) }

  package static var shape: Shape { .object(Members.of(Shown.self).shape) }
  package static var sample: ItemJSON { example }
  package static var fields: [String: String] { [:] }

  package static var example: ItemJSON {
    do {
      return ItemJSON(.object(try Members.of(Shown.self).example))
    } catch {
      fatalError("the example of \(Shown.name) cannot be written: \(error)")
    }
  }
}

extension ItemJSON: NamedType {
  package static var typeName: String { Shown.name }
}

extension ItemJSON where Shown: SnapshotItem {
  package init(_ item: Shown.Item, in snapshot: Snapshot) throws { try self.init(Shown(item, in: snapshot)) }
}

extension SnapshotItem {
  /// The item of an id as clients see it, for conflicts and history.
  package static var payload: @Sendable (_ id: String, _ snapshot: Snapshot) throws -> JSONValue? {
    { id, snapshot in try snapshot.find(Item.self, id: id).map { try ItemJSON<Self>($0, in: snapshot).value } }
  }
}

/// The members of each type of item, made once: a generic type cannot keep its own.
private enum Members {
  private static let known = Mutex<[ObjectIdentifier: any Sendable]>([:])

  static func of<Shown: ShownItem>(_ type: Shown.Type) -> ReplyMembers<Shown> {
    known.withLock { known in
      if let members = known[ObjectIdentifier(type)] as? ReplyMembers<Shown> { return members }
      let members = ReplyMembers<Shown>()
      known[ObjectIdentifier(type)] = members
      return members
    }
  }
}
