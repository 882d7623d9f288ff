import Contract
import Display
import Kit
import Store
import Wire

/// The items that are missing in a saved text of a client, and stay in the library until its user decides.
struct MissingItems: Sendable {
  let uri: String
  let client: LanguageClient
  let keys: [ItemKey]

  /// Nil if none is missing.
  init?(in uri: String, of client: LanguageClient) {
    guard let held = client.problems(of: uri)?.held, !held.isEmpty else { return nil }
    (self.uri, self.client, keys) = (uri, client, held)
  }

  var removal: Text { Text("text.removeMissing", ["count": String(keys.count)]) }
  var restoration: Text { Text("text.restoreMissing", ["count": String(keys.count)]) }

  /// - Throws: the errors of the methods that remove the items.
  func remove(for caller: FeatureCaller) async throws {
    for (collection, items) in Dictionary(grouping: keys, by: \.collection) {
      for start in stride(from: 0, to: items.count, by: 1_000) {
        let ids = items[start..<min(start + 1_000, items.count)].map { JSONValue.string($0.id) }
        _ = try await caller.services.library.call("\(collection)/remove", ["ids": .array(ids)], as: caller)
      }
    }
    client.settleHeld(of: uri)
    Diagnostics.publishSoon(uri, of: client, with: caller.services)
  }

  /// The edits that put the lines of the items back into the text.
  ///
  /// - Returns: nil if the text is not open, or the library has none of them any more.
  /// - Throws: as `LibraryTextForm.render`.
  func restoring(for caller: FeatureCaller) async throws -> (text: OpenText, edits: [JSONValue])? {
    guard let text = client[uri], let problems = client.problems(of: uri) else { return nil }
    let rendered = try await caller.services.library.read(as: caller) { snapshot in
      try text.path(in: snapshot.services).flatMap { try TextPlaces(snapshot).render($0) }
    }
    guard let rendered else { return nil }
    let lines = TextLines.split(rendered.text)
    let missing = Set(keys)
    var pieces: [Int: String] = [:]
    for item in rendered.items where missing.contains(item.key) {
      let problem = problems.problems.first { $0.data["id"]?.stringValue == item.id }
      let line = min((problem?.line ?? 0) + 1, text.lines.count - 1)
      pieces[line, default: ""] += lines[item.lines].map { $0 + "\n" }.joined()
    }
    let edits = pieces.sorted { $0.key < $1.key }.map { line, piece -> JSONValue in
      ["range": text.range(line, 0..<0, in: caller.reader.positionEncoding).json, "newText": .string(piece)]
    }
    return edits.isEmpty ? nil : (text, edits)
  }

  /// Asks the user what becomes of the items. Without an answer they stay, and the actions at their places as well.
  func ask(for caller: FeatureCaller) {
    let titles = [removal, restoration].prefix(client.abilities.appliesEdits ? 2 : 1).map { caller.words($0) }
    let question: JSONValue = [
      "type": 2, "message": .string(caller.words(Text("text.held", ["count": String(keys.count)]))),
      "actions": .array(titles.map { ["title": .string($0)] }),
    ]
    Task { [weak services = caller.services] in
      let library = services?.library
      let answer = await library?.ask("window/showMessageRequest", question, of: client.connectionID)
      // Another save meanwhile may have asked about others.
      guard let place = titles.firstIndex(where: { $0 == answer?["title"]?.stringValue }), let services,
        MissingItems(in: uri, of: client)?.keys == keys
      else { return }
      do {
        if place == 0 { return try await remove(for: client.caller) }
        guard let (text, edits) = try await restoring(for: client.caller) else { return }
        _ = await services.library.ask(
          "workspace/applyEdit", client.edit([(text, edits)], step: nil), of: client.connectionID)
      } catch {
        services.log("the missing items of a text could not be removed or put back: \(error)")
      }
    }
  }
}
