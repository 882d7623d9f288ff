import Contract
import Store
import Wire

/// An item as one client sees it: its declared fields, and members that are derived from them and from the rest of the
/// library when a reply is written.
package protocol ShownItem: SendableMetatype {
  associatedtype Item: StoredItem
  /// What the reference and the schemas call it.
  static var name: String { get }
  /// An item for the reference.
  static var example: Item { get }
  /// The first members: its id, revision and times.
  static var head: [DerivedMember<Self>] { get }
  /// Notes of those whose usual ones do not say it, by their names.
  static var headNotes: [String: String] { get }
  /// Whether a field is a member.
  static func shows(_ field: Field<Item>) -> Bool
  /// Members that no column holds. One that is called as a field takes the field's place.
  static var derived: [DerivedMember<Self>] { get }
  var item: Item { get }
}

/// An item of which one state of the library says all that a client sees.
package protocol SnapshotItem: ShownItem {
  init(_ item: Item, in snapshot: Snapshot) throws
}

extension ShownItem {
  package static var headNotes: [String: String] { [:] }

  package static var head: [DerivedMember<Self>] {
    func note(_ name: String, _ usual: String) -> String { headNotes[name] ?? usual }
    return [
      DerivedMember("id", note("id", "The item's id."), example: .string(example.id)) {
        ItemID(unchecked: $0.item.id)
      },
      DerivedMember(
        "revision", note("revision", "Changes with every update. Compared for equality only."),
        example: .integer(example.revision)
      ) { $0.item.revision },
      DerivedMember(
        "createdAt", note("createdAt", "When it came into the library."),
        example: .string(example.createdAt.description)
      ) { $0.item.createdAt },
      DerivedMember(
        "updatedAt", note("updatedAt", "When it last changed."), example: .string(example.updatedAt.description)
      ) { $0.item.updatedAt },
    ]
  }

  package static func shows(_ field: Field<Item>) -> Bool {
    !field.traits.contains(.isInternal) && !field.note.isEmpty
  }
}

/// A member of a reply that is derived from an item.
package struct DerivedMember<Shown>: Sendable {
  let member: ObjectShape.Field
  let example: JSONValue?
  let write: @Sendable (_ shown: Shown, _ json: inout JSONWriter) throws -> Void

  /// - Parameter example: nil where the example has no such member.
  package init<Value>(
    _ name: String, _ type: WireType<Value>, _ note: String, example: JSONValue?,
    _ value: @escaping @Sendable (Shown) throws -> Value
  ) {
    let key = MemberKey(name)
    member = ObjectShape.Field(
      name: name, shape: type.shape, presence: type.isOptional ? .optional : .required, note: note)
    self.example = example
    write = { shown, json in try type.write(try value(shown), as: key, to: &json) }
  }

  package init<Value: WireValue>(
    _ name: String, _ note: String, example: JSONValue?, _ value: @escaping @Sendable (Shown) throws -> Value
  ) {
    self.init(name, Value.wireType, note, example: example, value)
  }

  /// An object of derived members, such as the strings for people.
  ///
  /// - Parameters:
  ///   - typeName: what the reference and the schemas call it.
  ///   - isThere: whether an item has it; nil where all have.
  package init(
    _ name: String, of typeName: String, _ note: String, where isThere: (@Sendable (Shown) -> Bool)? = nil,
    @MembersBuilder<Shown> _ members: () -> [DerivedMember]
  ) {
    let key = MemberKey(name)
    let members = members()
    member = ObjectShape.Field(
      name: name, shape: .object(.described(typeName, members.map(\.member))),
      presence: isThere == nil ? .required : .optional, note: note)
    var example: JSONObject = [:]
    for member in members { example[member.member.name] = member.example }
    self.example = .object(example)
    write = { shown, json in
      if let isThere, !isThere(shown) { return }
      json.member(key)
      json.beginObject()
      for member in members { try member.write(shown, &json) }
      json.endObject()
    }
  }
}

@resultBuilder
package enum MembersBuilder<Shown> {
  package static func buildExpression(_ member: DerivedMember<Shown>) -> DerivedMember<Shown> { member }
  package static func buildBlock(_ members: DerivedMember<Shown>...) -> [DerivedMember<Shown>] { members }
}

/// The members of a reply in their order, made once for each type.
struct ReplyMembers<Shown: ShownItem> {
  let head: [DerivedMember<Shown>]
  let fields: [Field<Shown.Item>]
  let derived: [DerivedMember<Shown>]

  init() {
    (head, derived) = (Shown.head, Shown.derived)
    let replaced = Set(derived.map(\.member.name))
    fields = Shown.Item.fields.all.filter { Shown.shows($0) && !replaced.contains($0.wireName) }
  }

  func write(_ shown: Shown, isListed: Bool, to json: inout JSONWriter) throws {
    let item = shown.item
    json.beginObject()
    for member in head { try member.write(shown, &json) }
    for field in fields where !isListed || !field.traits.contains(.isOmittedInLists) { try field.write(item, &json) }
    for member in derived { try member.write(shown, &json) }
    json.endObject()
  }

  var shape: ObjectShape {
    let members =
      head.map(\.member)
      + fields.map { field in
        let isOptional = field.isOptional || field.traits.contains(.isOmittedInLists)
        return ObjectShape.Field(
          name: field.wireName, shape: field.shape, presence: isOptional ? .optional : .required, note: field.note)
      } + derived.map(\.member)
    return .described(Shown.name, members)
  }

  /// The item of the reference.
  var example: JSONObject {
    get throws {
      var json = JSONWriter()
      json.beginObject()
      for field in fields { try field.write(Shown.example, &json) }
      json.endObject()
      var object: JSONObject = [:]
      for member in head { object[member.member.name] = member.example }
      for member in try JSONParser.parse(json.bytes).objectValue?.members ?? [] { object[member.key] = member.value }
      for member in derived { object[member.member.name] = member.example }
      return object
    }
  }
}
