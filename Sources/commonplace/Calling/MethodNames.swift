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

extension Place {
  /// The method of this name.
  ///
  /// - Parameter commands: The names of the program's commands, one of which may be what was meant.
  /// - Throws: `Failure` for an unknown method.
  func method(_ name: String, commands: [String] = []) throws(Failure) -> MethodDescription {
    guard let method = MethodNames.describe(name) else {
      throw voice.failure(.unknownMethod(name, commands: commands))
    }
    return method
  }
}

extension RPCError {
  /// The daemon's error, with the nearest name and with the command that lists all methods: a user of a shell has no
  /// use for `rpc.discover`.
  static func unknownMethod(_ name: String, commands: [String] = []) -> RPCError {
    var text = Text("command.unknownMethod", ["method": name])
    if let area = MethodNames.likelyArea(for: name) {
      text = Text("command.methodIsArea", ["method": name, "area": area])
    } else if let nearest = MethodNames.likely(for: name) {
      text = Text("command.unknownMethodNearest", ["method": name, "nearest": nearest])
    } else if commands.contains(where: { sameBytes($0, name) }) {
      text = Text("command.methodIsCommand", ["method": name])
    }
    return RPCError(code: Code.methodNotFound, text: text)
  }
}

extension ObjectShape.Field {
  /// Whether it takes an id, or several.
  var isIDField: Bool {
    if case .array(let element) = shape { return element == .text(.id) || limits.form == .id }
    return shape == .text(.id) || limits.form == .id
  }
}
