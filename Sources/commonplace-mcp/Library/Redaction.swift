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
            var value = isOfFile(member.key) ? Self.withoutFiles(member.value).flatMap(pruned) : pruned(member.value)
            // A failure has a message.
            if value == nil, sameBytes(member.key, "message") {
              value = member.value.stringValue.map { .string(Self.sentence($0)) }
            }
            return value.map { JSONObject.Member(key: member.key, value: $0) }
          }))
    default: return value
    }
  }

  private func isOfFile(_ member: String?) -> Bool {
    guard let member, !permissions.allows(.files) else { return false }
    return files.contains(member)
  }

  /// A text that names no file, or the texts of a list that name none.
  private static func withoutFiles(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .string(let text) where namesFile(text): nil
    case .array(let elements): .array(elements.compactMap(withoutFiles))
    default: value
    }
  }

  /// A sentence of the daemon, unless it names a file: where a path ends that contains blanks, nobody can tell.
  static func sentence(_ text: String) -> String {
    namesFile(text) ? "The daemon's sentence names a file, which this session may not see." : text
  }

  /// Whether a text contains an absolute path: slashes that begin a word, or a `file:` URI.
  static func namesFile(_ text: String) -> Bool {
    var rest = text.unicodeScalars[...]
    while let start = rest.firstIndex(of: "/") {
      let slashes = rest[start...].prefix { $0 == "/" }
      rest = rest[slashes.endIndex...]
      if beginsPath(slashes, between: text.unicodeScalars[..<start], and: rest) { return true }
    }
    return false
  }

  private typealias Scalars = Substring.UnicodeScalarView

  private static func beginsPath(_ slashes: Scalars, between before: Scalars, and after: Scalars) -> Bool {
    if String(before.suffix(5)).lowercased() == "file:" { return true }
    guard let next = after.first, !next.properties.isWhitespace else { return false }
    guard let last = before.last else { return true }
    switch last {
    // As in `config.toml:/home/ann`, unless it is a link or the URL of a host.
    case ":":
      let scheme = before.dropLast().reversed().prefix(while: isOfName)
      return slashes.count != 2 && !scheme.elementsEqual("commonplace".unicodeScalars.reversed())
    // As in `</home/ann>`, unless it is the end of an element.
    case "<": return after.first { !isOfName($0) } != ">" || !isOfName(next)
    // Within a word: of a URL, a date, or two alternatives.
    default: return !isOfName(last) && !"_%)]".unicodeScalars.contains(last)
    }
  }

  /// Whether a scalar may be in the name of an element or the scheme of a URL.
  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-".unicodeScalars.contains(scalar))
  }
}
