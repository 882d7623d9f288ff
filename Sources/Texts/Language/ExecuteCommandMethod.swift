import Contract
import Kit
import Store
import Wire

/// A command of LSP, with its one argument.
struct Command: Sendable {
  enum Name: String, CaseIterable, Sendable {
    case add = "commonplace.add"
    case move = "commonplace.move"
    case open = "commonplace.open"
    case today = "commonplace.today"
    case undo = "commonplace.undo"
    case redo = "commonplace.redo"
    case decide = "commonplace.decide"
  }

  var name: Name
  var argument: JSONObject

  /// - Parameters:
  ///   - line: the line of the text from which the item is made, for one that is to name it.
  ///   - values: more params of `projects/add`.
  static func add(
    collection: String, text: String, from line: (uri: String, number: Int)? = nil, with values: JSONObject = [:]
  ) -> Command {
    var argument: JSONObject = ["collection": .string(collection), "text": .string(text)]
    if let line { (argument["uri"], argument["line"]) = (.string(line.uri), .integer(Int64(line.number))) }
    for member in values.members { argument[member.key] = member.value }
    return Command(name: .add, argument: argument)
  }

  static func move(id: String, state: String) -> Command {
    Command(name: .move, argument: ["id": .string(id), "state": .string(state)])
  }

  static func putOff(id: String, to day: String) -> Command {
    Command(name: .move, argument: ["id": .string(id), "deadline": .string(day)])
  }

  static func open(_ path: TextPath) -> Command { Command(name: .open, argument: ["path": .string(path.text)]) }

  /// The missing items of a text are removed, as it is written there.
  static func removeMissing(in uri: String) -> Command {
    Command(name: .decide, argument: ["uri": .string(uri), "take": "mine"])
  }

  /// A conflict of an item in a text is settled.
  static func decide(_ decision: TextDecision, on id: String, in uri: String) -> Command {
    Command(
      name: .decide, argument: ["uri": .string(uri), "id": .string(id), "take": .string(decision.rawValue)])
  }

  func json(title: String) -> JSONValue {
    [
      "title": .string(title), "command": .string(name.rawValue), "arguments": [.object(argument)],
    ]
  }
}

/// LSP's `workspace/executeCommand`.
enum ExecuteCommand: LanguageMethod {
  static let name = "workspace/executeCommand"
  static let summary =
    "`commonplace.add {collection, text, uri, line}`, for a card also with `deadline`, `time`, `start` and `tags`: with "
    + "`uri`, and `line` from 0, the item names the place in that text; `.move {id, state}` or `.move {id, deadline}`, "
    + "`.open {path}`, `.today`, `.undo`, `.redo`, "
    + "`.decide {uri, id, take}`: a conflict is settled by `mine`, `theirs` or `both`, and `theirs` also restores what a save "
    + "has replaced; without `id`, what is missing in a saved text is removed; with one object as argument."
  static let effects: Effects = [.reads, .writes]
  static let errors: [ErrorKind] = [.conflict, .notFound, .nothingToUndo]

  struct Params: Payload {
    var command: String
    var arguments: [JSONValue]?
    static let example = Params(
      command: "commonplace.add", arguments: [["collection": "projects", "text": "Return the book"]])
    static let fields = [
      "command": "The command.", "arguments": "Exactly one object, or none for a command that needs none.",
    ]
  }
  typealias Result = JSONValue

  struct Plan: Sendable {
    var command: Command
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan? {
    guard let name = Command.Name(rawValue: params.command) else {
      throw RPCError.invalidParams(
        field: "command",
        reason: Text(
          "param.choice",
          [
            "found": String(params.command.unicodeScalars.prefix(64)),
            "choices": Command.Name.allCases.map(\.rawValue).joined(separator: ", "),
          ]))
    }
    let arguments = params.arguments ?? []
    guard arguments.count <= 1, let argument = (arguments.first ?? .object([:])).objectValue else {
      throw RPCError.invalidParams(field: "arguments", reason: Text("text.oneArgument"))
    }
    return Plan(command: Command(name: name, argument: argument))
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let library = caller.services.library
    let argument = plan.command.argument
    switch plan.command.name {
    case .add:
      let text = try text("text", of: argument)
      let origin = try await origin(of: argument, for: caller)
      let written: JSONValue = .string(origin.map { "\(text)\n\n\($0)" } ?? text)
      switch try self.text("collection", of: argument) {
      case "projects":
        var card: JSONObject = ["title": .string(text), "deadline": .null]
        if let origin { card["body"] = .string(origin) }
        for name in ["deadline", "time", "start", "tags"] { card[name] = argument[name] ?? card[name] }
        return try await library.call("projects/add", .object(card), as: caller)
      case "diary": return try await library.call("diary/add", ["text": written], as: caller)
      case "notes": return try await library.call("notes/add", ["text": written], as: caller)
      case let other:
        throw RPCError.invalidParams(
          field: "arguments[0].collection",
          reason: Text(
            "param.choice", ["found": String(other.unicodeScalars.prefix(64)), "choices": "diary, notes, projects"]))
      }
    case .move:
      if argument["state"] == nil, let day = argument["deadline"] {
        return try await library.call(
          "projects/update", ["id": .string(try text("id", of: argument)), "deadline": day], as: caller)
      }
      return try await library.call(
        "projects/move",
        ["id": .string(try text("id", of: argument)), "state": .string(try text("state", of: argument))],
        as: caller)
    case .open: return try await open(try text("path", of: argument), for: caller)
    case .today: return try await open("diary/today.md", for: caller)
    case .undo: return try await library.call("changes/undo", [:], as: caller)
    case .redo: return try await library.call("changes/redo", [:], as: caller)
    case .decide:
      return argument["id"] == nil
        ? try await removeMissing(of: argument, for: caller) : try await settle(argument, for: caller)
    }
  }

  private static func text(_ field: String, of argument: JSONObject) throws -> String {
    guard let text = argument[field]?.stringValue, !text.allSatisfy(\.isWhitespace) else {
      throw RPCError.invalidParams(field: "arguments[0].\(field)", reason: Text("param.blank"))
    }
    return text
  }

  /// The place in a text that an added item names; nil for one that is to name none.
  private static func origin(of argument: JSONObject, for caller: FeatureCaller) async throws -> String? {
    guard let uri = argument["uri"] else { return nil }
    guard let uri = uri.stringValue else {
      throw RPCError.invalidParams(field: "arguments[0].uri", reason: Text("param.blank"))
    }
    let line = (argument["line"]?.integerValue).flatMap { Int(exactly: $0) }
    return try await caller.services.library.read(as: caller) { try TextOrigin(uri: uri, line: line).text(in: $0) }
  }

  /// Settles a conflict; the client gets what it writes as an edit.
  private static func settle(_ argument: JSONObject, for caller: FeatureCaller) async throws -> JSONValue {
    let (uri, id, take) = (try text("uri", of: argument), try text("id", of: argument), try text("take", of: argument))
    guard let decision = TextDecision(rawValue: take) else {
      let choices = TextDecision.allCases.map(\.rawValue).joined(separator: ", ")
      throw RPCError.invalidParams(
        field: "arguments[0].take",
        reason: Text("param.choice", ["found": String(take.unicodeScalars.prefix(64)), "choices": choices]))
    }
    guard let client = caller.language, let text = client[uri], let path = caller.services.openedPath(uri) else {
      throw RPCError.invalidParams(field: "arguments[0].uri", reason: Text("text.noText", ["uri": uri]))
    }
    if decision == .theirs, try await restoreReplaced(id, in: uri, of: client, for: caller) { return .null }
    let settled = try await caller.services.settle(id, by: decision, in: text.text, at: path, for: caller)
    client.settleConflict(of: id, in: uri)
    Diagnostics.publishSoon(uri, of: client, with: caller.services)
    var edits: [JSONValue] = []
    if let replaced = settled.replaced {
      let lines = TextLines.split(text.text)
      let range = WrittenRange(replaced.lines, of: lines, in: caller.reader.positionEncoding)
      let isLast = replaced.lines.upperBound >= lines.count
      edits = [
        [
          "range": try JSONParser.parse(range.json()),
          "newText": .string(replaced.text + (isLast || replaced.text.isEmpty ? "" : "\n")),
        ]
      ]
    }
    if edits.isEmpty, settled.step == nil { return .null }
    _ = await caller.services.library.ask(
      "workspace/applyEdit", client.edit([(text, edits)], step: settled.step), of: client.connectionID)
    return .null
  }

  /// Restores the values of others that the latest save of a text has replaced in an item.
  ///
  /// - Returns: false if there are none.
  /// - Throws: `RPCError` of the kind `conflict` if the item was changed after the save.
  private static func restoreReplaced(
    _ id: String, in uri: String, of client: LanguageClient, for caller: FeatureCaller
  ) async throws -> Bool {
    let replaced = client.problems(of: uri)?.problems.first { problem in
      problem.code == .replaced && problem.data["id"]?.stringValue == id
    }
    guard let replaced, let collection = replaced.data["collection"]?.stringValue,
      let former = replaced.data["former"], case .object(var values) = former
    else { return false }
    values["id"] = .string(id)
    _ = try await caller.services.library.call("\(collection)/update", .object(values), as: caller)
    client.settleReplaced(id, with: former, in: uri)
    Diagnostics.publishSoon(uri, of: client, with: caller.services)
    return true
  }

  /// Removes the items that the latest save of a text held.
  private static func removeMissing(of argument: JSONObject, for caller: FeatureCaller) async throws -> JSONValue {
    let (uri, take) = (try text("uri", of: argument), try text("take", of: argument))
    guard sameBytes(take, "mine") else {
      throw RPCError.invalidParams(
        field: "arguments[0].take",
        reason: Text("param.choice", ["found": String(take.unicodeScalars.prefix(64)), "choices": "mine"]))
    }
    if let client = caller.language { try await MissingItems(in: uri, of: client)?.remove(for: caller) }
    return .null
  }

  /// Shows a text in the client, if it can; the reply names it in any case.
  private static func open(_ path: String, for caller: FeatureCaller) async throws -> JSONValue {
    let result = try await caller.services.library.call("text/path", ["path": .string(path)], as: caller)
    if let client = caller.language, client.abilities.showsDocuments, let uri = result["uri"] {
      _ = await caller.services.library.ask(
        "window/showDocument", ["uri": uri, "takeFocus": true], of: client.connectionID)
    }
    return result
  }
}
