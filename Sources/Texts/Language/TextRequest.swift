import Contract
import Display
import Kit
import Store
import Wire

/// The params of most requests about a text.
struct TextParams: Payload {
  var textDocument: TextName
  static let example = TextParams(textDocument: .example)
  static let fields = ["textDocument": "The text."]
}

/// The params of requests about a place in a text.
struct PositionParams: Payload {
  var textDocument: TextName
  var position: JSONValue
  static let example = PositionParams(textDocument: .example, position: ["line": 0, "character": 3])
  static let fields = ["textDocument": "The text.", "position": "LSP's position, in the client's encoding."]
}

/// A text as it was when a request arrived. It is nil for a text that is not open, or that has no features.
struct TextRequest: Sendable {
  let text: OpenText
  let client: LanguageClient
  let encoding: PositionEncoding

  init?(_ uri: String, in snapshot: Snapshot) {
    guard let client = snapshot.feature.language, let text = client[uri] else { return nil }
    guard text.isServed(with: snapshot.services) else { return nil }
    (self.text, self.client, encoding) = (text, client, snapshot.reader.positionEncoding)
  }

  /// Whether the client has changed the text since the request: what was found has moved.
  var isOutdated: Bool { client[text.uri].map { $0.version != text.version } ?? true }

  /// - Throws: LSP's `ContentModified` if the text has changed since the request.
  func requireCurrent() throws(RPCError) {
    if isOutdated { throw RPCError(code: -32801, text: Text("error.textModified")) }
  }

  func range(_ line: Int, _ bytes: Range<Int>) -> JSONValue { text.range(line, bytes, in: encoding).json }
}

/// A place in a text of a request.
struct PlaceRequest: Sendable {
  let request: TextRequest
  let line: Int
  /// In UTF-8 bytes of the line.
  let byte: Int

  init?(_ params: PositionParams, in snapshot: Snapshot) {
    guard let request = TextRequest(params.textDocument.uri, in: snapshot),
      let position = TextPosition(params.position), position.line < request.text.lines.count
    else { return nil }
    self.request = request
    line = position.line
    byte = request.text.byte(of: position, in: request.encoding)
  }

  var text: OpenText { request.text }
  var content: String { text.content(line) }
  var link: TextScan.Link? { text.scan.link(line: line, byte: byte) }
}
