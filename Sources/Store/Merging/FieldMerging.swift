import SQLite
import Wire

/// How two values of a field that came from one become one again. What only one side changed is its value in any case.
package enum FieldMerging: Sendable {
  /// Not at all: somebody decides.
  case value
  /// Not at all: that of here stays, and nobody is asked.
  case ours
  /// As a text, by lines and words.
  case text
  /// As a set: what either side added or took away. The order is that of here.
  case elements

  /// What has both values, one after the other; nil where there is no such thing.
  func both(_ ours: SQLValue, _ theirs: SQLValue) throws -> SQLValue? {
    switch (self, ours, theirs) {
    case (.text, .text(let one), .text(let other)): return .text(TextMerge(base: "", older: one, newer: other).text)
    case (.elements, .text(let one), .text(let other)):
      let lists = try [one, other].map { try JSONParser.parse($0).arrayValue ?? [] }
      return .text(JSONValue.array(SetMerge.elements(ours: lists[0], theirs: lists[1], base: [])).description)
    default: return nil
    }
  }
}

/// Two sets that came from one, as lists without doubles.
package enum SetMerge {
  /// What stands here, without what was taken away elsewhere, and with what came there.
  package static func elements<Element: Equatable>(
    ours: [Element], theirs: [Element], base: [Element]
  ) -> [Element] {
    let taken = base.filter { !theirs.contains($0) }
    let added = theirs.filter { !base.contains($0) && !ours.contains($0) }
    return ours.filter { !taken.contains($0) } + added
  }
}
