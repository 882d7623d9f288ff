import Foundation
import TestSupport
import Testing
import Wire

/// A client of the Model Context Protocol, over the pipes of `commonplace mcp`.
actor Agent {
  struct Ended: Error {
    var method: String
  }

  nonisolated let process: ChildProcess
  private var lastID: Int64 = 0
  /// The messages without an id, in order.
  private(set) var notifications: [JSONValue] = []
  /// Everything that the server wrote.
  private(set) var messages: [JSONValue] = []

  init(_ home: CommandLineHome, _ arguments: [String] = []) throws {
    process = try home.start(["mcp"] + arguments)
  }

  static func meta(_ version: String = "2026-07-28", _ more: JSONObject = [:]) -> JSONValue {
    var meta: JSONObject = [
      "io.modelcontextprotocol/protocolVersion": .string(version),
      "io.modelcontextprotocol/clientCapabilities": [:],
      "io.modelcontextprotocol/clientInfo": ["name": "tests", "version": "1"],
    ]
    for member in more.members { meta[member.key] = member.value }
    return .object(meta)
  }

  nonisolated func send(_ message: JSONValue) { process.write(message.description + "\n") }

  /// Sends a request of the present revision, and returns the message that answers it.
  func request(_ method: String, _ params: JSONObject = [:], meta: JSONValue? = Agent.meta()) async throws -> JSONValue
  {
    let id = sendRequest(method, params, meta: meta)
    return try await answer(to: id, of: method)
  }

  func sendRequest(_ method: String, _ params: JSONObject = [:], meta: JSONValue? = Agent.meta()) -> JSONValue {
    lastID += 1
    var params = params
    if let meta { params["_meta"] = meta }
    send(["jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": .object(params)])
    return .integer(lastID)
  }

  func answer(to id: JSONValue?, of method: String) async throws -> JSONValue {
    while let message = try await message() {
      if message["id"] == id { return message }
    }
    throw Ended(method: method)
  }

  /// The next message of the server; nil when there is no more.
  func message() async throws -> JSONValue? {
    guard let line = await process.line() else { return nil }
    let message = try JSONParser.parse(line)
    messages.append(message)
    if message["id"] == nil { notifications.append(message) }
    return message
  }

  /// The result of a tool.
  func call(_ tool: String, _ arguments: JSONObject = [:]) async throws -> JSONValue {
    let message = try await request("tools/call", ["name": .string(tool), "arguments": .object(arguments)])
    return try #require(message["result"], "\(tool): \(message)")
  }

  /// The structured content of a call that succeeds.
  func structured(_ tool: String, _ arguments: JSONObject = [:]) async throws -> JSONValue {
    let result = try await call(tool, arguments)
    #expect(result["isError"] == false, "\(tool) \(arguments): \(result["content"] ?? .null)")
    return result["structuredContent"] ?? .null
  }

  /// The error text of a call that is refused.
  func refusal(_ tool: String, _ arguments: JSONObject = [:]) async throws -> String {
    let result = try await call(tool, arguments)
    #expect(result["isError"] == true, "\(tool) \(arguments)")
    return result["content"]?.arrayValue?.compactMap { $0["text"]?.stringValue }.joined(separator: " ") ?? ""
  }

  /// The tokens of a tool's result, as the server estimates them: four ASCII characters, or one of another script.
  static func tokens(of result: JSONValue) -> Int {
    func tokens(_ text: String) -> Int {
      let ascii = text.unicodeScalars.count { $0.isASCII }
      return text.unicodeScalars.count - ascii + (ascii + 3) / 4
    }
    let content = result["content"]?.arrayValue ?? []
    return tokens(result["structuredContent"]?.description ?? "")
      + content.reduce(0) { $0 + tokens($1["text"]?.stringValue ?? $1.description) }
  }

  /// The names of the tools.
  func tools() async throws -> [String] {
    let list = try await request("tools/list")
    return list["result"]?["tools"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
  }

  /// The name of this session in the log of changes.
  func name() async throws -> String {
    try #require(try await structured("history")["client"]?.stringValue)
  }

  nonisolated func end() async -> ChildProcess.Result { await process.end() }
}
