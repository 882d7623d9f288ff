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
  }

  var name: Name
  var argument: JSONObject

  static func add(collection: String, text: String) -> Command {
    Command(name: .add, argument: ["collection": .string(collection), "text": .string(text)])
  }

  static func move(id: String, state: String) -> Command {
    Command(name: .move, argument: ["id": .string(id), "state": .string(state)])
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
    "`commonplace.add {collection, text}`, `.move {id, state}`, `.open {path}`, `.today`, `.undo`, `.redo`; with one "
    + "object as argument."
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
      switch try self.text("collection", of: argument) {
      case "projects":
        return try await library.call("projects/add", ["title": .string(text), "deadline": .null], as: caller)
      case "diary": return try await library.call("diary/add", ["text": .string(text)], as: caller)
      case let other:
        throw RPCError.invalidParams(
          field: "arguments[0].collection",
          reason: Text(
            "param.choice", ["found": String(other.unicodeScalars.prefix(64)), "choices": "diary, projects"]))
      }
    case .move:
      return try await library.call(
        "projects/move",
        ["id": .string(try text("id", of: argument)), "state": .string(try text("state", of: argument))],
        as: caller)
    case .open: return try await open(try text("path", of: argument), for: caller)
    case .today: return try await open("diary/today.md", for: caller)
    case .undo: return try await library.call("changes/undo", [:], as: caller)
    case .redo: return try await library.call("changes/redo", [:], as: caller)
    }
  }

  private static func text(_ field: String, of argument: JSONObject) throws -> String {
    guard let text = argument[field]?.stringValue, !text.allSatisfy(\.isWhitespace) else {
      throw RPCError.invalidParams(field: "arguments[0].\(field)", reason: Text("param.blank"))
    }
    return text
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
