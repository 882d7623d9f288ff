import Contract
import Wire

/// How clients set a field: in `add`, where an absent one has its default; in `update`, where an absent one is kept and
/// `null` clears; and in drafts, which take what is half-written too.
package struct FieldInput<Root: Sendable>: Sendable {
  package let shape: Shape
  package let limits: FieldLimits
  /// A sentence for the reference.
  package let note: String
  /// Whether `null` clears it in an update; otherwise that is read as absent.
  package let isClearable: Bool
  /// Puts a value in that was checked against shape and limits.
  ///
  /// - Throws: `RPCError.invalidParams` for what only the library can refuse.
  let set: @Sendable (_ value: JSONValue, _ item: inout Root, _ snapshot: Snapshot) throws -> Void
  /// The same for a draft.
  let draft: @Sendable (_ value: JSONValue, _ item: inout Root, _ snapshot: Snapshot) throws -> Void
}

extension Field {
  /// Clients set it as they see it.
  ///
  /// - Parameter check: what limits cannot say. A draft is not checked: it may be half-written.
  package func settable(
    _ note: String? = nil, limits: FieldLimits? = nil, clearable isClearable: Bool = true,
    check: (@Sendable (JSONValue) throws -> Void)? = nil
  ) -> Field {
    var field = self
    let assign = assign
    field.input = FieldInput(
      shape: shape, limits: limits ?? self.limits, note: note ?? self.note, isClearable: isClearable,
      set: { value, item, _ in
        try check?(value)
        try assign(value, &item)
      }, draft: { value, item, _ in try assign(value, &item) })
    return field
  }

  /// Clients set it by a value of another type, such as a day in words.
  ///
  /// - Parameter set: puts it in. It may look at the fields before this one, which are set already.
  package func settable<Given: Codable & Sendable>(
    as type: Given.Type, _ note: String? = nil, limits: FieldLimits = FieldLimits(),
    clearable isClearable: Bool = true,
    _ set: @escaping @Sendable (_ given: Given, _ item: inout Root, _ snapshot: Snapshot) throws -> Void
  ) -> Field {
    var field = self
    let put: @Sendable (JSONValue, inout Root, Snapshot) throws -> Void = { value, item, snapshot in
      try set(JSONDecoding.decode(Given.self, from: value), &item, snapshot)
    }
    field.input = FieldInput(
      shape: Shape.of(type), limits: limits, note: note ?? self.note, isClearable: isClearable, set: put,
      draft: put)
    return field
  }
}

extension StoredItem {
  /// Sets the fields that these params give, in the order of their declaration.
  ///
  /// - Throws: `RPCError.invalidParams` with the field's name.
  package mutating func set(_ params: JSONObject, in snapshot: Snapshot) throws {
    try each(of: params) { field, input, value in
      if value.isNull {
        if field.traits.contains(.isRequired) {
          throw RPCError.invalidParams(field: field.wireName, reason: Text("param.blank"))
        }
        if input.isClearable { field.copy(Self(), &self) }
      } else {
        try input.set(value, &self, snapshot)
      }
    }
  }

  /// The same for what stands in an editor and is not saved.
  package mutating func setDrafted(_ params: JSONObject, in snapshot: Snapshot) throws {
    try each(of: params) { field, input, value in
      if value.isNull { field.copy(Self(), &self) } else { try input.draft(value, &self, snapshot) }
    }
  }

  private func each(
    of params: JSONObject,
    _ body: (_ field: Field<Self>, _ input: FieldInput<Self>, _ value: JSONValue) throws -> Void
  ) rethrows {
    for field in Self.fields.all {
      if let input = field.input, let value = params[field.wireName] { try body(field, input, value) }
    }
  }
}
