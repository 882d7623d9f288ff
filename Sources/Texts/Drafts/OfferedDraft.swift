import Kit
import Store
import Wire

/// A draft of an earlier session that is offered when its text is opened again.
struct OfferedDraft: Sendable {
  let draft: StoredDraft
  /// The library's text from which it was written.
  let base: String

  /// The newest draft of a text that nobody is editing.
  ///
  /// - Parameter connection: that of the client that has just opened the text, and may have closed it before.
  /// - Returns: nil also for a draft whose base is lost: what others have changed since is not known.
  /// - Throws: `DatabaseError`.
  init?(of path: TextPath, for connection: String, in snapshot: Snapshot) throws {
    let drafts = try DraftTable.texts.all(of: path.text, in: snapshot.db)
    let closed = drafts.first { draft in
      let editor = snapshot.services.languageClients[draft.connection]
      let isOpen = editor?.texts.contains { snapshot.services.laidText($0.uri) == path } ?? false
      return sameBytes(draft.connection, connection) || !isOpen
    }
    guard let closed, let base = try TextBases.find(ofDraft: closed, at: path, in: snapshot) else { return nil }
    (draft, self.base) = (closed, base.shown ?? base.text)
  }

  /// The draft with what others have changed since.
  func merged(into text: String) -> String { LineMerge(base: base, theirs: text, ours: draft.content).text }
}

extension TextDrafts {
  /// Asks the user of a client that has opened a text about its unsaved version. Without an answer it stays.
  func offer(at path: TextPath, in uri: String, to client: LanguageClient, with services: Services) {
    Task { [weak services] in
      guard let services else { return }
      let (library, pause, connection) = (services.library, services.pause, client.connectionID)
      let path = try await library.read(as: client.caller) { TextPlaces($0).canonical(path) }
      let found = try await library.read(as: client.caller) { try OfferedDraft(of: path, for: connection, in: $0) }
      guard let found, let opened = client[uri], !sameBytes(found.merged(into: opened.text), opened.text) else {
        return
      }
      let titles = ["text.takeDraft", "text.dropDraft"].map { client.caller.words(Text($0)) }
      let question: JSONValue = [
        "type": 3, "message": .string(client.caller.words(Text("text.draftFound"))),
        "actions": .array(titles.map { ["title": .string($0)] }),
      ]
      let answer = await library.ask("window/showMessageRequest", question, of: connection)?["title"]?.stringValue
      guard let answer, let place = titles.firstIndex(of: answer), let text = client[uri] else { return }
      if place == 0 {
        let merged = found.merged(into: text.text)
        guard let edit = client.edit(text, to: merged) else { return }
        _ = await library.ask("workspace/applyEdit", edit, of: connection)
        // The answer proves nothing: the text that the client has now does.
        for _ in 0..<5 where client[uri].map({ !sameBytes($0.text, merged) }) ?? false {
          await pause(.milliseconds(500))
        }
        guard client[uri].map({ sameBytes($0.text, merged) }) ?? false else { return }
      }
      try await library.write(as: FeatureCaller.daemon(client.caller.services), label: "text/drafts") { transaction in
        transaction.keepSilent()
        let draft = found.draft
        // It may be another one by now, that of this client.
        let known = try DraftTable.texts.find(path.text, of: draft.connection, in: transaction.db)
        guard let known, sameBytes(known.content, draft.content) else { return }
        _ = try DraftTable.texts.discard(path.text, of: draft.connection, in: transaction)
      }
    }
  }
}
