import Client
import Contract
import Wire

/// Removes from replies and errors what the permissions do not cover: items of other collections, and names of files.
struct Redaction {
  let permissions: Permissions
  /// The members whose texts may be or contain paths of files, as `rpc.discover` declares them.
  var files: Set<String> = []

  /// The visible part of a value; nil if all of it is out of reach.
  func visible(_ value: JSONValue) -> JSONValue? {
    if permissions.collections == nil, permissions.allows(.files) { return value }
    return pruned(value)
  }

  /// An error without names of files, and without items of other collections in its data.
  func visible(_ error: RemoteError) -> RemoteError {
    var visible = error
    if !permissions.allows(.files) { visible.message = Self.sentence(error.message) }
    guard case .object(let data)? = error.data else { return visible }
    visible.data = .object(
      JSONObject(
        data.members.compactMap { member in
          if case .string(let text) = member.value, !permissions.allows(.files), Self.namesFile(text) { return nil }
          return self.visible(member.value).map { JSONObject.Member(key: member.key, value: $0) }
        }))
    return visible
  }

  private func pruned(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .array(let elements): return .array(elements.compactMap(pruned))
    case .object(let object):
      if let collection = object["collection"]?.stringValue, !permissions.admits(collection) { return nil }
      // The words of a path, of which none is a path.
      if isOfFile(object["field"]?.stringValue), object["diff"] != nil { return nil }
      return .object(
        JSONObject(
          object.members.compactMap { member in
            let value = isOfFile(member.key) ? Self.withoutFiles(member.value).flatMap(pruned) : pruned(member.value)
            return value.map { JSONObject.Member(key: member.key, value: $0) }
          }))
    default: return value
    }
  }

  private func isOfFile(_ member: String?) -> Bool {
    guard let member, !permissions.allows(.files) else { return false }
    return files.contains(member)
  }

  /// A text that names no file, or the texts of a list that name none; a sentence says that it would name one.
  private static func withoutFiles(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .string(let text) where namesFile(text):
      text.contains(where: \.isWhitespace) ? .string(sentence(text)) : nil
    case .array(let elements): .array(elements.compactMap(withoutFiles))
    default: value
    }
  }

  /// A sentence of the daemon, unless it names a file: where a path ends that contains blanks, nobody can tell.
  static func sentence(_ text: String) -> String {
    namesFile(text) ? "The daemon's sentence names a file, which this session may not see." : text
  }

  /// Whether a text contains an absolute path: a slash that begins a word, or a `file:` URI.
  static func namesFile(_ text: String) -> Bool {
    if text.firstRange(of: "file:/") != nil { return true }
    var (previous, isAfterSlash) = (Unicode.Scalar(0x20 as UInt8), false)
    for scalar in text.unicodeScalars {
      if isAfterSlash, !scalar.properties.isWhitespace, scalar != "/" { return true }
      isAfterSlash = scalar == "/" && !continuesWord(previous)
      previous = scalar
    }
    return false
  }

  /// Whether a slash after this scalar is within a word: of a URL, a date, or two alternatives.
  private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789:/.-_%)]<".unicodeScalars.contains(scalar))
  }
}
