import Contract
import Store
import Wire

/// The members of an object in replies, in order. The encoding, the schema, the reference and its example are derived
/// from them.
///
///     static let members = Members<Self> {
///       DerivedMember("id", "The book on the shelf.", example: "0192") { BookID(unchecked: $0.record.id) }
///       MemberGroup(ShelfContent.fields.shown, example: .example) { $0.record.content }
///     }
public struct Members<Shown>: Sendable {
  private let groups: [MemberGroup<Shown>]
  /// Combined closures that write all members, and those included in lists, chained one to the next: iterating over an
  /// array of generic values asks the runtime for their type at each step.
  private let all, listed: MemberGroup<Shown>.Write

  public init(@MembersBuilder<Shown> _ groups: () -> [MemberGroup<Shown>]) { self.init(groups()) }

  init(_ groups: [MemberGroup<Shown>]) {
    self.groups = groups
    all = Self.chain(groups)
    listed = Self.chain(groups.filter { !$0.isOmittedInLists })
  }

  private static func chain(_ groups: [MemberGroup<Shown>]) -> MemberGroup<Shown>.Write {
    var all: MemberGroup<Shown>.Write = { _, _, _ in }
    for group in groups.reversed() {
      let (write, next) = (group.write, all)
      all = { shown, isListed, json in
        try write(&shown, isListed, &json)
        try next(&shown, isListed, &json)
      }
    }
    return all
  }

  /// - Parameter isListed: whether to omit members that are too long for a list.
  func write(_ shown: inout Shown, isListed: Bool, to json: inout JSONWriter) throws {
    json.beginObject()
    try writeGroups(&shown, isListed: isListed, to: &json)
    json.endObject()
  }

  private func writeGroups(_ shown: inout Shown, isListed: Bool, to json: inout JSONWriter) throws {
    try (isListed ? listed : all)(&shown, isListed, &json)
  }

  package var names: [String] { groups.flatMap { $0.members.map(\.name) } }

  func shape(named name: String) -> ObjectShape { .described(name, groups.flatMap(\.members)) }

  /// The example object of the reference.
  var example: JSONObject {
    get throws {
      var object: JSONObject = [:]
      for group in groups {
        for member in try group.example().members { object[member.key] = member.value }
      }
      return object
    }
  }

  /// The same members of a whole that contains the object optionally: each may be absent.
  func part<Whole>(of whole: @escaping @Sendable (inout Whole) throws -> Shown?) -> MemberGroup<Whole> {
    MemberGroup(
      members: groups.flatMap(\.members).map { member in
        var member = member
        member.presence = .optional
        return member
      }, example: { try example },
      write: { shown, isListed, json in
        if var shown = try whole(&shown) { try writeGroups(&shown, isListed: isListed, to: &json) }
      })
  }
}

/// One or several consecutive members.
public struct MemberGroup<Shown>: Sendable {
  var members: [ObjectShape.Field]
  var isOmittedInLists = false
  let example: @Sendable () throws -> JSONObject
  /// The item is passed `inout` but not changed: passed by value it is copied in each of the closures, of which an item
  /// has some thirty.
  let write: Write

  typealias Write = @Sendable (_ shown: inout Shown, _ isListed: Bool, _ json: inout JSONWriter) throws -> Void
}

extension MemberGroup {
  /// Declared fields of an item, or of a part of one.
  ///
  /// - Parameter item: returns the value with these fields; called once for all of them.
  public init<Item: Sendable>(
    _ fields: [Field<Item>], example: Item, _ item: @escaping @Sendable (inout Shown) throws -> Item
  ) {
    let all = Self.chain(fields)
    let listed = Self.chain(fields.filter { !$0.traits.contains(.isOmittedInLists) })
    self.init(
      members: fields.map(\.member),
      example: {
        var json = JSONWriter()
        json.beginObject()
        for field in fields { try field.write(example, &json) }
        json.endObject()
        return try JSONParser.parse(json.bytes).objectValue ?? [:]
      },
      write: { shown, isListed, json in
        let item = try item(&shown)
        try (isListed ? listed : all)(item, &json)
      })
  }

  /// The chained closures of fields, as in `Members.all`.
  private static func chain<Item>(
    _ fields: [Field<Item>]
  ) -> @Sendable (_ item: Item, _ json: inout JSONWriter) throws -> Void {
    var all: @Sendable (_ item: Item, _ json: inout JSONWriter) throws -> Void = { _, _ in }
    for field in fields.reversed() {
      let (write, next) = (field.write, all)
      all = { item, json in
        try write(item, &json)
        try next(item, &json)
      }
    }
    return all
  }

  /// The members of another object, which a reply may contain beside its own.
  public init<Other: ShownObject>(of other: @escaping @Sendable (inout Shown) throws -> Other?) {
    self = Other.members.part(of: other)
  }
}

@resultBuilder
package enum MembersBuilder<Shown> {
  public static func buildExpression(_ member: DerivedMember<Shown>) -> [MemberGroup<Shown>] { [member.group] }
  public static func buildExpression(_ group: MemberGroup<Shown>) -> [MemberGroup<Shown>] { [group] }
  public static func buildBlock(_ groups: [MemberGroup<Shown>]...) -> [MemberGroup<Shown>] { groups.flatMap(\.self) }
}

extension Fields {
  /// The fields that clients see.
  package var shown: [Field<Root>] { all.filter(\.isShown) }
}

extension Field {
  package var isShown: Bool { !traits.contains(.isInternal) && !note.isEmpty }

  fileprivate var member: ObjectShape.Field {
    let isOptional = isOptional || traits.contains(.isOmittedInLists)
    var member = ObjectShape.Field(
      name: wireName, shape: shape, presence: isOptional ? .optional : .required, note: note)
    (member.term, member.isListed) = (term, !traits.contains(.isOmittedInLists))
    return member
  }
}
