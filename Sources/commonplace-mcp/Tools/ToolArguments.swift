import Contract
import Wire

/// The arguments of one call, checked as they are read. An error names the argument and how to repair it.
struct ToolArguments {
  let members: JSONObject

  /// - Throws: `ToolFailure` for a name that is none of `names`, with the nearest one.
  init(_ value: JSONValue?, of tool: String, names: [String]) throws(ToolFailure) {
    guard let object = value.map({ $0.isNull ? [:] : $0.objectValue }) ?? [:] else {
      throw ToolFailure("The arguments of \(tool) are an object.")
    }
    for member in object.members where !names.contains(where: { sameBytes($0, member.key) }) {
      let name = String(member.key.unicodeScalars.prefix(64))
      let nearest = likelyName(for: name, among: names).map { " Did you mean “\($0)”?" } ?? ""
      throw Self.failure(
        name, "\(tool) has no argument “\(name)”.\(nearest) It takes: \(names.joined(separator: ", ")).")
    }
    members = JSONObject(object.members.filter { !$0.value.isNull })
  }

  static func failure(_ field: String, _ text: String) -> ToolFailure {
    ToolFailure(text, data: ["field": .string(field)])
  }

  private static let longestText = 100_000

  func text(_ name: String) throws(ToolFailure) -> String? {
    guard let value = members[name] else { return nil }
    guard case .string(let text) = value else {
      throw Self.failure(name, "\(name) is a string, not \(value.typeName).")
    }
    guard !text.isBlank, text.utf8.count <= Self.longestText else {
      throw Self.failure(name, "\(name) must not be empty, nor longer than \(Self.longestText) bytes.")
    }
    return text
  }

  func requiredText(_ name: String) throws(ToolFailure) -> String {
    guard let text = try text(name) else { throw Self.failure(name, "\(name) is required. Add it and call again.") }
    return text
  }

  func integer(_ name: String, in range: ClosedRange<Int64>) throws(ToolFailure) -> Int64? {
    guard let value = members[name] else { return nil }
    guard let number = value.integerValue, range.contains(number) else {
      throw Self.failure(name, "\(name) is an integer from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func flag(_ name: String) throws(ToolFailure) -> Bool {
    guard let value = members[name] else { return false }
    guard let flag = value.boolValue else { throw Self.failure(name, "\(name) is true or false.") }
    return flag
  }

  func object(_ name: String) throws(ToolFailure) -> JSONObject? {
    guard let value = members[name] else { return nil }
    guard let object = value.objectValue else { throw Self.failure(name, "\(name) is an object.") }
    return object
  }

  func texts(_ name: String, most: Int) throws(ToolFailure) -> [String]? {
    guard let value = members[name] else { return nil }
    let texts = value.arrayValue?.compactMap(\.stringValue) ?? []
    guard let count = value.arrayValue?.count, count == texts.count, (1...most).contains(count) else {
      throw Self.failure(name, "\(name) is a list of 1 to \(most) strings.")
    }
    return texts
  }
}
