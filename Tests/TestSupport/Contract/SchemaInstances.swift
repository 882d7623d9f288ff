import Contract
import Wire

/// Values that a shape barely allows, and values that it refuses, each with a label.
///
/// A test over all methods decodes them, so that the reference agrees with the code.
package enum SchemaInstances {
  package struct Instance: Sendable, CustomStringConvertible {
    /// Its distinguishing property: `least`, `limit is a string`.
    package var label: String
    package var value: JSONValue
    package var isAccepted: Bool
    package var description: String { label }
  }

  package static func all(of shape: Shape) -> [Instance] {
    [
      Instance(label: "least", value: minimum(of: shape), isAccepted: true),
      Instance(label: "most", value: maximum(of: shape), isAccepted: true),
    ] + refused(by: shape)
  }

  /// Only required members, each as small as allowed.
  package static func minimum(of shape: Shape) -> JSONValue { instance(of: shape, FieldLimits(), isMaximum: false) }

  /// All members that may be present together, each as large as allowed; the first of alternatives.
  package static func maximum(of shape: Shape) -> JSONValue { instance(of: shape, FieldLimits(), isMaximum: true) }

  /// The minimum with one error, for every possible error.
  package static func refused(by shape: Shape) -> [Instance] {
    guard case .object(let object) = shape, case .object(let least) = minimum(of: shape) else { return [] }
    var found: [Instance] = []
    func add(_ label: String, _ change: (inout JSONObject) -> Void) {
      var value = least
      change(&value)
      found.append(Instance(label: label, value: .object(value), isAccepted: false))
    }
    add("a member that no field takes") { $0["nobody knows me"] = 1 }
    for field in object.fields {
      if field.presence == .required { add("no \(field.name)") { $0[field.name] = nil } }
      for (label, value) in wrong(field) {
        add("\(field.name) \(label)") { object in
          object[field.name] = value
        }
      }
    }
    for group in object.exactlyOne {
      add("none of \(group)") { value in
        for name in group { value[name] = nil }
      }
    }
    for group in object.exactlyOne + object.atMostOne where group.count > 1 {
      add("two of \(group)") { value in
        for name in group.prefix(2) {
          guard let field = object[field: name] else { continue }
          value[name] = instance(of: field.shape, field.limits, isMaximum: false)
        }
      }
    }
    return found
  }

  // MARK: Right ones

  private static func instance(of shape: Shape, _ limits: FieldLimits, isMaximum: Bool) -> JSONValue {
    switch shape {
    case .any: return isMaximum ? ["any": [1, nil, "x"]] : .null
    case .null: return .null
    case .boolean: return .bool(isMaximum)
    case .integer: return .integer(Int64(number(limits, isMaximum: isMaximum, otherwise: isMaximum ? 1_000_000 : 0)))
    case .number: return .number(number(limits, isMaximum: isMaximum, otherwise: isMaximum ? 0.5 : 0))
    case .text(let form): return .string(form.sample)
    case .string: return .string(text(limits, isMaximum: isMaximum))
    case .choice(_, let words): return .string((isMaximum ? words.last : words.first) ?? "")
    // A recursive shape ends here: its lists are empty, and it is optional everywhere else.
    case .array(.recursion): return []
    case .dictionary(.recursion): return [:]
    case .array(let element):
      // A list without a limit gets two elements; one with a large limit is filled, up to a count that stays fast.
      let count = isMaximum ? min(limits.maximumLength ?? 2, 1_000) : limits.minimumLength ?? 0
      return .array(Array(repeating: instance(of: element, limits.ofElements, isMaximum: isMaximum), count: count))
    case .dictionary(let element):
      let count = isMaximum ? min(limits.maximumLength ?? 2, 1_000) : limits.minimumLength ?? 0
      let value = instance(of: element, FieldLimits(), isMaximum: isMaximum)
      return .object(JSONObject((0..<count).map { .init(key: "key\($0)", value: value) }))
    case .recursion: return .null
    case .object(let object): return instance(of: object, isMaximum: isMaximum)
    }
  }

  private static func instance(of object: ObjectShape, isMaximum: Bool) -> JSONValue {
    let chosen = object.exactlyOne.compactMap(\.first)
    let left = Set((object.exactlyOne + object.atMostOne).flatMap { $0.dropFirst() })
    var members: JSONObject = [:]
    for field in object.fields {
      let isWanted = isMaximum ? !left.contains(field.name) : chosen.contains(field.name)
      guard field.presence == .required || isWanted else { continue }
      members[field.name] = instance(of: field.shape, field.limits, isMaximum: isMaximum)
    }
    return .object(members)
  }

  private static func number(_ limits: FieldLimits, isMaximum: Bool, otherwise: Double) -> Double {
    let number = isMaximum ? limits.maximum ?? otherwise : limits.minimum ?? otherwise
    return min(max(number, limits.minimum ?? number), limits.maximum ?? number)
  }

  private static func text(_ limits: FieldLimits, isMaximum: Bool) -> String {
    if let form = limits.form { return form.sample }
    let least = max(limits.minimumLength ?? 0, limits.notBlank ? 1 : 0)
    // A character of four bytes: lengths are counted in characters, not in bytes.
    guard isMaximum else { return String(repeating: "a", count: least) }
    return String(repeating: "𝄞", count: max(least, min(limits.maximumLength ?? 3, 10_000)))
  }

  // MARK: Wrong ones

  private static func wrong(_ field: ObjectShape.Field) -> [(String, JSONValue)] {
    var found: [(String, JSONValue)] = wrongTypes(field.shape)
    if field.presence == .required, field.shape != .any { found.append(("is null", .null)) }
    let limits = field.limits
    func one(_ value: JSONValue) -> JSONValue { if case .array = field.shape { [value] } else { value } }
    if let minimum = limits.minimum { found.append(("is below its least", one(.number(minimum - 1)))) }
    if let maximum = limits.maximum { found.append(("is above its greatest", one(.number(maximum + 1)))) }
    if limits.notBlank { found.append(("is blank", one(" \t\n"))) }
    if limits.form != nil { found.append(("has not its form", one("\u{7F}?"))) }
    if let most = limits.maximumLength, most < 10_000 {
      found.append(("is too long", tooLong(field.shape, limits.ofElements, most)))
    }
    if let least = limits.minimumLength, least > 0 { found.append(("is too short", field.shape.emptyInstance)) }
    return found
  }

  private static func wrongTypes(_ shape: Shape) -> [(String, JSONValue)] {
    switch shape {
    case .any, .recursion: []
    case .null: [("is a number", 1)]
    case .boolean: [("is a number", 1), ("is a string", "true")]
    case .integer: [("is a string", "1"), ("is not whole", 1.5), ("is a boolean", true)]
    case .number: [("is a string", "1"), ("is a boolean", true)]
    case .string: [("is a number", 1), ("is a list", []), ("holds U+0000", "a\u{0}")]
    case .text: [("is a number", 1), ("has not its form", "\u{7F}?"), ("is an object", [:])]
    case .choice: [("is no choice", "\u{7F}?"), ("is a number", 0)]
    case .array(let element):
      [("is an object", [:]), ("is a string", "x")] + wrongTypes(element).map { ("holds what \($0.0)", [$0.1]) }
    case .dictionary: [("is a list", []), ("is a string", "x")]
    case .object: [("is a list", []), ("is a string", "x")]
    }
  }

  private static func tooLong(_ shape: Shape, _ limits: FieldLimits, _ most: Int) -> JSONValue {
    switch shape {
    case .array(let element):
      .array(Array(repeating: instance(of: element, limits, isMaximum: false), count: most + 1))
    case .dictionary(let element):
      .object(
        JSONObject(
          (0...most).map { .init(key: "key\($0)", value: instance(of: element, FieldLimits(), isMaximum: false)) }))
    default: .string(String(repeating: "a", count: most + 1))
    }
  }
}

extension Shape {
  fileprivate var emptyInstance: JSONValue {
    switch self {
    case .array: []
    case .dictionary: [:]
    default: ""
    }
  }
}
