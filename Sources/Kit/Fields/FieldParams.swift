import Contract
import Store
import Wire

/// Params that are declared one by one: fields of an item, and other params of a method.
package protocol FieldParams: Payload, ShapedValue {
  static var members: [ObjectShape.Field] { get }
  static var typeName: String { get }
  var given: JSONObject { get }
  init(given: JSONObject)
}

extension FieldParams {
  /// - Throws: `DecodingError` for a value that is no object.
  package init(from decoder: any Decoder) throws { self.init(given: try JSONObject(from: decoder)) }

  /// - Throws: the encoder's error.
  package func encode(to encoder: any Encoder) throws { try given.encode(to: encoder) }

  /// - Throws: nothing.
  package static func read(checked params: JSONValue) throws(RPCError) -> Self {
    Self(given: params.objectValue ?? [:])
  }

  package static var shape: Shape {
    var shape = ObjectShape.described(typeName, members)
    (shape.exactlyOne, shape.atMostOne) = (exactlyOne, atMostOne)
    return .object(shape)
  }
  package static var sample: Self { example }
  package static var fields: [String: String] { [:] }

  package var id: String? { given["id"]?.stringValue }
  package var ifRevision: Int64? { given["ifRevision"]?.exactInteger }

  /// The params without members that are `null`.
  package var values: JSONObject { JSONObject(given.members.filter { !$0.value.isNull }) }

  /// Whether these params contain a field, possibly as `null`.
  package func sets(_ field: String) -> Bool { given[field] != nil }

  /// A param that is not a field; nil if it is absent.
  ///
  /// - Throws: `RPCError` for a value of another type.
  package func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
    guard let value = given[name], !value.isNull else { return nil }
    return try JSONDecoding.decode(type, from: value)
  }
}

/// Params of a method that adds or changes an item.
package protocol ItemParams: FieldParams {
  associatedtype Shown: ShownItem
}

extension ItemParams {
  /// The members that the example of the item has as well.
  package static var example: Self {
    guard let item = try? ItemJSON<Shown>.example.value.objectValue else { fatalError("no example of \(Shown.name)") }
    var given: JSONObject = [:]
    for member in members { given[member.name] = item[member.name] ?? extras[member.name] }
    return Self(given: given)
  }

  private static var extras: JSONObject { ["ifRevision": 42] }
}

extension ObjectShape.Field {
  /// A param that is not a field.
  package static func param<Value: Decodable>(
    _ name: String, _ type: Value.Type, _ presence: ObjectShape.Presence,
    limits: FieldLimits = FieldLimits(), _ note: String
  ) -> ObjectShape.Field {
    ObjectShape.Field(name: name, shape: Shape.of(type), presence: presence, note: note, limits: limits)
  }

  package static func id(_ presence: ObjectShape.Presence, _ note: String) -> ObjectShape.Field {
    .param("id", ItemID.self, presence, note)
  }

  package static let ifRevision = param(
    "ifRevision", Int64.self, .optional, "Fails with `conflict` if the item has another revision.")
}

extension Fields {
  /// The params of `add` that set fields.
  package var added: [ObjectShape.Field] {
    params { field, _ in
      field.traits.contains(.isRequired) ? .required : field.traits.contains(.hasDefault) ? .patch : .optional
    }
  }

  /// The params of `update` that set fields.
  package var updated: [ObjectShape.Field] { params { $1.isClearable ? .patch : .optional } }

  private func params(
    _ presence: (Field<Root>, FieldInput<Root>) -> ObjectShape.Presence
  ) -> [ObjectShape.Field] {
    all.compactMap { field in field.input.map { $0.param(presence(field, $0)) } }
  }
}

extension FieldInput {
  fileprivate func param(_ presence: ObjectShape.Presence) -> ObjectShape.Field {
    ObjectShape.Field(name: name, shape: shape, presence: presence, note: note, limits: limits)
  }
}

/// The params of `add`.
package struct NewItem<Shown: ShownItem>: ItemParams {
  package let given: JSONObject
  package init(given: JSONObject) { self.given = given }

  package static var typeName: String { "New\(Shown.name)" }
  package static var members: [ObjectShape.Field] {
    Shown.Item.fields.added + [.id(.optional, "An id chosen by the client.")]
  }

  /// The params without members that are `null`, which `add` treats as absent unless the field has a default.
  package var values: JSONObject {
    JSONObject(
      given.members.filter { member in
        !member.value.isNull || Shown.Item.fields.member(member.key)?.traits.contains(.hasDefault) == true
      })
  }
}

/// The params of `update`.
package struct ItemUpdate<Shown: ShownItem>: ItemParams {
  package let given: JSONObject
  package init(given: JSONObject) { self.given = given }

  package static var typeName: String { "Update\(Shown.name)" }
  package static var members: [ObjectShape.Field] {
    [.id(.required, "The item.")] + Shown.Item.fields.updated + [.ifRevision]
  }

  /// Changes the item that these params identify.
  ///
  /// - Parameter settle: makes dependent changes, or throws if the change is not possible.
  /// - Throws: `notFound`, `conflict`, and `invalidParams` with the field's name.
  @discardableResult
  package func change(
    in transaction: Transaction, _ settle: (inout Shown.Item, _ before: Shown.Item) throws -> Void = { _, _ in }
  ) throws -> (before: Shown.Item, after: Shown.Item) {
    let before = try transaction.snapshot.get(Shown.Item.self, id: id ?? "")
    try transaction.require(before, at: ifRevision)
    let after = try transaction.change(before) { item in
      try item.set(given, in: transaction.snapshot)
      try settle(&item, before)
    }
    return (before, after)
  }
}

/// The params of `draft`: the drafted fields as in an editor.
package struct DraftParams<Shown: ShownItem>: ItemParams {
  package let given: JSONObject
  package init(given: JSONObject) { self.given = given }

  package static var typeName: String { "Draft\(Shown.name)Params" }
  package static var members: [ObjectShape.Field] {
    [
      .id(
        .optional,
        "The item; absent for a new one, whose id is returned. Pass that with every further draft, and to `add`.")
    ]
      + Shown.Item.fields.all.filter { $0.traits.contains(.isDrafted) }.compactMap { field in
        field.input.map { input in
          var member = input.param(field.isOptional ? .patch : .optional)
          if field.traits.contains(.isRequired) {
            // It may be blank until the item is saved.
            member.limits.minimumLength = 0
            member.limits.notBlank = false
          }
          return member
        }
      }
  }
}
