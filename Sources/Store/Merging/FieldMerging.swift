import SQLite
import Wire

/// How two versions of a field with a common base are merged. A change of only one side always wins.
package enum FieldMerging: Equatable, Sendable {
  /// Not merged: the conflict has to be resolved by the user.
  case value
  /// Not merged: our version wins without a conflict.
  case ours
  /// As a text, by lines and words.
  case text
  /// As a set: elements that either side added or removed. The order is ours.
  case elements
  /// As an ordered list of objects, which a member names (`ListMerge`).
  case list(name: String)

  /// Both values, ours first; nil if the type has no such combination.
  func both(_ ours: SQLValue, _ theirs: SQLValue) throws -> SQLValue? {
    switch (self, ours, theirs) {
    case (.text, .text(let one), .text(let other)): return .text(TextMerge(base: "", older: one, newer: other).text)
    case (.elements, .text(let one), .text(let other)):
      let lists = try [one, other].map { try JSONParser.parse($0).arrayValue ?? [] }
      return .text(JSONValue.array(SetMerge.elements(ours: lists[0], theirs: lists[1], base: [])).description)
    case (.list(let name), .text(let one), .text(let other)):
      let lists = try [one, other].map { try JSONParser.parse($0).arrayValue ?? [] }
      return .text(
        JSONValue.array(ListMerge(ours: lists[0], theirs: lists[1], base: [], name: name).elements).description)
    default: return nil
    }
  }
}

/// Three-way merge of sets, as lists without duplicates.
package enum SetMerge {
  /// Our elements, without those that the other side removed, and with those that it added.
  package static func elements<Element: Equatable>(
    ours: [Element], theirs: [Element], base: [Element]
  ) -> [Element] {
    let taken = base.filter { !theirs.contains($0) }
    let added = theirs.filter { !base.contains($0) && !ours.contains($0) }
    return ours.filter { !taken.contains($0) } + added
  }
}
