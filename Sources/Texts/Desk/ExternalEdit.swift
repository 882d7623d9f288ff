import Kit
import Store
import Wire

/// The text of a file that another program has changed before a client opened it. Opening saves nothing; diagnostics
/// show what a save would do.
enum ExternalEdit {
  /// Publishes the diagnostics of a file that a client has opened, if another program has changed it.
  static func report(_ text: OpenText, at opened: OpenedPath, of client: LanguageClient, with services: Services) {
    let uri = text.uri
    Task { [weak services] in
      guard let services else { return }
      do {
        let isChanged = try await services.library.read(as: client.caller) { snapshot in
          try base(of: text, at: opened, for: client.caller, in: snapshot) != nil
        }
        guard isChanged else { return }
        let found = try await services.library.write(
          as: client.caller, label: "text/save", returning: { try problems(of: text, at: opened, in: $0) })
        guard let found, client[uri]?.version == text.version, client.problems(of: uri) == nil else { return }
        client.problems(of: uri, are: found)
        Diagnostics.publishSoon(uri, of: client, with: services)
      } catch {
        // The save itself reports what it cannot do.
        services.log("what a save of \(opened.path.text) would do is not known: \(error)", as: .info)
      }
    }
  }

  /// The version of the library from which the text was written; nil if it is the same.
  private static func base(
    of text: OpenText, at opened: OpenedPath, for caller: any Caller, in snapshot: Snapshot
  ) throws -> TextBase? {
    guard let base = try TextBases.find(of: opened, for: caller, in: snapshot) else { return nil }
    return sameBytes(TextSave.normalized(text.text, since: base.text), base.text) ? nil : base
  }

  /// What a save of the text would remove, and what it could not save. Items that it would hold are asked for then.
  private static func problems(
    of text: OpenText, at opened: OpenedPath, in transaction: Transaction
  ) throws -> SaveProblems? {
    transaction.keepSilent()
    let snapshot = transaction.snapshot
    guard let base = try base(of: text, at: opened, for: transaction.caller, in: snapshot), !base.isReadOnly,
      TextPlaces(snapshot).form(of: opened.path)?.editing != nil
    else { return nil }
    var outcome = try transaction.dryRun {
      try TextSave.run(opened.path, text: text.text, base: base, in: transaction)
    }.value
    (outcome.held, outcome.replaced) = ([], [])
    let saved = SavedText(outcome, uri: text.uri, base: "", edits: [], in: transaction)
    var problems = SaveProblems(saved, of: text.text, snapshot.feature)
    problems.problems += outcome.removed.map { item in
      var data: JSONObject = ["collection": .string(item.key.collection), "id": .string(item.key.id)]
      data["anchor"] = item.anchor.map { .string($0) }
      return SaveProblems.Problem(
        code: .removal, severity: .warning, line: item.line,
        content: text.lines.indices.contains(item.line) ? text.lines[item.line] : "",
        message: snapshot.words(Text("text.wouldRemove", ["title": item.title])), data: data)
    }
    return problems.problems.isEmpty ? nil : problems
  }
}
