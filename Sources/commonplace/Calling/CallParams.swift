import Contract
import FoundationEssentials
import Glibc
import Store
import Wire

/// The params of a call, from the arguments of the command line.
///
/// Everything is checked here by the method's own shape, so that a mistake is reported before a daemon is started, in
/// the daemon's own wording.
struct CallParams {
  let description: MethodDescription
  let place: Place
  var secrets: SecretPrompt = .terminal

  func value(of arguments: [String]) throws(Failure) -> JSONValue {
    let object = try object(of: arguments)
    try check(object)
    return .object(object)
  }

  /// The params as written, with the prompted secrets, before any check of their shape.
  func object(of arguments: [String]) throws(Failure) -> JSONObject {
    var object = JSONObject()
    for argument in arguments { try add(argument, to: &object) }
    try askForSecrets(&object)
    return object
  }

  func check(_ object: JSONObject) throws(Failure) {
    do throws(RPCError) {
      try description.params.checkParams(.object(object), strict: !description.isLanguageServer)
    } catch {
      throw place.voice.failure(error)
    }
  }

  /// Hints for a user whose list of one text looks like two texts, such as `tags=a,b`. Nothing is split: a comma may
  /// be part of a tag or a name.
  func hints(on arguments: [String]) -> [String] {
    var lists: [String: [String]] = [:]
    for argument in arguments where argument.first != "{" && argument.contains("=") {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      lists[parts[0], default: []].append(parts[1])
    }
    return lists.sorted { $0.key < $1.key }.compactMap { name, texts in
      let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard texts.count == 1, let text = texts.first, text.first != "[", text.first != "@",
        case .array(.string)? = description.params.field(at: path)?.shape
      else { return nil }
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.first != " " }) else { return nil }
      let instead = parts.map { "\(name)=\($0)" }.joined(separator: " ")
      return place.voice.sentence(Text("command.oneElement", ["name": name, "text": text, "instead": instead]))
    }
  }

  private func add(_ argument: String, to object: inout JSONObject) throws(Failure) {
    if argument == "-" {
      try merge(parse(validText(Input.all(), of: "-"), of: "-"), into: &object)
    } else if argument.first == "{" {
      let value = try parse(argument, of: "{…}")
      for name in secretNames where value[name] != nil { throw exposed(name) }
      try merge(value, into: &object)
    } else {
      try add(pair: argument, to: &object)
    }
  }

  private func merge(_ value: JSONValue, into object: inout JSONObject) throws(Failure) {
    guard let given = value.objectValue else {
      throw place.voice.failure(.invalidParams(field: "params", reason: Text("param.byName")))
    }
    for member in given.members { object[member.key] = member.value }
  }

  private func add(pair argument: String, to object: inout JSONObject) throws(Failure) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
      throw place.voice.failure(.usage, Text("command.notAPair", ["argument": argument]))
    }
    var key = argument[..<equals]
    let text = String(argument[argument.index(after: equals)...])
    let isJSON = key.last == ":"
    if isJSON { key = key.dropLast() }
    let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let field = description.params.field(at: path)
    let value: JSONValue
    if isJSON {
      if field?.isSecret == true { throw exposed(String(key)) }
      value = try parse(text, of: String(key))
    } else {
      value = PairValue(field: field, environment: place.environment).value(
        of: try content(text, field: field, name: String(key)))
    }
    object.set(value, at: path[...], isList: field.map { $0.shape.isList } ?? false)
  }

  /// The content for `@file`, `@-` and `@@text`.
  private func content(_ text: String, field: ObjectShape.Field?, name: String) throws(Failure) -> String {
    let isSecret = field?.isSecret == true
    guard text.first == "@" else {
      if isSecret { throw exposed(name) }
      return text
    }
    let rest = String(text.dropFirst())
    if rest.first == "@" {
      if isSecret { throw exposed(name) }
      return rest
    }
    if rest == "-", isSecret, isatty(STDIN_FILENO) == 1 { return try ask(for: name) }
    var content: String
    if rest == "-" {
      content = try validText(Input.all(), of: "@-")
    } else {
      content = try read(rest)
    }
    if isSecret { content = String(content.trimmingSuffix { $0.isNewline }) }
    return field?.isLine == true ? content.asLine : content
  }

  private func read(_ path: String) throws(Failure) -> String {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: AbsolutePath.of(path, in: place.environment)))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
      throw place.voice.failure(.notFound, Text("command.noFile", ["path": path]))
    } catch {
      throw place.voice.failure(
        .notFound, Text("command.unreadable", ["path": path, "reason": errorSentence(error)]))
    }
    return try validText(bytes, of: path)
  }

  /// Byte for byte: Foundation would remove a byte order mark.
  private func validText(_ bytes: some Sequence<UInt8>, of name: String) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw place.voice.failure(.usage, Text("command.notUTF8", ["name": name]))
    }
    return text
  }

  private func parse(_ text: String, of name: String) throws(Failure) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONParser.parse(text)
    } catch {
      throw place.voice.failure(.usage, Text("command.notJSON", ["name": name, "offset": String(error.offset)]))
    }
  }

  // MARK: - Secrets

  private var secretNames: [String] {
    guard case .object(let shape) = description.params else { return [] }
    return shape.fields.filter(\.isSecret).map(\.name)
  }

  private func exposed(_ name: String) -> Failure {
    place.voice.failure(.usage, Text("command.secretOnCommandLine", ["name": name]))
  }

  private func askForSecrets(_ object: inout JSONObject) throws(Failure) {
    guard case .object(let shape) = description.params else { return }
    for field in shape.fields where field.isSecret && field.presence == .required && object[field.name] == nil {
      guard secrets.isPossible else { continue }
      object[field.name] = .string(try ask(for: field.name))
    }
  }

  /// The params with a secret that the daemon requires; nil if the method takes none of this name, or if no user can
  /// be prompted.
  func adding(_ name: String, to value: JSONValue, after failure: Failure) throws(Failure) -> JSONValue? {
    guard secretNames.contains(name), secrets.isPossible, var object = value.objectValue else { return nil }
    Terminal.say("commonplace: \(failure.sentence)")
    object[name] = .string(try ask(for: name))
    return .object(object)
  }

  private func ask(for name: String) throws(Failure) -> String {
    guard let secret = secrets.ask(name) else { throw Failure(.cancelled) }
    return secret
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
    return rest
  }
}

extension JSONObject {
  /// Sets a value at a path of members; a second value of a list is appended to the first.
  fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>, isList: Bool) {
    guard let key = path.first else { return }
    if path.count > 1 {
      var inner = self[key]?.objectValue ?? JSONObject()
      inner.set(value, at: path.dropFirst(), isList: isList)
      self[key] = .object(inner)
    } else if isList, case .array(let first) = self[key], case .array(let more) = value {
      self[key] = .array(first + more)
    } else {
      self[key] = value
    }
  }
}
