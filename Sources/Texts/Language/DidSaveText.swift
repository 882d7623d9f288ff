import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/didSave`: a file of the desk is saved into the library.
enum DidSaveText: WritingNotification {
  static let name = "textDocument/didSave"
  static let summary =
    "A text was saved in the client. A file of a text of the library is saved into it as one commit; of other files "
    + "nothing is taken."
  static let direction = Direction.toServer

  struct Params: Payload {
    var textDocument: TextName
    var text: String?
    static let example = Params(textDocument: .example, text: "- [ ] Return the book ^k3f2\n")
    static let fields = ["textDocument": "The text.", "text": "The text as it was saved."]
  }

  struct Outcome: Payload {
    var text: SavedText?
    static let example = Outcome(text: .example)
    static let fields = ["text": "What was saved; absent for a file that is no text of the library."]
  }

  static func isWanted(_ params: JSONValue, by session: any Session) -> Bool {
    guard session.caller.language != nil, let uri = params["textDocument"]?["uri"]?.stringValue else { return false }
    return session.services.laidText(uri) != nil
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Outcome {
    let (caller, uri) = (transaction.snapshot.feature, params.textDocument.uri)
    // The copy that edits have made may be older than the file: some editors send the last edits later.
    guard let path = transaction.services.laidText(uri), let text = params.text ?? caller.language?[uri]?.text else {
      return Outcome(text: nil)
    }
    let outcome = try TextSave.file(path, text: text, in: transaction)
    return Outcome(text: SavedText(outcome, uri: uri, base: "", edits: [], in: transaction))
  }

  static func ended(_ params: Params, _ outcome: Result<Outcome, any Error>, for caller: FeatureCaller) {
    guard let client = caller.language else { return }
    let uri = params.textDocument.uri
    switch outcome {
    case .failure(let error):
      let message = sentence(of: error, for: caller)
      guard (error as? RPCError)?.kind == .conflict, let path = caller.services.laidText(uri),
        let text = params.text ?? client[uri]?.text
      else { return show(message, type: 1, client, caller) }
      LostBase(path: path, uri: uri, text: text, client: client).ask(message, for: caller) {
        show(message, type: 1, client, caller)
      }
    case .success(let outcome):
      guard let saved = outcome.text else { return }
      let titles = saved.removed.map(\.title).prefix(3).joined(separator: "”, “")
      if !saved.removed.isEmpty {
        let rest = saved.removed.count - min(3, saved.removed.count)
        let key = rest == 0 ? "text.removed" : "text.removedMore"
        show(caller.words(Text(key, ["titles": titles, "count": String(rest)])), type: 3, client, caller)
      }
      if let first = saved.unsaved.first(where: { $0.kind == .unsaved || $0.kind == .conflict || $0.kind == .day }) {
        show(caller.words(Text("text.notSaved", ["reason": first.message])), type: 1, client, caller)
      }
      let asked = MissingItems(in: uri, of: client)?.keys
      client.note(saved, of: params.text ?? "", at: uri)
      if let missing = MissingItems(in: uri, of: client), missing.keys != asked { missing.ask(for: caller) }
      caller.services.liveTexts.begin(uri, of: client, with: caller.services)
    }
  }

  static func show(_ message: String, type: Int, _ client: LanguageClient, _ caller: FeatureCaller) {
    if let notice = try? Notice(ShowMessage.self, .init(type: type, message: message)) {
      caller.services.library.send(notice, to: client.connectionID)
    }
  }

  static func sentence(of error: any Error, for caller: FeatureCaller) -> String {
    let error = (error as? RPCError) ?? StoreError(error, path: caller.services.folder.path)?.rpcError ?? .internalError
    return caller.services.catalogue.render(error, language: caller.reader.language).message
  }
}

extension LanguageClient {
  /// Shows in an open text what of it could not be saved.
  func note(_ saved: SavedText, of text: String, at uri: String) {
    let text = text.isEmpty ? self[uri]?.text ?? "" : text
    problems(of: uri, are: SaveProblems(saved, of: text, caller))
    Diagnostics.publishSoon(uri, of: self, with: caller.services)
    guard let replaced = saved.replaced else { return }
    let pause = caller.services.pause
    Task { [self, weak services = caller.services] in
      await pause(Self.noticing)
      guard let services else { return }
      for item in replaced { settleReplaced(item.id.text, with: item.former, in: uri) }
      Diagnostics.publishSoon(uri, of: self, with: services)
    }
  }

  /// How long a user is shown that a save has replaced what others have written.
  private static let noticing = Duration.seconds(60)
}
