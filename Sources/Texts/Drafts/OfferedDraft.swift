import Kit
import Store
import Wire

/// A draft of an earlier session that is offered when its text is opened again.
struct OfferedDraft: Sendable {
  let draft: StoredDraft
  /// The version from which it was written.
  let base: TextBase

  /// The newest draft of a text that nobody is editing.
  ///
  /// - Parameter connection: that of the client that has just opened the text, and may have closed it before.
  /// - Returns: nil also for a draft whose base is lost: what others have changed since is not known.
  /// - Throws: `DatabaseError`.
  init?(of path: TextPath, for connection: String, in snapshot: Snapshot) throws {
    let drafts = try DraftTable.texts.all(of: path.text, in: snapshot.db)
    let closed = drafts.first { draft in
      let editor = snapshot.services.languageClients[draft.connection]
      let isOpen = editor?.texts.contains { snapshot.services.openedPath($0.uri)?.path == path } ?? false
      return sameBytes(draft.connection, connection) || !isOpen
    }
    guard let closed, let base = try TextBases.find(ofDraft: closed, at: path, in: snapshot) else { return nil }
    (draft, self.base) = (closed, base)
  }

  private func merge(into text: String) -> LineMerge {
    LineMerge(base: base.shown ?? base.text, theirs: text, ours: draft.content)
  }

  /// Whether it has something that a text has not.
  func adds(to text: String) -> Bool { !sameBytes(merge(into: text).text, text) }

  /// A text with its lines; nil if others have changed the same ones since.
  func merged(into text: String) -> String? {
    let merge = merge(into: text)
    return merge.overlaps.isEmpty ? merge.text : nil
  }
}

extension TextDrafts {
  /// Asks the user of a client that has opened a text about its unsaved version. Without an answer it stays.
  func offer(at opened: OpenedPath, in uri: String, to client: LanguageClient, with services: Services) {
    Task { [weak services] in
      guard let services else { return }
      let (library, connection) = (services.library, client.connectionID)
      let path = try await library.read(as: client.caller) { TextPlaces($0).canonical(opened.path) }
      let found = try await library.read(as: client.caller) { try OfferedDraft(of: path, for: connection, in: $0) }
      guard let found, let text = client[uri], found.adds(to: text.text) else { return }
      // A client that names the version of its text itself would save the draft over what others have changed.
      let isFollowed = opened.isFile || client.abilities.followsVersions
      guard isFollowed || client.abilities.appliesEdits && found.merged(into: text.text) != nil else { return }
      let titles = ["text.takeDraft", "text.dropDraft"].map { client.caller.words(Text($0)) }
      let question: JSONValue = [
        "type": 3, "message": .string(client.caller.words(Text("text.draftFound"))),
        "actions": .array(titles.map { ["title": .string($0)] }),
      ]
      let answer = await library.ask("window/showMessageRequest", question, of: connection)?["title"]?.stringValue
      guard let answer, let place = titles.firstIndex(of: answer), let text = client[uri] else { return }
      if place == 0,
        try await !bring(
          found, at: OpenedPath(path: path, isFile: opened.isFile), into: text, of: client, with: services)
      {
        return
      }
      try await library.write(as: FeatureCaller.daemon(client.caller.services), label: "text/drafts") { transaction in
        transaction.keepSilent()
        let draft = found.draft
        // It may be another one by now, that of this client.
        let known = try DraftTable.texts.find(path.text, of: draft.connection, in: transaction.db)
        guard let known, sameBytes(known.content, draft.content) else { return }
        _ = try TextDrafts.discard(path, of: draft.connection, in: transaction)
      }
    }
  }

  /// Brings a draft into the text of a client. Lines that others have changed since are conflicts, as after a live edit.
  ///
  /// - Returns: whether the client has all of the draft. Lines that its user has just changed stay as they are.
  private func bring(
    _ found: OfferedDraft, at opened: OpenedPath, into text: OpenText, of client: LanguageClient,
    with services: Services
  ) async throws -> Bool {
    let (library, connection) = (services.library, client.connectionID)
    func present() async throws -> (base: TextBase, stamp: String)? {
      try await library.read(as: client.caller) { try TextBases.find(opened, openIn: connection, in: $0) }
    }
    // The answer to an edit proves nothing: the text that the client has now does.
    func has(_ merged: String) async -> Bool {
      func isThere() -> Bool { client[text.uri].map { sameBytes($0.text, merged) } ?? false }
      for _ in 0..<5 where !isThere() { await services.pause(.milliseconds(500)) }
      return isThere()
    }
    let label = client.caller.words(Text("text.unsavedVersion"))
    guard let (base, stamp) = try await present() else {
      guard !opened.isFile, !client.abilities.followsVersions, let merged = found.merged(into: text.text),
        let edit = client.edit(text, to: merged, label: label, step: nil)
      else { return false }
      _ = await library.ask("workspace/applyEdit", edit, of: connection)
      return await has(merged)
    }
    let merge = LiveMerge(draft: found.draft.content, of: found.base, into: base)
    // Before the client has the text: it may save it at once.
    let step = try await library.write(
      as: FeatureCaller.daemon(services), label: "text/drafts",
      returning: { transaction -> VersionStep? in
        try TextBases.advance(opened, openIn: connection, from: stamp, to: merge.next, in: transaction)
        return opened.isFile ? nil : try VersionStep(from: base, to: merge.next, in: transaction)
      })
    guard let stored = try await present()?.base, try NamedBase(stored).name == NamedBase(merge.next).name else {
      return false
    }
    let conflicts = try await library.read(as: client.caller) { snapshot in
      try merge.conflicts.map { conflict in
        (conflict.item, conflict.line, snapshot.words(try snapshot.conflictMessage(of: conflict.item)))
      }
    }
    let merged = LineMerge(base: base.text, theirs: merge.text, ours: text.text)
    guard let edit = client.edit(text, to: merged.text, label: label, step: step) else { return false }
    client.noteConflicts(conflicts, in: OpenText.lines(of: merge.text), of: text.uri)
    _ = await library.ask("workspace/applyEdit", edit, of: connection)
    let isThere = await has(merged.text)
    return merged.overlaps.isEmpty && isThere
  }
}
