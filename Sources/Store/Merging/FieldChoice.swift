import Contract
import Wire

/// The resolution of a field with two conflicting versions.
package enum FieldChoice: Sendable {
  /// The version of the item.
  case ours
  /// The other version.
  case theirs
  /// Both versions: all lines of two texts, all elements of two sets.
  case both
  /// Another value, as `update` accepts it.
  case value(JSONValue)
}

extension StoredItem {
  /// Resolves the conflict of a field.
  ///
  /// - Parameter theirs: the other version, by column.
  /// - Throws: `RPCError.invalidParams` for a choice that this field does not support.
  mutating func settle(_ field: String, by choice: FieldChoice, theirs: JSONObject, in snapshot: Snapshot) throws {
    switch choice {
    case .ours: return
    case .theirs: try restore(theirs)
    case .both:
      var other = self
      try other.restore(theirs)
      guard let field = Self.fields[field], let both = try field.merging.both(field.value(self), field.value(other))
      else { throw RPCError.invalidParams(field: "take", reason: Text("changes.notBoth")) }
      try field.read(both, &self)
    case .value(let value):
      guard let input = Self.fields[field]?.input else {
        throw RPCError.invalidParams(field: "take", reason: Text("changes.noValue"))
      }
      if !value.isNull { try input.check(value, as: "value") }
      try set([field: value], in: snapshot)
    }
    try check()
  }

  /// The columns of a field that is merged as one value, its own first. Empty for an unknown field.
  package static func columns(of field: String) -> [String] {
    fields[field].map { fields.group(of: $0).map(\.name) } ?? []
  }
}

extension FieldInput {
  /// - Throws: `RPCError.invalidParams` for a value that `update` would refuse for this field.
  fileprivate func check(_ value: JSONValue, as name: String) throws(RPCError) {
    let member = ObjectShape.Field(name: name, shape: shape, presence: .required, note: note, limits: limits)
    try Shape.object(.described("Value", [member])).check(.object([name: value]), strict: true)
  }
}
