import Contract
import SQLite
import Wire

/// Three-way merge of an item that was changed here and in an imported version, field by field.
///
///     theirs equals ours                        no change
///     only theirs changed                       theirs
///     only ours changed, or theirs equals       ours
///       an earlier version of ours
///     both changed                              a text, set or list: the changes of both; any other field, and
///                                               lines that both changed: ours, with theirs recorded beside it
///
/// The merged fields are those declared as `followed`, each with its companions.
package struct ItemMerge<Item: Sendable>: Sendable {
  /// Ours, with the accepted changes of theirs.
  package var merged: Item
  /// Differing values of theirs, by column, in fields where ours wins or that both sides changed.
  package var theirValues: JSONObject = [:]
  /// The names of the fields that both sides changed differently.
  package private(set) var conflicts: [String] = []
  /// The names of such fields in which ours wins without a conflict.
  package private(set) var wonByOurs: [String] = []
  /// Whether any change of theirs was accepted.
  package var isChange: Bool { !changed.isEmpty }

  /// The fields with an accepted change of theirs.
  private var changed: Set<String> = []

  private let fields: Fields<Item>
  private let ours: Item
  private let theirs: Item

  /// - Parameters:
  ///   - base: the last common version, or nil if it is unknown.
  ///   - later: the versions of ours since the base, newest first.
  ///   - isOld: whether theirs is known to precede an earlier import. Then a value of `later` is outdated even if ours
  ///     equals the base again.
  ///   - silence: an item without values, if theirs may be partial. Fields that are absent in theirs are then
  ///     unchanged, sets lose no elements, and a field that is absent in ours accepts the value of theirs without a
  ///     conflict.
  /// - Throws: the error of a value that cannot be encoded.
  package init(
    _ fields: Fields<Item>, base: Item?, ours: Item, theirs: Item, later: [Item] = [], isOld: Bool = false,
    silence: Item? = nil
  ) throws {
    (merged, self.fields, self.ours, self.theirs) = (ours, fields, ours, theirs)
    for field in fields.followed {
      func isAlike(_ one: Item?, _ other: Item) throws -> Bool {
        try one.map { try fields.isAlike(field, $0, other) } ?? false
      }
      if try isAlike(ours, theirs) || isAlike(silence, theirs) { continue }
      let isAsBefore = try isAlike(base, ours) || isAlike(silence, ours)
      if try isAlike(base, theirs) {
        if !isAsBefore { try note(field) }
      } else if silence != nil, field.merging == .elements {
        try merge(field, since: base, keepingAll: true)
      } else if try (isOld || !isAsBefore) && later.contains(where: { try isAlike($0, theirs) }) {
        try note(field)
      } else if isAsBefore {
        fields.copy(field, of: theirs, to: &merged)
        changed.insert(field.name)
      } else {
        try note(field)
        if let base { try merge(field, since: base) } else { dispute(field) }
      }
    }
  }

  /// The merge of an unchanged item.
  package init(_ fields: Fields<Item>, keeping item: Item) {
    (merged, self.fields, ours, theirs) = (item, fields, item, item)
  }

  /// Ours, with all changes of theirs.
  package var followed: Item {
    var followed = merged
    for field in fields.all where conflicts.contains(field.name) { fields.copy(field, of: theirs, to: &followed) }
    return followed
  }

  /// Restores ours in fields whose merged values would be inconsistent, if the sides differ, and marks them as
  /// conflicts.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  package mutating func dispute(_ names: String...) throws {
    for field in names.compactMap({ fields[$0] }) where try !fields.isAlike(field, ours, theirs) {
      fields.copy(field, of: ours, to: &merged)
      changed.remove(field.name)
      try note(field)
      if !conflicts.contains(field.name) { conflicts.append(field.name) }
    }
  }

  private mutating func dispute(_ field: Field<Item>) {
    if field.merging == .ours { wonByOurs.append(field.name) } else { conflicts.append(field.name) }
  }

  private mutating func note(_ field: Field<Item>) throws {
    for field in fields.group(of: field) { theirValues[field.name] = try field.value(theirs).json }
  }

  /// - Parameter keepsAll: whether elements that are absent in theirs are unchanged.
  private mutating func merge(_ field: Field<Item>, since base: Item?, keepingAll keepsAll: Bool = false) throws {
    switch (field.merging, try base.map { try field.value($0) }, try field.value(ours), try field.value(theirs)) {
    case (.text, .text(let base), .text(let older), .text(let newer)):
      let merge = TextMerge(base: base, older: older, newer: newer)
      if merge.overlaps { return dispute(field) }
      try field.read(.text(merge.text), &merged)
      if !sameBytes(merge.text, older) { changed.insert(field.name) }
    case (.elements, let base, .text(let ours), .text(let theirs)):
      var (base, lists) = (try Self.list(base), try [ours, theirs].map { try Self.list(.text($0)) })
      if keepsAll { base = base.filter(lists[1].contains) }
      let elements = SetMerge.elements(ours: lists[0], theirs: lists[1], base: base)
      if elements == lists[0] { return }
      try field.read(.text(JSONValue.array(elements).description), &merged)
      changed.insert(field.name)
    case (.list(let name), let base, .text(let ours), .text(let theirs)):
      let (base, ours, theirs) = try (Self.list(base), Self.list(.text(ours)), Self.list(.text(theirs)))
      let merge = ListMerge(ours: ours, theirs: theirs, base: base, name: name)
      if merge.overlaps { return dispute(field) }
      if merge.elements == ours { return }
      try field.read(.text(JSONValue.array(merge.elements).description), &merged)
      changed.insert(field.name)
    default: dispute(field)
    }
  }

  private static func list(_ column: SQLValue?) throws -> [JSONValue] {
    guard case .text(let json) = column else { return [] }
    return try JSONParser.parse(json).arrayValue ?? []
  }
}

extension Fields {
  /// Fills the followed fields that are empty in an item with another item's values; sets are united.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  package func fill(_ item: inout Root, from other: Root, empty: Root) throws {
    // Without a base, the values of the library win.
    item = try ItemMerge(self, base: nil, ours: item, theirs: other, silence: empty).merged
  }

  /// The same with all fields.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  package func complete(_ item: inout Root, from other: Root, empty: Root) throws {
    let others = Set(all.flatMap { $0.companions + $0.followers })
    for field in all where !others.contains(field.name) {
      if try field.isSame(item, empty) { copy(field, of: other, to: &item) }
    }
  }

  /// The followed fields, except sets, that have different values in both items and are empty in neither.
  ///
  /// - Throws: the error of a value that cannot be encoded.
  package func differing(_ one: Root, _ other: Root, empty: Root) throws -> [Field<Root>] {
    try followed.filter { field in
      let group = group(of: field)
      func isSame(_ one: Root, _ other: Root) throws -> Bool { try group.allSatisfy { try $0.isSame(one, other) } }
      guard field.merging != .elements else { return false }
      return try !isSame(one, other) && !isSame(one, empty) && !isSame(other, empty)
    }
  }
}

extension Field {
  /// The value of this field as readable text: the elements of a list are separated by commas.
  ///
  /// - Throws: the error of a list that is not JSON.
  package func words(of item: Root) throws -> String {
    switch try value(item) {
    case .null: return ""
    case .integer(let number): return String(number)
    // `4`, `4.5`
    case .real(let number): return Int64(exactly: number).map(String.init) ?? String(number)
    case .text(let text):
      guard traits.contains(.isJSON) else { return text }
      let list = try JSONParser.parse(text).arrayValue ?? []
      return list.map { $0.stringValue ?? $0.description }.joined(separator: ", ")
    }
  }
}
