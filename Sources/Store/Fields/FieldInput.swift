import Contract
import Wire

/// How clients set a field: in `add`, where an absent one has its default; in `update`, where an absent one is kept and
/// `null` clears; and in drafts, which take what is half-written too.
package struct FieldInput<Root: Sendable>: Sendable {
  /// The param's name, which is the field's unless a client gives less or more than the column holds.
  package let name: String
  package var shape: Shape { makeShape() }
  package var limits: FieldLimits { makeLimits() }
  let makeShape: @Sendable () -> Shape
  let makeLimits: @Sendable () -> FieldLimits
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

extension FieldInput {
  /// The input of a part's field, as one of the whole.
  init<Part: Sendable>(_ input: FieldInput<Part>, of path: any WritableKeyPath<Root, Part> & Sendable) {
    (name, makeShape, makeLimits, note) = (input.name, input.makeShape, input.makeLimits, input.note)
    isClearable = input.isClearable
    set = { try input.set($0, &$1[keyPath: path], $2) }
    draft = { try input.draft($0, &$1[keyPath: path], $2) }
  }
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

  /// Clients set it by a value of another type, such as a day in words.
  ///
  /// - Parameters:
  ///   - name: the param's; the field's unless it is given.
  ///   - set: puts it in. It may look at the fields before this one, which are set already.
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

extension Fields {
  /// Sets the fields that these params give, in the order of their declaration.
  ///
  /// - Parameter empty: what a cleared field is copied from.
  /// - Throws: `RPCError.invalidParams` with the param's name.
  package func set(_ params: JSONObject, of item: inout Root, cleared empty: Root, in snapshot: Snapshot) throws {
    try each(of: params) { field, input, value in
      if !value.isNull {
        try input.set(value, &item, snapshot)
      } else if field.traits.contains(.isRequired) {
        throw RPCError.invalidParams(field: input.name, reason: Text("param.blank"))
      } else if input.isClearable {
        for field in group(of: field) { field.copy(empty, &item) }
      }
    }
  }

  fileprivate func each(
    of params: JSONObject,
    _ body: (_ field: Field<Root>, _ input: FieldInput<Root>, _ value: JSONValue) throws -> Void
  ) rethrows {
    for field in all {
      if let input = field.input, let value = params[input.name] { try body(field, input, value) }
    }
  }
}

extension StoredItem {
  /// Sets the fields that these params give, in the order of their declaration.
  ///
  /// - Throws: `RPCError.invalidParams` with the field's name.
  package mutating func set(_ params: JSONObject, in snapshot: Snapshot) throws {
    try Self.fields.set(params, of: &self, cleared: Self(), in: snapshot)
  }

  /// The same for what stands in an editor and is not saved.
  package mutating func setDrafted(_ params: JSONObject, in snapshot: Snapshot) throws {
    try Self.fields.each(of: params) { field, input, value in
      if value.isNull { field.copy(Self(), &self) } else { try input.draft(value, &self, snapshot) }
    }
  }
}
