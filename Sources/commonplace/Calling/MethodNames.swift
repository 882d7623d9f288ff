import ArgumentParser
import Contract
import Features
import Kit
import Wire

/// The methods that this version knows, without a daemon.
enum MethodNames {
  static var routes: [Route] { AllFeatures.features.flatMap(\.routes) }
  static var all: [String] { routes.map(\.name) }

  static var areas: [String] {
    var areas: [String] = []
    for area in all.map(methodArea(of:)) where !areas.contains(area) { areas.append(area) }
    return areas
  }

  /// The likely name: a similarly spelled one, or the name with this ending if the area was omitted.
  static func likely(for name: String) -> String? {
    let names = all.sorted()
    if let likely = likelyName(for: name, among: names) { return likely }
    let endings = names.filter { $0.hasSuffix("/" + name) }
    return endings.count == 1 ? endings.first : nil
  }

  /// The methods whose name without the area is this one, such as the imports of all areas.
  static func named(_ verb: String) -> [String] { all.filter { $0.hasSuffix("/" + verb) }.sorted() }

  /// The likely area for a name without a slash, or for a name in it that does not resemble any method.
  static func likelyArea(for name: String) -> String? {
    let beginning = name.contains("/") ? methodArea(of: name) : name
    guard sameBytes(beginning, name) || likely(for: name) == nil else { return nil }
    if let area = areas.first(where: { sameBytes($0, beginning) }) { return area }
    guard sameBytes(beginning, name), all.allSatisfy({ !$0.hasSuffix("/" + name) }) else { return nil }
    let begun = areas.filter { name.utf8.count >= 3 && $0.hasPrefix(name) }
    return begun.count == 1 ? begun.first : likelyName(for: name, among: areas)
  }

  static func describe(_ name: String) -> MethodDescription? {
    routes.first { $0.name == name }?.description
  }
}

extension RPCError {
  /// The daemon's error, with the nearest name and with the command that lists all methods: a user of a shell has no
  /// use for `rpc.discover`.
  static func unknownMethod(_ name: String) -> RPCError {
    var text = Text("command.unknownMethod", ["method": name])
    if let area = MethodNames.likelyArea(for: name) {
      text = Text("command.methodIsArea", ["method": name, "area": area])
    } else if let nearest = MethodNames.likely(for: name) {
      text = Text("command.unknownMethodNearest", ["method": name, "nearest": nearest])
    } else if Commonplace.configuration.subcommands.contains(where: { sameBytes($0._commandName, name) }) {
      text = Text("command.methodIsCommand", ["method": name])
    }
    return RPCError(code: Code.methodNotFound, text: text)
  }
}

/// `key=` words for the shell's completion, and after the key of an id its possible values.
enum ParameterNames {
  static func matching(_ prefix: String, in words: [String], items: ItemCompletion = ItemCompletion()) -> [String] {
    guard let method = words.lazy.compactMap({ MethodNames.describe($0) }).first,
      case .object(let object) = method.params
    else { return [] }
    // Some shells treat the key, the sign and the value as words of their own.
    if let key = key(before: prefix, in: words), let field = object[field: key], field.isIDField {
      return items.matching(prefix == "=" ? "" : prefix)
    }
    if let equals = prefix.firstIndex(of: "="), let field = object[field: String(prefix[..<equals])], field.isIDField {
      let value = String(prefix[prefix.index(after: equals)...])
      return items.matching(value).map { prefix[...equals] + $0 }
    }
    return object.fields.map { $0.name + "=" }.filter { $0.hasPrefix(prefix) }
  }

  private static func key(before prefix: String, in words: [String]) -> String? {
    var words = words[...]
    if let last = words.last, sameBytes(last, prefix), !sameBytes(prefix, "=") { words.removeLast() }
    guard words.count > 1, words.last == "=" else { return nil }
    return words.dropLast().last
  }
}

extension ObjectShape.Field {
  /// Whether it takes an id, or several.
  var isIDField: Bool {
    if case .array(let element) = shape { return element == .text(.id) || limits.form == .id }
    return shape == .text(.id) || limits.form == .id
  }
}
