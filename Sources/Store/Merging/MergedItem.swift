import Contract
import Wire

/// What a file says otherwise of an item than it did when it came last, against what the library says. What it does not
/// say stays, and so does what it says as before; where nobody knows what it said, all that it says is new.
package struct MergedItem<Item: Sendable>: Sendable {
  /// The library's, with what only the file has changed.
  package private(set) var merged: Item
  /// The library's, with all that the file has changed.
  package private(set) var followed: Item
  /// Whether the file and the library have changed the same field.
  package private(set) var isConflict = false
  /// Whether the file has changed anything at all.
  package private(set) var isChanged = false

  /// - Parameters:
  ///   - before: what the file said when it came last; nil where nobody knows.
  ///   - empty: an item that says nothing.
  package init(_ fields: Fields<Item>, before: Item?, now: Item, own: Item, empty: Item) throws {
    (merged, followed) = (own, own)
    for field in fields.all where field.traits.contains(.isFollowed) {
      switch field.merging {
      case .value, .text:
        let group = fields.group(of: field)
        func isSame(_ one: Item?, _ other: Item) throws -> Bool {
          guard let one else { return false }
          return try group.allSatisfy { try $0.isEqual(one, other) }
        }
        if try isSame(before, now) || isSame(empty, now) || isSame(own, now) { continue }
        isChanged = true
        for field in group { field.copy(now, &followed) }
        if try isSame(before, own) || isSame(empty, own) {
          for field in group { field.copy(now, &merged) }
        } else {
          isConflict = true
        }
      case .elements:
        let held = try field.elements(of: own)
        let known = try held + (before.map(field.elements) ?? [])
        let new = try field.elements(of: now).filter { !known.contains($0) }
        if new.isEmpty { continue }
        isChanged = true
        try field.assign(.array(held + new), &merged)
        field.copy(merged, &followed)
      }
    }
  }
}

extension Fields {
  /// Gives an item the merged fields that it says nothing of, as another says them; sets are united.
  package func fill(_ item: inout Root, from other: Root, empty: Root) throws {
    // Where nobody knows what was said before, and the library's words hold.
    item = try MergedItem(self, before: nil, now: other, own: item, empty: empty).merged
  }

  /// The same with all fields.
  package func complete(_ item: inout Root, from other: Root, empty: Root) throws {
    let followers = Set(all.flatMap(\.companions))
    for field in all where !followers.contains(field.name) {
      if try field.isSame(item, empty) { for field in group(of: field) { field.copy(other, &item) } }
    }
  }

  /// The merged values of which both items say something, each in its way.
  package func differing(_ one: Root, _ other: Root, empty: Root) throws -> [Field<Root>] {
    try all.filter { field in
      let group = group(of: field)
      func isSame(_ one: Root, _ other: Root) throws -> Bool { try group.allSatisfy { try $0.isSame(one, other) } }
      guard field.traits.contains(.isFollowed), field.merging != .elements else { return false }
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
      return try elements(of: item).map { $0.stringValue ?? $0.description }.joined(separator: ", ")
    }
  }

  /// Whether two items say the same in this field: texts in any composition.
  fileprivate func isEqual(_ one: Root, _ other: Root) throws -> Bool {
    switch (try value(one), try value(other)) {
    case (.text(let one), .text(let other)): one == other
    case (let one, let other): one.isSame(as: other)
    }
  }

  fileprivate func elements(of item: Root) throws -> [JSONValue] {
    guard case .text(let json) = try value(item) else { return [] }
    return try JSONParser.parse(json).arrayValue ?? []
  }
}
