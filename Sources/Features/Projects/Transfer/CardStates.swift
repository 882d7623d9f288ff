import Contract
import Store
import Wire

extension ProjectRecord: ExchangedItem {
  var isImported: Bool { foreign != nil }

  mutating func takeBack(_ column: String, _ value: JSONValue) {
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

  /// What columns have, for `takeBack`.
  func content(of columns: [String]) -> JSONObject {
    var content: JSONObject = [:]
    for column in columns {
      content[column] =
        switch column {
        case "title": .string(title)
        case "body": .string(body)
        case "state": .string(state)
        case "deadline": deadline.map { .string($0.description) } ?? .null
        case "time": time.map { .string($0) } ?? .null
        case "tags": .string(tags.json)
        case "blockedBy": .string(blockedBy.json)
        case "recurrence": recurrence.map { .string($0) } ?? .null
        case "priority": priority.map { .integer(Int64($0)) } ?? .null
        default: nil
        }
    }
    return content
  }
}
