import Contract
import Wire

/// `key=` words for the shell's completion, and after a key its possible values: items, tags, the words of a choice, and
/// the names that a list of the library has, such as those of boards and columns.
enum ParameterNames {
  static func matching(_ prefix: String, in words: [String], items: ItemCompletion = ItemCompletion()) -> [String] {
    guard let method = words.lazy.compactMap({ MethodNames.describe($0) }).first,
      case .object(let object) = method.params
    else { return [] }
    // zsh passes the sign as it quoted it: `format\=`.
    let prefix = prefix.replacing("\\=", with: "=")
    // Some shells treat the key, the sign and the value as words of their own.
    if let key = key(before: prefix, in: words), let field = object[field: key] {
      return values(of: field, beginningWith: prefix == "=" ? "" : prefix, for: method, items)
    }
    if let equals = prefix.firstIndex(of: "="), let field = object[field: String(prefix[..<equals])] {
      let value = String(prefix[prefix.index(after: equals)...])
      return values(of: field, beginningWith: value, for: method, items).map { prefix[...equals] + $0 }
    }
    return object.fields.map { $0.name + "=" }.filter { $0.hasPrefix(prefix) }
  }

  private static func key(before prefix: String, in words: [String]) -> String? {
    var words = words[...]
    if let last = words.last, sameBytes(last, prefix), !sameBytes(prefix, "=") { words.removeLast() }
    guard words.count > 1, words.last == "=" else { return nil }
    return words.dropLast().last
  }

  // MARK: - Values

  private static func values(
    of field: ObjectShape.Field, beginningWith prefix: String, for method: MethodDescription, _ items: ItemCompletion
  ) -> [String] {
    if field.isIDField, !sameBytes(field.name, "board") { return items.matching(prefix) }
    let all: [String]
    switch field.element {
    case .choice(_, let words): all = words
    case .boolean: all = ["true", "false"]
    case .string, .text:
      let isTag = ["tag", "tags"].contains { sameBytes($0, field.name) }
      all = isTag ? items.tags(beginningWith: unquoted(prefix)) : names(for: field.name, of: method, items)
    default: all = []
    }
    let typed = unquoted(prefix).lowercased()
    return all.filter { $0.lowercased().hasPrefix(typed) && ItemCompletion.isPlain($0.replacing("/", with: "")) }
  }

  private static func unquoted(_ text: String) -> String {
    String(text.filter { !["\\", "\"", "'"].contains($0) })
  }

  /// The names that a list of the library has for a param: of `board=` the titles of `projects/boards`, of `state=` the
  /// states of `projects/columns`. The daemon is asked once.
  private static func names(for param: String, of method: MethodDescription, _ items: ItemCompletion) -> [String] {
    guard let place = items.place, let list = list(for: param, of: method),
      let reply = items.ask(list.name, list.params, place)
    else { return [] }
    return (reply[list.member]?.arrayValue ?? []).compactMap { item in
      (item[param] ?? item["display"]?["title"] ?? item["title"])?.stringValue
    }
  }

  private static func list(
    for param: String, of method: MethodDescription
  ) -> (name: String, member: String, params: JSONValue)? {
    let area = method.area
    for name in ["\(area)/\(param)s", "\(param)s/list"] {
      if let list = MethodNames.describe(name), let member = listed(by: list, { _ in true }) {
        return (name, member, [:])
      }
    }
    // What names a column is the first member of one. The cards in it are not needed.
    let lists = MethodNames.routes.map(\.description).filter { sameBytes($0.area, area) }.compactMap { list in
      listed(by: list) { $0.fields.first.map { sameBytes($0.name, param) } == true }.map { (list, $0) }
    }
    return lists.first.map { list, member in
      (list.name, member, list.params.field(at: ["limit"]) == nil ? [:] : ["limit": 1])
    }
  }

  /// The member with the objects that a method lists, if it only reads and needs no param.
  private static func listed(by method: MethodDescription, _ isWanted: (ObjectShape) -> Bool) -> String? {
    guard !method.effects.contains(.network), !method.effects.contains(.writes),
      case .object(let params) = method.params, params.exactlyOne.isEmpty,
      params.fields.allSatisfy({ $0.presence != .required }), case .object(let result) = method.result
    else { return nil }
    return result.fields.first { field in
      if case .array(.object(let element)) = field.shape { isWanted(element) } else { false }
    }?.name
  }
}

extension ObjectShape.Field {
  /// The shape of one value: several are given as `tags=a tags=b`.
  fileprivate var element: Shape {
    if case .array(let element) = shape { element } else { shape }
  }
}
