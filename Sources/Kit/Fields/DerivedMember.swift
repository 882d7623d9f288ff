import Contract
import Store
import Wire

/// A member of a reply that is not stored in a column.
public struct DerivedMember<Shown>: Sendable {
  private(set) var group: MemberGroup<Shown>

  /// The member's name.
  var name: String { group.members[0].name }

  /// - Parameter example: nil if the example does not have this member.
  public init<Value>(
    _ name: String, _ type: WireType<Value>, _ note: String, example: JSONValue?,
    _ value: @escaping @Sendable (inout Shown) throws -> Value
  ) {
    let (key, write, isNothing) = (MemberKey(name), type.write, type.isNothing)
    self.init(
      name, type.shape, isOptional: type.isOptional, note, example: { example },
      write: { shown, json in
        let value = try value(&shown)
        if let isNothing, isNothing(value) { return }
        json.member(key)
        try write(value, &json)
      })
  }

  public init<Value: WireValue>(
    _ name: String, _ note: String, example: JSONValue?, _ value: @escaping @Sendable (inout Shown) throws -> Value
  ) {
    self.init(name, Value.wireType, note, example: example, value)
  }

  /// The same for a value that may be absent, as most in a list are: tested here, where the type is known.
  public init<Value: WireValue>(
    _ name: String, _ note: String, example: JSONValue?, _ value: @escaping @Sendable (inout Shown) throws -> Value?
  ) {
    let (key, type) = (MemberKey(name), Value.wireType)
    let write = type.write
    self.init(
      name, type.shape, isOptional: true, note, example: { example },
      write: { shown, json in
        guard let value = try value(&shown) else { return }
        json.member(key)
        try write(value, &json)
      })
  }

  /// A nested object of the same item, such as its display strings.
  ///
  /// - Parameters:
  ///   - typeName: its name in the reference and the schemas.
  ///   - isThere: whether an item has it; nil if all do.
  public init(
    _ name: String, of typeName: String, _ note: String, where isThere: (@Sendable (inout Shown) -> Bool)? = nil,
    @MembersBuilder<Shown> _ members: () -> [MemberGroup<Shown>]
  ) {
    let key = MemberKey(name)
    let members = Members(members())
    self.init(
      name, .object(members.shape(named: typeName)), isOptional: isThere != nil, note,
      example: { .object(try members.example) },
      write: { shown, json in
        if let isThere, !isThere(&shown) { return }
        json.member(key)
        try members.write(&shown, isListed: false, to: &json)
      })
  }

  /// An independent object, which may be absent.
  public init<Object: ShownObject>(
    _ name: String, _ note: String, _ object: @escaping @Sendable (inout Shown) throws -> Object?
  ) {
    let key = MemberKey(name)
    let members = Object.members
    self.init(
      name, .object(members.shape(named: Object.name)), isOptional: true, note,
      example: { .object(try members.example) },
      write: { shown, json in
        guard var object = try object(&shown) else { return }
        json.member(key)
        try members.write(&object, isListed: false, to: &json)
      })
  }

  private init(
    _ name: String, _ shape: Shape, isOptional: Bool, _ note: String,
    example: @escaping @Sendable () throws -> JSONValue?,
    write: @escaping @Sendable (_ shown: inout Shown, _ json: inout JSONWriter) throws -> Void
  ) {
    let member = ObjectShape.Field(
      name: name, shape: shape, presence: isOptional ? .optional : .required, note: note)
    group = MemberGroup(
      members: [member], example: { try example().map { [name: $0] } ?? [:] },
      write: { shown, _, json in try write(&shown, &json) })
  }

  /// The same, omitted in lists, as it may be long.
  package var omittedInLists: DerivedMember {
    var member = self
    member.group.isOmittedInLists = true
    member.group.members[0].presence = .optional
    member.group.members[0].isListed = false
    return member
  }

  /// The same with the label of another catalogue name.
  package func called(_ term: String) -> DerivedMember {
    var member = self
    member.group.members[0].term = term
    return member
  }
}
