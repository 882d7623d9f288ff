import Client
import Daemon
import Store
import TestSupport
import Testing
import Wire

/// A daemon with a client that is an editor: it opens texts, and says what it can do with them.
struct TextsBench {
  let daemon: TestDaemon
  let editor: Client
  let encoding: String
  /// The open texts that are no files.
  let shown = ShownText.All()
  static let uri = "file:///home/reader/notes.md"

  /// - Parameters:
  ///   - capabilities: beside those that most editors have.
  ///   - version: of Neovim, for replies that depend on it.
  ///   - choice: the action with which the daemon's questions are answered; nil for no answer.
  init(
    encoding: String = "utf-16", capabilities: JSONObject = [:],
    options: JSONValue = ["documents": "virtual", "liveEdits": true],
    version: String = "0.10.4", window: JSONObject = [:], workspace more: JSONObject = [:],
    clock: TestClock = TestClock(), choice: Int? = nil,
    settings change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    daemon = try await .started(clock: clock) {
      $0.workers.timeout = .seconds(60)
      change(&$0)
    }
    self.encoding = encoding
    daemon.daemon.startBackgroundWork()
    editor = try await Client.connect(
      socket: daemon.socket, record: true,
      answering: { [shown] method, params in
        if method == "workspace/applyEdit" { return shown.answer(to: params) }
        return method == "window/showMessageRequest" ? choice.flatMap { params["actions"]?[$0] } : nil
      })
    var text: JSONObject = ["synchronization": ["didSave": true], "rename": ["prepareSupport": true]]
    for member in capabilities.members { text[member.key] = member.value }
    var workspace: JSONObject = ["applyEdit": true, "workspaceEdit": ["documentChanges": true]]
    for member in more.members { workspace[member.key] = member.value }
    let reply = try await editor.call(
      "initialize",
      [
        "clientInfo": ["name": "Neovim", "version": .string(version)], "locale": "en-US",
        "initializationOptions": ["commonplace": options],
        "capabilities": [
          "general": ["positionEncodings": [.string(encoding)]], "textDocument": .object(text),
          "window": .object(window), "workspace": .object(workspace),
        ],
      ])
    #expect(reply["capabilities"]?["textDocumentSync"]?["change"] == 2)
    editor.notify("initialized", [:])
  }

  func open(_ text: String, as uri: String = TextsBench.uri, languageID: String = "markdown") {
    editor.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(uri), "languageId": .string(languageID), "version": 1, "text": .string(text),
        ]
      ])
  }

  func change(_ uri: String = TextsBench.uri, version: Int, _ changes: [JSONValue]) {
    editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri), "version": .integer(Int64(version))], "contentChanges": .array(changes),
      ])
  }

  /// Asks about the place of `mark` in the text; the mark itself is not part of what is opened.
  func ask(
    _ method: String, _ text: String, mark: Character = "|", languageID: String = "markdown",
    with more: JSONObject = [:]
  ) async throws -> JSONValue {
    let place = try #require(text.firstIndex(of: mark))
    open(text.replacing(String(mark), with: "", maxReplacements: 1), languageID: languageID)
    return try await editor.call(method, params(position(of: text[..<place]), with: more))
  }

  func params(_ position: JSONValue, uri: String = TextsBench.uri, with more: JSONObject = [:]) -> JSONValue {
    .object(
      JSONObject(
        [
          .init(key: "textDocument", value: ["uri": .string(uri)]), .init(key: "position", value: position),
        ] + more.members))
  }

  /// The position after a beginning of a text.
  func position(of beginning: Substring) -> JSONValue {
    let line = beginning.utf8.count { $0 == UInt8(ascii: "\n") }
    // A CRLF is one character, so by bytes.
    let bytes = Array(beginning.utf8)
    let start = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    let rest = String(decoding: bytes[start...], as: UTF8.self)
    let character =
      switch encoding {
      case "utf-8": rest.utf8.count
      case "utf-32": rest.unicodeScalars.count
      default: rest.utf16.count
      }
    return ["line": .integer(Int64(line)), "character": .integer(Int64(character))]
  }

  func card(_ id: String, _ title: String, deadline: JSONValue = .null) async throws {
    daemon.clock.advance(milliseconds: 1_000)
    _ = try await editor.call(
      "projects/add", ["id": .string(id), "title": .string(title), "deadline": deadline])
  }

  func entry(_ id: String, _ text: String) async throws {
    daemon.clock.advance(milliseconds: 1_000)
    _ = try await editor.call("diary/add", ["id": .string(id), "text": .string(text)])
  }

  /// The diagnostics of the newest notification after so many about a text.
  func diagnostics(atLeast count: Int) async throws -> [JSONValue] {
    let heard = try await editor.heard("textDocument/publishDiagnostics", atLeast: count)
    return heard.last?["diagnostics"]?.arrayValue ?? []
  }
}
