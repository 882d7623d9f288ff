import Contract
import Wire

/// Removes from a reply what the permissions do not cover: items of other collections, and paths of files.
struct Redaction {
  let permissions: Permissions

  private static let paths: Set<String> = ["path", "paths", "file", "socket"]

  /// The visible part of a value; nil if all of it is out of reach.
  func visible(_ value: JSONValue) -> JSONValue? {
    if permissions.collections == nil, permissions.allows(.files) { return value }
    return pruned(value)
  }

  private func pruned(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .array(let elements): return .array(elements.compactMap(pruned))
    case .object(let object):
      if let collection = object["collection"]?.stringValue, !permissions.admits(collection) { return nil }
      return .object(
        JSONObject(
          object.members.compactMap { member in
            guard permissions.allows(.files) || !isPath(member) else { return nil }
            guard let value = member.key == "origins" ? origins(member.value) : pruned(member.value) else { return nil }
            return JSONObject.Member(key: member.key, value: value)
          }))
    default: return value
    }
  }

  private func isPath(_ member: JSONObject.Member) -> Bool {
    guard Self.paths.contains(member.key) else { return false }
    if case .object = member.value { return false }
    return true
  }

  /// The URLs and paths from which documents were added.
  private func origins(_ value: JSONValue) -> JSONValue? {
    guard !permissions.allows(.files), let elements = value.arrayValue else { return pruned(value) }
    return .array(elements.filter { $0.stringValue?.hasPrefix("/") != true })
  }
}
