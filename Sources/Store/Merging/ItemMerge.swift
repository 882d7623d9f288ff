import Contract
import SQLite
import Wire

/// What becomes of an item that was changed here and elsewhere since the two last said the same, field by field.
///
///     theirs says what ours says                 nothing
///     only theirs has changed                    what theirs says
///     only ours has changed, or theirs says      ours
///       what ours said since and moved on from
///     both have changed                          of a text and of a set what either side changed; of all else, and of
///                                                lines that both changed, ours: theirs stands beside it
///
/// The fields are those that are declared as `followed`, each with its companions.
package struct ItemMerge<Item: Sendable>: Sendable {
  /// Ours, with what comes of theirs.
  package var merged: Item
  /// What theirs says else, of fields that stay as they are here or that both sides changed, as values of columns.
  package var said: JSONObject = [:]
  /// The fields that both changed to different things, by their names.
  package private(set) var conflicts: [String] = []
  /// The same of fields of which ours stays, and nobody is asked.
  package private(set) var kept: [String] = []
  /// Whether anything comes of theirs.
  package var isChange: Bool { !changed.isEmpty }

  /// The fields of which something comes of theirs.
  private var changed: Set<String> = []

  private let fields: Fields<Item>
  private let ours: Item
  private let theirs: Item

  /// - Parameters:
  ///   - base: what the two last said alike; nil where nobody knows.
  ///   - later: what ours said since, the newest first.
  ///   - isOld: whether theirs is known to be from before something that was taken over. Then what ours said since is old
  ///     also where ours is back at its base.
  ///   - silence: an item that says nothing, where theirs may say a part only. What it does not say is no change then,
  ///     and a set loses nothing by it; and where ours says nothing, theirs is no other word.
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

  /// An item that stays as it is.
  package init(_ fields: Fields<Item>, keeping item: Item) {
    (merged, self.fields, ours, theirs) = (item, fields, item, item)
  }

  /// Ours, with all that theirs has changed.
  package var followed: Item {
    var followed = merged
    for field in fields.all where conflicts.contains(field.name) { fields.copy(field, of: theirs, to: &followed) }
    return followed
  }

  /// Lets ours stand in fields of which both sides' versions make no sense together, where they differ.
  package mutating func dispute(_ names: String...) throws {
    for field in names.compactMap({ fields[$0] }) where try !fields.isAlike(field, ours, theirs) {
      fields.copy(field, of: ours, to: &merged)
      changed.remove(field.name)
      try note(field)
      if !conflicts.contains(field.name) { conflicts.append(field.name) }
    }
  }

  private mutating func dispute(_ field: Field<Item>) {
    if field.merging == .ours { kept.append(field.name) } else { conflicts.append(field.name) }
  }

  private mutating func note(_ field: Field<Item>) throws {
    for field in fields.group(of: field) { said[field.name] = try field.value(theirs).json }
  }

  /// - Parameter keepsAll: whether what theirs does not say is no change.
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
    default: dispute(field)
    }
  }

  private static func list(_ column: SQLValue?) throws -> [JSONValue] {
    guard case .text(let json) = column else { return [] }
    return try JSONParser.parse(json).arrayValue ?? []
  }
}

extension Fields {
  /// Gives an item the followed fields that it says nothing of, as another says them; sets are united.
  package func fill(_ item: inout Root, from other: Root, empty: Root) throws {
    // Where nobody knows what was said before, and the library's words hold.
    item = try ItemMerge(self, base: nil, ours: item, theirs: other, silence: empty).merged
  }

  /// The same with all fields.
  package func complete(_ item: inout Root, from other: Root, empty: Root) throws {
    let others = Set(all.flatMap { $0.companions + $0.followers })
    for field in all where !others.contains(field.name) {
      if try field.isSame(item, empty) { copy(field, of: other, to: &item) }
    }
  }

  /// The followed values of which both items say something, each in its way.
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
  /// What an item says in this field, as a person reads it: the elements of a list one after another.
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
