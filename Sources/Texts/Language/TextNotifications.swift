import Contract
import Kit
import Store
import Wire

/// A notification about a text that the client has open.
protocol TextNotification {}

extension TextNotification {
  static func isWanted(_ params: JSONValue, by session: any Session) -> Bool { session.caller.language != nil }
}

/// LSP's `textDocument/didOpen`.
enum DidOpenText: HandledNotification, TextNotification {
  static let name = "textDocument/didOpen"
  static let summary = "A text is open in the client; its later requests about the text mean the client's version."
  static let direction = Direction.toServer

  struct Params: Payload {
    var textDocument: Item
    static let example = Params(textDocument: .example)
    static let fields = ["textDocument": "The text."]
  }

  struct Item: Payload {
    var uri: String
    var languageId: String?
    var version: Int?
    var text: String
    static let example = Item(
      uri: "file:///home/reader/notes.md", languageId: "markdown", version: 1, text: "[[Dune]]\n")
    static let fields = [
      "uri": "Its URI.", "languageId": "Its language; titles are links only in prose.", "version": "Its version.",
      "text": "The whole text.",
    ]
  }

  static func run(_ params: Params, in session: any Session) {
    guard let client = session.services.languageClients[session.caller.connectionID] else { return }
    let item = params.textDocument
    let text = OpenText(
      uri: item.uri, languageID: item.languageId ?? "", version: item.version ?? 0, text: item.text)
    client.store(text, in: session)
    let services = session.services
    guard let opened = services.openedPath(item.uri) else { return }
    guard opened.isFile else {
      return services.liveTexts.show(text, at: opened.path, of: client, with: services)
    }
    services.desk.opened(opened.path, as: item.text, by: client.connectionID, with: services) {
      services.liveTexts.begin(item.uri, of: client, with: services)
      services.textDrafts.offer(at: opened, in: item.uri, to: client, with: services)
      ExternalEdit.report(text, at: opened, of: client, with: services)
    }
  }
}

/// LSP's `textDocument/didChange`.
enum DidChangeText: HandledNotification, TextNotification {
  static let name = "textDocument/didChange"
  static let summary = "An open text was edited."
  static let direction = Direction.toServer

  struct Params: Payload {
    var textDocument: Version
    var contentChanges: [JSONValue]
    static let example = Params(
      textDocument: .example,
      contentChanges: [
        [
          "range": ["start": ["line": 0, "character": 0], "end": ["line": 0, "character": 0]], "text": "See ",
        ]
      ])
    static let fields = [
      "textDocument": "The text and its new version.",
      "contentChanges": "Edits in their order, or the whole text; positions are in the client's encoding.",
    ]
  }

  struct Version: Payload {
    var uri: String
    var version: Int?
    static let example = Version(uri: "file:///home/reader/notes.md", version: 2)
    static let fields = ["uri": "Its URI.", "version": "The version after the edits."]
  }

  static func run(_ params: Params, in session: any Session) {
    guard let client = session.services.languageClients[session.caller.connectionID],
      let text = client[params.textDocument.uri]
    else { return }
    let changes = params.contentChanges.compactMap(TextEdit.init)
    // An edit that cannot be read would misplace all later ones.
    guard changes.count == params.contentChanges.count else { return client.close(text.uri) }
    let changed = text.changed(
      changes, version: params.textDocument.version ?? text.version + 1, in: session.reader.positionEncoding)
    client.store(changed, in: session)
    if let path = session.services.laidText(text.uri) {
      session.services.desk.changed(path, changed, by: client.connectionID, with: session.services)
    }
    session.services.liveTexts.changed(changed, of: client, with: session.services)
  }
}

/// LSP's `textDocument/didClose`.
enum DidCloseText: HandledNotification, TextNotification {
  static let name = "textDocument/didClose"
  static let summary = "A text is not open in the client any more."
  static let direction = Direction.toServer

  struct Params: Payload {
    var textDocument: TextName
    static let example = Params(textDocument: .example)
    static let fields = ["textDocument": "The text."]
  }

  static func run(_ params: Params, in session: any Session) throws {
    guard let client = session.services.languageClients[session.caller.connectionID] else { return }
    let uri = params.textDocument.uri
    if let text = client[uri] { session.services.textDrafts.closing(text, of: client, with: session.services) }
    client.close(uri)
    session.services.liveTexts.closed(uri, in: client.connectionID, with: session.services)
    if let path = session.services.laidText(uri) {
      session.services.desk.closed(path, by: client.connectionID, with: session.services)
    }
    guard client.publishes([], of: uri) else { return }
    session.services.library.send(
      try Notice(PublishDiagnostics.self, .init(uri: uri, version: nil, diagnostics: [])),
      to: session.caller.connectionID)
  }
}

extension LanguageClient {
  /// Stores a text and reads it for diagnostics soon; a text that does not fit is refused by one message.
  fileprivate func store(_ text: OpenText, in session: any Session) {
    let services = session.services
    caller = session.caller
    switch store(text) {
    case .stored:
      Diagnostics.publishSoon(text.uri, of: self, with: services)
      services.textDrafts.keepSoon(text.uri, of: self, with: services)
    case .refused(isFirst: true):
      let message = services.catalogue.string(
        for: Text("text.tooManyOpen", ["count": String(Self.mostTexts), "size": String(Self.mostBytes >> 20)]),
        language: session.reader.language)
      if let notice = try? Notice(ShowMessage.self, .init(type: 2, message: message)) {
        services.library.send(notice, to: connectionID)
      }
    case .refused: break
    }
  }
}
