import Contract
import Wire

/// A protocol level as data, stored as a fixture when it is published, and the incompatibilities of a later one.
package enum ProtocolLevel {
  /// The names, fields, optionality and types of all rows, in a form that can be stored and compared.
  package static func frozen(
    level: Int, methods: [MethodDescription], notifications: [NotificationDescription]
  ) -> JSONValue {
    var rows: JSONObject = [:]
    for method in methods.sorted(by: { $0.name < $1.name }) {
      var row: JSONObject = ["params": json(method.params), "result": json(method.result)]
      row["resultOfMany"] = method.resultOfMany.map(json)
      rows[method.name] = .object(row)
    }
    var messages: JSONObject = [:]
    for message in notifications.sorted(by: { $0.name < $1.name }) {
      messages[message.name] = ["direction": .string(message.direction.rawValue), "params": json(message.params)]
    }
    return ["level": .integer(Int64(level)), "methods": .object(rows), "notifications": .object(messages)]
  }

  /// The changes that break clients of the earlier level, one sentence each; empty if it is compatible.
  ///
  /// Requests may only become more permissive: no field is removed, none becomes required, no limit narrower. Results
  /// may only be extended: no field is removed, and none that was always present becomes optional.
  package static func breaks(from earlier: JSONValue, to present: JSONValue) -> [String] {
    var found = Breaks()
    for row in members(earlier["methods"]) {
      guard let now = present["methods"]?[row.key] else {
        found.sentences.append("\(row.key) disappeared")
        continue
      }
      found.compare(row.value["params"], now["params"], at: "\(row.key) params", isSent: true)
      if row.value["resultOfMany"] != nil, now["resultOfMany"] == nil {
        found.sentences.append("\(row.key) takes no ids any more")
      }
      for part in ["result", "resultOfMany"] {
        found.compare(row.value[part], now[part], at: "\(row.key) \(part)", isSent: false)
      }
    }
    for row in members(earlier["notifications"]) {
      guard let now = present["notifications"]?[row.key], now["direction"] == row.value["direction"] else {
        found.sentences.append("\(row.key) disappeared")
        continue
      }
      let isSent = row.value["direction"]?.stringValue == Direction.toServer.rawValue
      found.compare(row.value["params"], now["params"], at: "\(row.key) params", isSent: isSent)
    }
    return found.sentences
  }

  private static func json(_ shape: Shape) -> JSONValue {
    switch shape {
    case .any: return ["type": "any"]
    case .null: return ["type": "null"]
    case .boolean: return ["type": "boolean"]
    case .integer: return ["type": "integer"]
    case .number: return ["type": "number"]
    case .string: return ["type": "string"]
    case .text(let form): return ["type": "string", "form": .string(form.rawValue)]
    case .choice(_, let words): return ["type": "string", "choices": strings(words)]
    case .array(let element): return ["type": "array", "of": json(element)]
    case .dictionary(let element): return ["type": "dictionary", "of": json(element)]
    case .recursion: return ["type": "recursion"]
    case .object(let object):
      var fields: JSONObject = [:]
      for field in object.fields { fields[field.name] = json(field) }
      var members: JSONObject = ["type": "object", "fields": .object(fields)]
      if !object.exactlyOne.isEmpty { members["exactlyOne"] = .array(object.exactlyOne.map(strings)) }
      if !object.atMostOne.isEmpty { members["atMostOne"] = .array(object.atMostOne.map(strings)) }
      return .object(members)
    }
  }

  private static func json(_ field: ObjectShape.Field) -> JSONValue {
    var members = json(field.shape).objectValue ?? [:]
    members["presence"] = .string(field.presence.rawValue)
    let limits = field.limits
    members["minimum"] = limits.minimum.map { .number($0) }
    members["maximum"] = limits.maximum.map { .number($0) }
    members["minimumLength"] = limits.minimumLength.map { .integer(Int64($0)) }
    members["maximumLength"] = limits.maximumLength.map { .integer(Int64($0)) }
    if limits.notBlank { members["notBlank"] = true }
    if let form = limits.form { members["form"] = .string(form.rawValue) }
    return .object(members)
  }

  private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

private func members(_ value: JSONValue?) -> [JSONObject.Member] { value?.objectValue?.members ?? [] }

private func strings(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }

private func groups(_ value: JSONValue?) -> [[String]] { value?.arrayValue?.map { strings($0) } ?? [] }

private struct Breaks {
  var sentences: [String] = []

  /// - Parameter isSent: whether the client sends this, so that the opposite rules apply.
  mutating func compare(_ earlier: JSONValue?, _ now: JSONValue?, at place: String, isSent: Bool) {
    guard let earlier, let now else { return }
    compareTypes(earlier, now, at: place, isSent: isSent)
    compare(earlier["of"], now["of"], at: "\(place)[]", isSent: isSent)
    for field in members(earlier["fields"]) {
      let inner = "\(place).\(field.key)"
      guard let present = now["fields"]?[field.key] else {
        sentences.append("\(inner) disappeared")
        continue
      }
      comparePresence(field.value, present, at: inner, isSent: isSent)
      compare(field.value, present, at: inner, isSent: isSent)
    }
    guard isSent else { return }
    for field in members(now["fields"]) where earlier["fields"]?[field.key] == nil {
      if field.value["presence"] == "required" { sentences.append("\(place).\(field.key) is new and required") }
    }
    compareLimits(earlier, now, at: place)
    compareAlternatives(earlier, now, at: place)
  }

  private mutating func compareTypes(_ earlier: JSONValue, _ now: JSONValue, at place: String, isSent: Bool) {
    let (before, after) = (earlier["type"]?.stringValue ?? "", now["type"]?.stringValue ?? "")
    // Every integer is a number, and `any` includes all types.
    let (narrow, wide) = isSent ? (before, after) : (after, before)
    guard before == after || wide == "any" || (narrow == "integer" && wide == "number") else {
      sentences.append("\(place) was \(before) and is \(after)")
      return
    }
    guard before == after, before == "string" else { return }
    if isSent {
      let lost = strings(earlier["choices"]).filter { !strings(now["choices"]).contains($0) }
      if now["choices"] != nil, earlier["choices"] == nil {
        sentences.append("\(place) takes only some words")
      } else if now["choices"] != nil, !lost.isEmpty {
        sentences.append("\(place) no longer takes \(lost.joined(separator: ", "))")
      }
      if let form = now["form"], form != earlier["form"] { sentences.append("\(place) takes only \(form)") }
    } else if let form = earlier["form"], form != now["form"] {
      sentences.append("\(place) is no longer \(form)")
    }
  }

  private mutating func comparePresence(_ earlier: JSONValue, _ now: JSONValue, at place: String, isSent: Bool) {
    let (before, after) = (earlier["presence"]?.stringValue ?? "", now["presence"]?.stringValue ?? "")
    switch (isSent, before, after) {
    case (true, _, "required") where before != "required": sentences.append("\(place) became required")
    case (true, "patch", "optional"): sentences.append("\(place) can no longer be cleared")
    case (false, "required", _) where after != "required": sentences.append("\(place) is no longer always there")
    default: break
    }
  }

  private mutating func compareLimits(_ earlier: JSONValue, _ now: JSONValue, at place: String) {
    for name in ["minimum", "minimumLength"] {
      guard let limit = now[name]?.doubleValue else { continue }
      if limit > earlier[name]?.doubleValue ?? -.infinity, name == "minimum" || limit > 0 {
        sentences.append("the \(name) of \(place) rose")
      }
    }
    for name in ["maximum", "maximumLength"] {
      guard let limit = now[name]?.doubleValue else { continue }
      if limit < earlier[name]?.doubleValue ?? .infinity { sentences.append("the \(name) of \(place) fell") }
    }
    if now["notBlank"] == true, earlier["notBlank"] == nil { sentences.append("\(place) may no longer be blank") }
  }

  /// A group may gain members that are new in this level, and lose none.
  private mutating func compareAlternatives(_ earlier: JSONValue, _ now: JSONValue, at place: String) {
    for group in groups(now["exactlyOne"])
    where !groups(earlier["exactlyOne"]).contains(where: { Set($0).isSubset(of: group) }) {
      sentences.append("\(place) wants exactly one of \(group.joined(separator: ", "))")
    }
    let known = Set(members(earlier["fields"]).map(\.key))
    for group in groups(now["atMostOne"]) {
      let old = known.intersection(group)
      let before = groups(earlier["atMostOne"]) + groups(earlier["exactlyOne"])
      if old.count > 1, !before.contains(where: { old.isSubset(of: $0) }) {
        sentences.append("\(place) wants at most one of \(group.joined(separator: ", "))")
      }
    }
  }
}
