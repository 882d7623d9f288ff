import Client
import TestSupport
import Wire

/// What somebody does at a shell: every command is a client of its own, all of one name, and the next one comes when the
/// daemon has seen that the one before left.
struct ShellSession {
  let daemon: TestDaemon
  /// The only client besides, which stays.
  let witness: Client

  func command(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
    let client = try await daemon.client(name: "terminal")
    let reply = try await client.call(method, params)
    await client.close()
    while try await witness.call("session/status")["clients"].list.count > 1 { await Task.yield() }
    return reply
  }

  /// What is offered of an area's drafts, told by one of their fields.
  func drafts(of area: String, by field: String) async throws -> [String] {
    try await witness.call("\(area)/drafts").items.map { $0[field].text }
  }
}
