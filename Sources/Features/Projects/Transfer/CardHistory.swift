import Contract
import Store
import Wire

/// What a card said before, as far as the library still knows it.
struct CardHistory {
  /// Newest first, each with the commit that made it so.
  private(set) var states: [(clock: Int64, state: ProjectRecord)] = []

  /// Farther back nobody's file is compared.
  private static let limit = 1_000

  init(_ record: ProjectRecord, in snapshot: Snapshot) throws {
    var state = record
    let versions = try ItemVersion.history(
      of: ProjectRecord.collectionName, id: record.id, before: nil, limit: Self.limit, in: snapshot)
    for version in versions {
      states.append((version.clock, state))
      guard version.kind == .updated, case .object(let before)? = version.before else { return }
      for member in before.members { state.takeBack(member.key, member.value) }
    }
  }
}

extension ProjectRecord {
  /// Puts back what a column had; those that no file has stay as they are.
  fileprivate mutating func takeBack(_ column: String, _ value: JSONValue) {
    let text = value.stringValue
    switch column {
    case "title": title = text ?? ""
    case "body": body = text ?? ""
    case "state": state = text ?? state
    case "deadline": deadline = text.flatMap { CalendarDay($0) }
    case "time": time = text
    case "tags": tags = StoredJSON(stored: text ?? "[]")
    case "blockedBy": blockedBy = StoredJSON(stored: text ?? "[]")
    case "recurrence": recurrence = text
    case "priority": priority = value.integerValue.flatMap { Int(exactly: $0) }
    default: break
    }
  }
}
