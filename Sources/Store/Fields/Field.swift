import Contract
import SQLite
import SearchEngine
import Wire

/// One field of an item: its name, type, limits and note, how it is stored, who sees it, and what else the library does
/// with it. All code that handles fields (rows, replies, params, drafts, history, archives) is driven by this.
public struct Field<Root: Sendable>: Sendable {
  /// The column's name in the table.
  package let name: String
  /// The member's name on the wire: the column's name, unless it is set.
  package let wireName: String
  package let note: String
  /// The name of the label in the catalogue, if it is not `wireName`.
  package private(set) var term: String?
  /// The reply's member: its shape, and whether it may be absent.
  package var shape: Shape { makeShape() }
  let makeShape: @Sendable () -> Shape
  package private(set) var isOptional: Bool
  package let limits: FieldLimits
  package private(set) var traits: Traits = []
  /// The value that items of an archive, or of an external library, get instead of the imported value.
  package private(set) var importedValue: SQLValue?
  /// How conflicting changes of it, here and in an imported version, are merged.
  package private(set) var merging = FieldMerging.value
  /// The fields that form one value with this one: they are cleared and merged together.
  package private(set) var companions: [String] = []
  /// How devices merge it, if that does not follow from its other declarations.
  package private(set) var declaredSync: FieldSync?
  /// The fields that devices merge as one value with it, besides companions and followers.
  private(set) var syncedFields: [String] = []
  /// The part of an item in whose index entry its words are searched; nil if it is not searched.
  package private(set) var searchPart: SearchPart?
  /// The fields that change with it, and alone count as no change, such as the time of a card's move to its column.
  package private(set) var followers: [String] = []
  /// Whether two items have an equivalent value in it, if equivalence is more than equality.
  private(set) var likeness: (@Sendable (_ one: Root, _ other: Root) throws -> Bool)?
  /// How an imported text is converted to its stored form.
  package private(set) var importedForm: (@Sendable (String) -> String)?
  /// How clients set it; nil for a field that only the library writes.
  package internal(set) var input: FieldInput<Root>?

  /// Stores the value of a column in an item. Throws `InvalidColumn` for a value that no write of ours stored.
  let read: @Sendable (_ column: SQLValue, _ item: inout Root) throws -> Void
  package let value: @Sendable (_ item: Root) throws -> SQLValue
  /// Refuses a value whose parts no write of ours stored.
  let check: @Sendable (_ item: Root) throws -> Void
  /// Writes the member of a reply; writes nothing if there is no value.
  package let write: @Sendable (_ item: Root, _ json: inout JSONWriter) throws -> Void
  /// Stores a value from a client in an item.
  package let assign: @Sendable (_ value: JSONValue, _ item: inout Root) throws -> Void
  /// Copies this field's value from the first item to the second.
  package let copy: @Sendable (_ other: Root, _ item: inout Root) -> Void
  private let property: any FieldProperty<Root>

  /// The treatment of a field by the library besides storage.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Part of no reply and no history; undo and old versions contain it.
    package static var isInternal: Traits { Traits(rawValue: 1 << 0) }
    /// The item's position among others: the history has its values, but no text differences.
    package static var isPlace: Traits { Traits(rawValue: 1 << 1) }
    /// Written by the feature's own SQL, which then calls `touch`: old versions do not contain it, and `update` does
    /// not write it.
    package static var isQuiet: Traits { Traits(rawValue: 1 << 2) }
    /// Refers to a blob by its SHA-256.
    package static var isBlob: Traits { Traits(rawValue: 1 << 3) }
    /// Holds JSON as a text, which clients get as a JSON value.
    package static var isJSON: Traits { Traits(rawValue: 1 << 4) }
    /// Part of a draft.
    package static var isDrafted: Traits { Traits(rawValue: 1 << 5) }
    /// Omitted in lists, as it may be long.
    package static var isOmittedInLists: Traits { Traits(rawValue: 1 << 6) }
    /// `add` needs it, and `update` cannot clear it.
    package static var isRequired: Traits { Traits(rawValue: 1 << 7) }
    /// `add` gives it a value of its own unless the client sends `null`.
    package static var hasDefault: Traits { Traits(rawValue: 1 << 8) }
    /// Updated when a file is imported again, see `ItemMerge`.
    package static var isFollowed: Traits { Traits(rawValue: 1 << 9) }
    /// The column in which the item is, as a card on a board: people see another value as a move.
    package static var isLane: Traits { Traits(rawValue: 1 << 10) }
    /// A query of `search/query`, whose tags follow a renamed one.
    package static var isQuery: Traits { Traits(rawValue: 1 << 11) }
  }

  /// - Parameters:
  ///   - wireName: the member's name on the wire, if it is not the column's.
  ///   - path: a stored property.
  ///   - note: a sentence for the reference; empty for a field that no client sees.
  public init<Value>(
    _ name: String, as wireName: String? = nil, _ path: any WritableKeyPath<Root, Value> & Sendable,
    _ type: FieldType<Value>, _ note: String = ""
  ) {
    let key = MemberKey(wireName ?? name)
    let place = PropertyPlace(path)
    let (read, stored, check, parse) = (type.read, type.stored, type.check, type.wire.parse)
    // Separate closures: a captured `FieldType` is looked up by name in the runtime at each access.
    let (write, isNothing) = (type.wire.write, type.wire.isNothing)
    (self.name, self.wireName, self.note) = (name, wireName ?? name, note)
    let wire = type.wire
    (makeShape, isOptional, limits) = ({ wire.shape }, wire.isOptional, wire.limits)
    if type.isJSON { traits.insert(.isJSON) }
    self.read = { column, item in place.set(try read(column), in: &item) }
    let member = wireName ?? name
    value = { item in
      do {
        return try stored(place.value(in: item))
      } catch is InvalidColumn {
        throw RPCError.invalidParams(field: member, reason: Text("param.numberTooLarge"))
      }
    }
    self.check = { try check(place.value(in: $0)) }
    self.write = { item, json in
      let value = place.value(in: item)
      if let isNothing, isNothing(value) { return }
      json.member(key)
      try write(value, &json)
    }
    assign = { place.set(try parse($0), in: &$1) }
    copy = { place.set(place.value(in: $0), in: &$1) }
    property = Property(path: path, type: type)
  }

  public init<Value: StoredValue>(
    _ name: String, as wireName: String? = nil, _ path: any WritableKeyPath<Root, Value> & Sendable, _ note: String = ""
  ) {
    self.init(name, as: wireName, path, Value.fieldType, note)
  }

  /// This field as a field of a whole that contains the item in a property.
  func of<Whole: Sendable>(_ path: any WritableKeyPath<Whole, Root> & Sendable) -> Field<Whole> {
    var field = property.field(name, as: wireName, of: path, note)
    field.traits = Field<Whole>.Traits(rawValue: traits.rawValue)
    (field.importedValue, field.importedForm) = (importedValue, importedForm)
    (field.merging, field.companions, field.followers) = (merging, companions, followers)
    (field.searchPart, field.term) = (searchPart, term)
    (field.declaredSync, field.syncedFields) = (declaredSync, syncedFields)
    if let likeness { field.likeness = { one, other in try likeness(one[keyPath: path], other[keyPath: path]) } }
    field.input = input.map { FieldInput<Whole>($0, of: path) }
    return field
  }
}

/// The property of a field with its type, which `Field` does not have as a parameter.
private protocol FieldProperty<Root>: Sendable {
  associatedtype Root: Sendable
  func field<Whole: Sendable>(
    _ name: String, as wireName: String, of path: any WritableKeyPath<Whole, Root> & Sendable, _ note: String
  ) -> Field<Whole>
}

private struct Property<Root: Sendable, Value: Sendable>: FieldProperty {
  let path: any WritableKeyPath<Root, Value> & Sendable
  let type: FieldType<Value>

  /// Uses one combined path to the part's property, since two paths would copy the whole part at each access.
  func field<Whole: Sendable>(
    _ name: String, as wireName: String, of outer: any WritableKeyPath<Whole, Root> & Sendable, _ note: String
  ) -> Field<Whole> {
    // Both paths are `Sendable`, so the appended path is too; its type does not state that.
    let path = unsafeBitCast(
      outer.appending(path: path), to: (any WritableKeyPath<Whole, Value> & Sendable).self)
    return Field<Whole>(name, as: wireName, path, type, note)
  }
}

// MARK: - Declaring a field

extension Field {
  private func with(_ traits: Traits) -> Field {
    var field = self
    field.traits.formUnion(traits)
    return field
  }

  package var `internal`: Field { with(.isInternal) }
  package var place: Field { with(.isPlace) }
  package var lane: Field { with(.isLane) }
  package var quiet: Field { with(.isQuiet) }
  package var query: Field { with(.isQuery) }
  package var blob: Field { with(.isBlob) }
  package var drafted: Field { with(.isDrafted) }
  package var omittedInLists: Field { with(.isOmittedInLists) }
  /// The same field, included in lists.
  package var keptInLists: Field {
    var field = self
    field.traits.remove(.isOmittedInLists)
    return field
  }

  /// The same field with the label of another catalogue name.
  package func called(_ term: String) -> Field {
    var field = self
    field.term = term
    return field
  }

  package var required: Field { with(.isRequired) }
  package var defaulted: Field { with(.hasDefault) }

  package func merged(_ merging: FieldMerging) -> Field {
    var field = self
    field.merging = merging
    return field
  }

  /// Sets how devices merge it.
  ///
  /// - Parameter fields: the fields that are one value with it, by name.
  package func shared(_ sync: FieldSync, with fields: String...) -> Field { shared(sync, with: fields) }

  /// The same.
  package func shared(_ sync: FieldSync, with fields: [String]) -> Field {
    var field = self
    (field.declaredSync, field.syncedFields) = (sync, fields)
    return field
  }

  /// How devices merge it.
  var sync: FieldSync {
    if let declaredSync { return declaredSync }
    if traits.contains(.isQuiet) { return .own }
    if traits.contains(.isInternal) || traits.contains(.isPlace) { return .quiet }
    return switch merging {
    case .text: .text
    case .elements: .set
    case .value, .ours, .list: .latest
    }
  }

  /// The item is updated when the field changed in a file that is imported again.
  package var followed: Field { with(.isFollowed) }

  /// Makes it one value with other fields, given by name: a day with its time.
  package func with(_ companions: String...) -> Field {
    var field = self
    field.companions = companions
    return field
  }

  /// Indexes its words for search, as this part of the item.
  package func searched(_ part: SearchPart) -> Field {
    var field = self
    field.searchPart = part
    return field
  }

  package func leading(_ followers: String...) -> Field {
    var field = self
    field.followers = followers
    return field
  }

  /// Sets when two values are equivalent, such as texts that differ only in line endings.
  package func alike(where likeness: @escaping @Sendable (_ one: Root, _ other: Root) throws -> Bool) -> Field {
    var field = self
    field.likeness = likeness
    return field
  }

  /// Treats texts as equivalent that differ only in Unicode composition.
  package var inAnyComposition: Field {
    let value = value
    return alike { one, other in
      guard case (.text(let one), .text(let other)) = (try value(one), try value(other)) else {
        return try value(one).isSame(as: value(other))
      }
      return one == other
    }
  }

  package func imported(as value: SQLValue) -> Field {
    var field = self
    field.importedValue = value
    return field
  }

  package func imported(by form: @escaping @Sendable (String) -> String) -> Field {
    var field = self
    field.importedForm = form
    return field
  }
}

extension Field {
  /// Whether two items store the same in this field, texts byte for byte.
  ///
  /// - Throws: the error of a value that cannot be encoded as JSON.
  package func isSame(_ one: Root, _ other: Root) throws -> Bool { try value(one).isSame(as: value(other)) }
}
