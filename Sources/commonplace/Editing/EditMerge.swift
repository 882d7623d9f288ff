import Contract
import Store
import Wire

/// Two versions of an item with a common base: the version edited here, and the version that another client saved
/// meanwhile.
struct EditMerge {
  struct Conflict: Equatable {
    /// Nil for the text.
    var field: String?
    var mine: JSONValue
    var theirs: JSONValue
  }

  /// The merged changes. A field that both changed has mine, and lines that both changed are there twice.
  private(set) var file: EditedFile
  /// The values that both sides changed differently.
  private(set) var conflicts: [Conflict] = []

  init(base: EditedFile, mine: EditedFile, theirs: EditedFile) {
    file = mine
    for member in theirs.fields.members {
      let (before, own) = (base.fields[member.key] ?? .null, mine.fields[member.key] ?? .null)
      if own == before {
        file.fields[member.key] = member.value
      } else if member.value != before, member.value != own {
        if let union = Self.union(before, own, member.value) {
          file.fields[member.key] = union
        } else {
          conflicts.append(Conflict(field: member.key, mine: own, theirs: member.value))
        }
      }
    }
    guard let own = mine.text, let other = theirs.text else { return }
    let merge = TextMerge(base: base.text ?? "", older: other, newer: own)
    file.text = merge.text
    if merge.overlaps { conflicts.append(Conflict(field: nil, mine: .string(own), theirs: .string(other))) }
  }

  /// For lists without an order of their own, such as tags: the additions of either side, without the removals of
  /// either.
  private static func union(_ before: JSONValue, _ mine: JSONValue, _ theirs: JSONValue) -> JSONValue? {
    guard let mine = mine.arrayValue, let theirs = theirs.arrayValue, mine.allSatisfy({ $0.stringValue != nil }) else {
      return nil
    }
    let before = before.arrayValue ?? []
    let common = theirs.filter { mine.contains($0) || !before.contains($0) }
    return .array(common + mine.filter { !before.contains($0) && !common.contains($0) })
  }
}
