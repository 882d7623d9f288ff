import Contract
import Store
import Wire

/// Params that give fields of an item: which of them, and what else a method takes, its kind says.
package protocol FieldParams: Payload, ShapedValue {
  associatedtype Shown: ShownItem
  static var members: [ObjectShape.Field] { get }
  static var typeName: String { get }
  var given: JSONObject { get }
  init(given: JSONObject)
}

extension FieldParams {
  package init(from decoder: any Decoder) throws { self.init(given: try JSONObject(from: decoder)) }
  package func encode(to encoder: any Encoder) throws { try given.encode(to: encoder) }

  package static func read(checked params: JSONValue) throws(RPCError) -> Self {
    Self(given: params.objectValue ?? [:])
  }

  package static var shape: Shape {
    .object(.described(typeName, members))
  }
  package static var sample: Self { example }
  package static var fields: [String: String] { [:] }

  /// The members that the example of the item has too.
  package static var example: Self {
    guard let item = try? ItemJSON<Shown>.example.value.objectValue else { fatalError("no example of \(Shown.name)") }
    var given: JSONObject = [:]
    for member in members { given[member.name] = item[member.name] ?? extras[member.name] }
    return Self(given: given)
  }

  private static var extras: JSONObject { ["ifRevision": 42] }

  package var id: String? { given["id"]?.stringValue }

  /// Whether these params set the field of this name.
  package func sets(_ field: String) -> Bool { given[field] != nil }

  fileprivate static func member(
    _ field: Field<Shown.Item>, _ input: FieldInput<Shown.Item>, _ presence: ObjectShape.Presence
  ) -> ObjectShape.Field {
    ObjectShape.Field(
      name: field.wireName, shape: input.shape, presence: presence, note: input.note, limits: input.limits)
  }

  fileprivate static func id(_ presence: ObjectShape.Presence, _ note: String) -> ObjectShape.Field {
    ObjectShape.Field(name: "id", shape: .text(.id), presence: presence, note: note)
  }
}

/// The params of an `add`.
package struct NewItem<Shown: ShownItem>: FieldParams {
  package let given: JSONObject
  package init(given: JSONObject) { self.given = given }

  package static var typeName: String { "New\(Shown.name)" }
  package static var members: [ObjectShape.Field] {
    Shown.Item.fields.all.compactMap { field in
      field.input.map {
        member(
          field, $0,
          field.traits.contains(.isRequired) ? .required : field.traits.contains(.hasDefault) ? .patch : .optional)
      }
    } + [id(.optional, "An id of the client's own.")]
  }

  /// The params without members that are `null`, which an `add` takes for absent unless the field has a default.
  package var values: JSONObject {
    JSONObject(
      given.members.filter { member in
        !member.value.isNull || Shown.Item.fields.member(member.key)?.traits.contains(.hasDefault) == true
      })
  }
}

/// The params of an `update`.
package struct ItemUpdate<Shown: ShownItem>: FieldParams {
  package let given: JSONObject
  package init(given: JSONObject) { self.given = given }

  package static var typeName: String { "Update\(Shown.name)" }
  package static var members: [ObjectShape.Field] {
    [id(.required, "The item.")]
      + Shown.Item.fields.all.compactMap { field in
        field.input.map { member(field, $0, $0.isClearable ? .patch : .optional) }
      } + [
        ObjectShape.Field(
          name: "ifRevision", shape: .integer, presence: .optional,
          note: "Refuse if the item has changed since this revision.")
      ]
  }

  package var ifRevision: Int64? { given["ifRevision"]?.exactInteger }

  /// Changes the item that these params name, as they say.
  ///
  /// - Parameter settle: what else the change does, or why it cannot be.
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

/// The params of a `draft`: the drafted fields, as they stand in an editor.
package struct DraftParams<Shown: ShownItem>: FieldParams {
  package let given: JSONObject
  package init(given: JSONObject) { self.given = given }

  package static var typeName: String { "Draft\(Shown.name)Params" }
  package static var members: [ObjectShape.Field] {
    [
      id(
        .optional,
        "The item; without it a new one, whose id is answered. Give that with every further draft, and to `add`.")
    ]
      + Shown.Item.fields.all.filter { $0.traits.contains(.isDrafted) }.compactMap { field in
        field.input.map { input in
          var member = member(field, input, field.isOptional ? .patch : .optional)
          if field.traits.contains(.isRequired) {
            // It may be blank until it is saved.
            member.limits.minimumLength = 0
            member.limits.notBlank = false
          }
          return member
        }
      }
  }
}
