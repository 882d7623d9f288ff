import Client
import Contract
import Foundation
import TestSupport
import Wire

/// A daemon whose library is edited as texts, and a client of it.
struct TextBench {
  let daemon: TestDaemon
  let client: Client

  init(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), positionEncoding: String = "utf-16"
  ) async throws {
    daemon = try await .started(in: folder, clock: clock)
    client = try await daemon.client(positionEncoding: positionEncoding)
  }

  init(_ daemon: TestDaemon, _ client: Client) { (self.daemon, self.client) = (daemon, client) }

  func stop() async { await daemon.stop() }

  /// A text as an editor has it: what it shows, and the version it was edited from.
  struct Opened {
    let path: String
    var text: String
    var base: String

    /// The lines, without the empty one after the last line end.
    var lines: [String] {
      get { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
      set { text = newValue.map { $0 + "\n" }.joined() }
    }
  }

  func open(_ path: String, _ client: Client? = nil) async throws -> Opened {
    let reply = try await (client ?? self.client).call(
      "text/open", ["uri": .string("commonplace:///text/\(path)")])
    return Opened(path: path, text: reply["text"].text, base: reply["base"].text)
  }

  /// Saves a text, and applies the edits to it as an editor does.
  @discardableResult
  func save(_ opened: inout Opened, _ more: JSONObject = [:], _ client: Client? = nil) async throws -> JSONValue {
    var params = more
    params["uri"] = .string("commonplace:///text/\(opened.path)")
    (params["base"], params["text"]) = (.string(opened.base), .string(opened.text))
    let reply = try await (client ?? self.client).call("text/save", .object(params))
    opened.text = applied(reply["edits"].list, to: opened.text)
    opened.base = reply["base"].text
    return reply
  }

  /// Applies edits of whole lines.
  private func applied(_ edits: [JSONValue], to text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var starts: [Int] = []
    var offset = 0
    for line in lines {
      starts.append(offset)
      offset += line.utf16.count + 1
    }
    let units = NSMutableString(string: text)
    for edit in edits.reversed() {
      func place(_ end: String) -> Int {
        let position = edit["range"]?[end]
        let line = Int(position?["line"]?.integerValue ?? 0)
        return min(starts[min(line, starts.count - 1)] + Int(position?["character"]?.integerValue ?? 0), units.length)
      }
      let start = place("start")
      units.replaceCharacters(
        in: NSRange(location: start, length: place("end") - start), with: edit["newText"].text)
    }
    return units as String
  }

  @discardableResult
  func entry(_ text: String, day: String? = nil) async throws -> String {
    var params: JSONObject = ["text": .string(text)]
    if let day { params["day"] = .string(day) }
    daemon.clock.advance(milliseconds: 60_000)
    return try await client.call("diary/add", .object(params)).id.text
  }

  @discardableResult
  func card(_ title: String, _ more: JSONObject = ["deadline": .null]) async throws -> String {
    var params = more
    params["title"] = .string(title)
    return try await client.call("projects/add", .object(params)).id.text
  }

  func text(of entry: String) async throws -> String {
    try await client.call("diary/get", ["id": .string(entry)])["text"].text
  }

  /// The titles of each column.
  func board() async throws -> [String: [String]] {
    let board = try await client.call("projects/board", ["limit": 1_000])
    return Dictionary(
      uniqueKeysWithValues: board["columns"].list.map { ($0["state"].text, $0["items"].list.map { $0["title"].text }) })
  }

  func clock() async throws -> Int64 { try await client.call("session/sync").clock }
}
