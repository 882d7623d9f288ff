import Contract
import SQLite
import SearchEngine
import Wire

/// One field of an item: its name, type, limits and note, how it is stored, who sees it, and what else the library does
/// with it. Everything that treats fields (rows, replies, params, drafts, history, archives) follows from this.
public struct Field<Root: Sendable>: Sendable {
  /// The column's name in the table.
  package let name: String
  /// The member's name on the wire: the column's, unless clients know it by another.
  package let wireName: String
  package let note: String
  /// The name under which the catalogue has what people call it, where `wireName` means something else.
  package private(set) var term: String?
  /// The reply's member: its shape, and whether it may be absent.
  package var shape: Shape { makeShape() }
  let makeShape: @Sendable () -> Shape
  package private(set) var isOptional: Bool
  package let limits: FieldLimits
  package private(set) var traits: Traits = []
  /// The value that an item of an archive, or of a library from elsewhere, gets whatever stands there.
  package private(set) var importedValue: SQLValue?
  /// What becomes of it where it changed here and elsewhere.
  package private(set) var merging = FieldMerging.value
  /// The fields that are one value with this: who clears it or merges it, does so with them.
  package private(set) var companions: [String] = []
  /// As what of an item its words are found.
  package private(set) var searchPart: SearchPart?
  /// Those that change with it, and by themselves are no change: when a card came into its column.
  package private(set) var followers: [String] = []
  /// Whether two items say the same in it, where that is more than the same value.
  private(set) var likeness: (@Sendable (_ one: Root, _ other: Root) throws -> Bool)?
  /// How a text of an archive is stored.
  package private(set) var importedForm: (@Sendable (String) -> String)?
  /// How clients set it; nil for a field that only the library writes.
  package internal(set) var input: FieldInput<Root>?

  /// Puts in the value of a column. Throws `InvalidColumn` for one that no write of ours stored.
  let read: @Sendable (_ column: SQLValue, _ item: inout Root) throws -> Void
  package let value: @Sendable (_ item: Root) throws -> SQLValue
  /// Writes the member of a reply, or nothing where there is no value.
  package let write: @Sendable (_ item: Root, _ json: inout JSONWriter) throws -> Void
  /// Puts in what a client sent.
  package let assign: @Sendable (_ value: JSONValue, _ item: inout Root) throws -> Void
  /// Gives the second item this field's value of the first.
  package let copy: @Sendable (_ other: Root, _ item: inout Root) -> Void
  private let property: any FieldProperty<Root>

  /// What the library does with a field besides storing it.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Part of no reply and no history; undo and old versions keep it.
    package static var isInternal: Traits { Traits(rawValue: 1 << 0) }
    /// The item's place among others: the history has its values, but no differences of texts.
    package static var isPlace: Traits { Traits(rawValue: 1 << 1) }
    /// Written by the feature's own SQL, which then calls `touch`: no old version keeps it, no `update` writes it.
    package static var isQuiet: Traits { Traits(rawValue: 1 << 2) }
    /// Names a blob by its SHA-256.
    package static var isBlob: Traits { Traits(rawValue: 1 << 3) }
    /// Holds JSON as a text, which clients get as the value that it is.
    package static var isJSON: Traits { Traits(rawValue: 1 << 4) }
    /// Part of a draft.
    package static var isDrafted: Traits { Traits(rawValue: 1 << 5) }
    /// Left out of lists, as it may be long.
    package static var isOmittedInLists: Traits { Traits(rawValue: 1 << 6) }
    /// `add` needs it, and `update` cannot clear it.
    package static var isRequired: Traits { Traits(rawValue: 1 << 7) }
    /// `add` gives it a value of its own unless the client sends `null`.
    package static var hasDefault: Traits { Traits(rawValue: 1 << 8) }
    /// Changed by a file that comes again, see `ItemMerge`.
    package static var isFollowed: Traits { Traits(rawValue: 1 << 9) }
    /// The column in which the item stands, as a card on a board: people are told of another value as of a move.
    package static var isLane: Traits { Traits(rawValue: 1 << 10) }
  }

  /// - Parameters:
  ///   - wireName: what clients call it, where that is another name than the column's.
  ///   - path: a stored property.
  ///   - note: a sentence for the reference; empty for a field that no client sees.
  public init<Value>(
    _ name: String, as wireName: String? = nil, _ path: any WritableKeyPath<Root, Value> & Sendable,
    _ type: FieldType<Value>, _ note: String = ""
  ) {
    let key = MemberKey(wireName ?? name)
    let place = PropertyPlace(path)
    let (read, stored, parse) = (type.read, type.stored, type.wire.parse)
    // One by one: a type that is taken along as a whole is asked for by its name at each look.
    let (write, isNothing) = (type.wire.write, type.wire.isNothing)
    (self.name, self.wireName, self.note) = (name, wireName ?? name, note)
    let wire = type.wire
    (makeShape, isOptional, limits) = ({ wire.shape }, wire.isOptional, wire.limits)
    if type.isJSON { traits.insert(.isJSON) }
    self.read = { column, item in place.set(try read(column), in: &item) }
    value = { try stored(place.value(in: $0)) }
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

  /// The same field of the whole that has its item in a property.
  func of<Whole: Sendable>(_ path: any WritableKeyPath<Whole, Root> & Sendable) -> Field<Whole> {
    var field = property.field(name, as: wireName, of: path, note)
    field.traits = Field<Whole>.Traits(rawValue: traits.rawValue)
    (field.importedValue, field.importedForm) = (importedValue, importedForm)
    (field.merging, field.companions, field.followers) = (merging, companions, followers)
    (field.searchPart, field.term) = (searchPart, term)
    if let likeness { field.likeness = { one, other in try likeness(one[keyPath: path], other[keyPath: path]) } }
    field.input = input.map { FieldInput<Whole>($0, of: path) }
    return field
  }
}

/// The property of a field with its type, which the field itself does not name.
private protocol FieldProperty<Root>: Sendable {
  associatedtype Root: Sendable
  func field<Whole: Sendable>(
    _ name: String, as wireName: String, of path: any WritableKeyPath<Whole, Root> & Sendable, _ note: String
  ) -> Field<Whole>
}

private struct Property<Root: Sendable, Value: Sendable>: FieldProperty {
  let path: any WritableKeyPath<Root, Value> & Sendable
  let type: FieldType<Value>

  /// Through one path to the part's property, since through two every look would copy the whole part.
  func field<Whole: Sendable>(
    _ name: String, as wireName: String, of outer: any WritableKeyPath<Whole, Root> & Sendable, _ note: String
  ) -> Field<Whole> {
    // Both paths can be sent, so what they make can; the type of the result does not say it.
    let path = unsafeBitCast(
      outer.appending(path: path), to: (any WritableKeyPath<Whole, Value> & Sendable).self)
    return Field<Whole>(name, as: wireName, path, type, note)
  }
}

// MARK: - What is said of a field

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
  package var blob: Field { with(.isBlob) }
  package var drafted: Field { with(.isDrafted) }
  package var omittedInLists: Field { with(.isOmittedInLists) }
  /// The same in a list that leaves out nothing.
  package var keptInLists: Field {
    var field = self
    field.traits.remove(.isOmittedInLists)
    return field
  }

  /// People call it as the catalogue calls another name.
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

  /// Where a file that comes again has changed it, the item follows.
  package var followed: Field { with(.isFollowed) }

  /// One value with other fields, by their names: a day with its time.
  package func with(_ companions: String...) -> Field {
    var field = self
    field.companions = companions
    return field
  }

  /// Its words are found, as this part of the item.
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

  /// Says the same in several ways: a text however its lines end.
  package func alike(where likeness: @escaping @Sendable (_ one: Root, _ other: Root) throws -> Bool) -> Field {
    var field = self
    field.likeness = likeness
    return field
  }

  /// Says the same however its letters are composed.
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
  package func isSame(_ one: Root, _ other: Root) throws -> Bool { try value(one).isSame(as: value(other)) }
}
