import Contract
import Wire

/// How clients set a field: in `add`, where an absent member gets its default; in `update`, where an absent member is
/// unchanged and `null` clears; and in drafts, which also accept incomplete values.
package struct FieldInput<Root: Sendable>: Sendable {
  /// The param's name, which is the field's unless the param's value is not the column's.
  package let name: String
  package var shape: Shape { makeShape() }
  package var limits: FieldLimits { makeLimits() }
  let makeShape: @Sendable () -> Shape
  let makeLimits: @Sendable () -> FieldLimits
  /// A sentence for the reference.
  package let note: String
  /// Whether `null` clears it in an update; otherwise `null` is read as absent.
  package let isClearable: Bool
  /// Stores a value that was checked against shape and limits.
  ///
  /// - Throws: `RPCError.invalidParams` for a value that only the library can refuse.
  let set: @Sendable (_ value: JSONValue, _ item: inout Root, _ snapshot: Snapshot) throws -> Void
  /// The same for a draft.
  let draft: @Sendable (_ value: JSONValue, _ item: inout Root, _ snapshot: Snapshot) throws -> Void
}

extension FieldInput {
  /// Converts the input of a part's field to one of the whole.
  init<Part: Sendable>(_ input: FieldInput<Part>, of path: any WritableKeyPath<Root, Part> & Sendable) {
    (name, makeShape, makeLimits, note) = (input.name, input.makeShape, input.makeLimits, input.note)
    isClearable = input.isClearable
    set = { try input.set($0, &$1[keyPath: path], $2) }
    draft = { try input.draft($0, &$1[keyPath: path], $2) }
  }
}

extension Field {
  /// Lets clients set the field by the value that they see.
  ///
  /// - Parameter check: a check beyond the limits. Drafts skip it, since they may be incomplete.
  package func settable(
    _ note: String? = nil, limits: FieldLimits? = nil, clearable isClearable: Bool = true,
    check: (@Sendable (JSONValue) throws -> Void)? = nil
  ) -> Field {
    var field = self
    let (assign, declared) = (assign, self.limits)
    field.input = FieldInput(
      name: wireName, makeShape: makeShape, makeLimits: { limits ?? declared }, note: note ?? self.note,
      isClearable: isClearable,
      set: { value, item, _ in
        try check?(value)
        try assign(value, &item)
      }, draft: { value, item, _ in try assign(value, &item) })
    return field
  }

  /// Lets clients set it by a value of another type, such as a natural-language date.
  ///
  /// - Parameters:
  ///   - name: the param's name; the field's unless given.
  ///   - set: stores the value. It may read the fields declared before this one, which are already set.
  package func settable<Given: Codable & Sendable>(
    as type: Given.Type, named name: String? = nil, _ note: String? = nil, limits: FieldLimits? = nil,
    clearable isClearable: Bool = true,
    _ set: @escaping @Sendable (_ given: Given, _ item: inout Root, _ snapshot: Snapshot) throws -> Void
  ) -> Field {
    var field = self
    let put: @Sendable (JSONValue, inout Root, Snapshot) throws -> Void = { value, item, snapshot in
      try set(JSONDecoding.decode(Given.self, from: value), &item, snapshot)
    }
    let (stored, declared) = (makeShape, self.limits)
    field.input = FieldInput(
      name: name ?? wireName, makeShape: { Shape.of(type) },
      makeLimits: { limits ?? (Shape.of(type) == stored() ? declared : FieldLimits()) },
      note: note ?? self.note, isClearable: isClearable, set: put, draft: put)
    return field
  }
}
