import Contract
import Wire

extension Fields {
  /// Sets the fields that these params contain, in the order of their declaration.
  ///
  /// - Parameter empty: the item from which cleared fields are copied.
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
  /// Sets the fields that these params contain, in the order of their declaration.
  ///
  /// - Throws: `RPCError.invalidParams` with the field's name.
  package mutating func set(_ params: JSONObject, in snapshot: Snapshot) throws {
    try Self.fields.set(params, of: &self, cleared: Self(), in: snapshot)
  }

  /// The same for a draft, which is not saved as an item.
  ///
  /// - Throws: `RPCError.invalidParams` for a value that only the library can refuse.
  package mutating func setDrafted(_ params: JSONObject, in snapshot: Snapshot) throws {
    try Self.fields.each(of: params) { field, input, value in
      if value.isNull { field.copy(Self(), &self) } else { try input.draft(value, &self, snapshot) }
    }
  }
}
