import Client
import Contract
import Wire

/// A notification of commits for scripts: as the daemon sends it, with added members that a script would otherwise
/// have to request.
///
///     {"method": "changes/didCommit", "params": {…, "client": "nvim", "at": "…", "label": "projects/move",
///       "changes": [{…, "verb": "changed", "title": "Return the book"}]}}
///
/// `client` has several names if several commits are reported as one, `label` is there if they have one method, and
/// `action` is `undo` or `redo` for an undo or a redo.
struct DescribedCommits {
  let client: Client

  /// The params with the added members; unchanged if nothing more is available.
  func described(_ params: JSONValue) async -> JSONValue {
    guard case .object(var object) = params else { return params }
    let commits = await ReportedCommits(of: params, asking: client)
    if !commits.names.isEmpty { object["client"] = .string(commits.names.joined(separator: ", ")) }
    if let at = commits.at { object["at"] = .string(at.description) }
    if let label = commits.label { object["label"] = .string(label) }
    if let turn = commits.turn { object["action"] = .string(turn == .undone ? "undo" : "redo") }
    if let changes = params["changes"]?.arrayValue {
      var described: [JSONValue] = []
      for change in changes { described.append(await self.described(change: change)) }
      object["changes"] = .array(described)
    }
    return .object(object)
  }

  private func described(change: JSONValue) async -> JSONValue {
    guard case .object(var object) = change else { return change }
    object["verb"] = change["kind"] == "updated" ? "changed" : change["kind"]
    if let title = await client.title(of: change) { object["title"] = .string(title) }
    return .object(object)
  }
}

extension Client {
  /// The title of a change's item, also of a removed one; nil if it has none.
  func title(of change: JSONValue) async -> String? {
    guard let collection = change["collection"], let id = change["id"],
      let item = try? await call("changes/item", ["collection": collection, "id": id, "listed": true]),
      let title = item["display"]?["title"]?.stringValue, !title.isEmpty
    else { return nil }
    return title
  }
}
