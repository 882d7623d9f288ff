import Kit
import Store
import Wire

/// A file whose version is lost, such as after the library was restored. Its save is refused, since what was changed in it
/// is not known. All of its text can still be saved; nothing is removed then.
struct LostBase: Sendable {
  let path: TextPath
  let uri: String
  let text: String
  let client: LanguageClient

  /// Asks the user whether the text is saved. Without an answer it is not.
  ///
  /// - Parameters:
  ///   - message: the sentence of the refusal.
  ///   - otherwise: called if the library has nothing for the path, or another save has stored a version meanwhile.
  func ask(_ message: String, for caller: FeatureCaller, otherwise: @escaping @Sendable () -> Void) {
    let title = caller.words(Text("text.keepMine"))
    let question: JSONValue = [
      "type": 1, "message": .string(message), "actions": [["title": .string(title)]],
    ]
    Task { [weak services = caller.services] in
      let library = services?.library
      let isThere = try? await library?.read(as: client.caller) { try TextPlaces($0).render(path) != nil }
      guard isThere ?? false else { return otherwise() }
      let answer = await library?.ask("window/showMessageRequest", question, of: client.connectionID)
      guard answer?["title"]?.stringValue == title, let services else { return }
      do {
        let saved = try await services.library.write(
          as: client.caller, label: "text/save", returning: { try save(in: $0) })
        // The user has asked for the save and would believe that it was done.
        guard let saved else { return otherwise() }
        client.note(saved, of: text, at: uri)
        services.liveTexts.begin(uri, of: client, with: services)
      } catch {
        services.log("the file \(path.text) could not be saved: \(error)")
        DidSaveText.show(DidSaveText.sentence(of: error, for: client.caller), type: 1, client, client.caller)
      }
    }
  }

  /// - Returns: nil if another save has stored a version meanwhile.
  private func save(in transaction: Transaction) throws -> SavedText? {
    let (opened, snapshot) = (OpenedPath(path: path, isFile: true), transaction.snapshot)
    let places = TextPlaces(snapshot)
    guard try TextBases.find(of: opened, for: transaction.caller, in: snapshot) == nil,
      let rendered = try places.render(path)
    else {
      transaction.keepSilent()
      return nil
    }
    var base = TextBase(path, rendered, in: snapshot)
    if places.form(of: path)?.editing?.removesMissing == true {
      // An item without a line here was not removed from the text: the text may be older than the item.
      let lines = TextLines.split(TextSave.normalized(text, since: base.text))
      let anchors = Set(lines.compactMap { TextAnchor.split($0).anchor })
      base.items.removeAll { item in item.anchor.map { !anchors.contains($0) } ?? true }
    }
    let outcome = try TextSave.file(path, text: text, since: base, removing: .anchors([]), in: transaction)
    let hash = Blobs.hash(of: Array(text.utf8))
    try TextBases.open(path, hash: hash, by: transaction.caller.connectionID, in: transaction)
    return SavedText(outcome, uri: uri, base: "", edits: [], in: transaction)
  }
}
